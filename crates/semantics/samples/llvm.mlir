// llvm.inttoptr, llvm.load
func.func @load(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.inttoptr, llvm.store
func.func @store(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.store %x, %p : f32, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.store, llvm.load: of the pointer
func.func @store_pointer(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %p, %m : !llvm.ptr, !llvm.ptr
  %q = llvm.load %m : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.alloca, llvm.mlir.constant
func.func @alloca(%x: f32) -> f32 {
  %one = llvm.mlir.constant(4 : i64) : i64
  %p = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %p : f32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.getelementptr
func.func @getelementptr(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.ptrtoint
func.func @ptrtoint(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %again = llvm.ptrtoint %p : !llvm.ptr to i64
  %q = llvm.inttoptr %again : i64 to !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.addrspacecast
func.func @addrspacecast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %other = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
  %v = llvm.load %other : !llvm.ptr<1> -> f32
  return %v : f32
}
// -----
// llvm.bitcast
func.func @bitcast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %q = llvm.bitcast %p : !llvm.ptr to !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.freeze
func.func @freeze(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %q = llvm.freeze %p : !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.select
func.func @select(%x: f32, %which: i1, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %q = llvm.select %which, %p, %y : i1, !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.icmp
func.func @icmp(%x: f32, %z: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %same = llvm.icmp "eq" %p, %y : !llvm.ptr
  %v = arith.select %same, %x, %z : f32
  return %v : f32
}
// -----
// llvm.mlir.zero
func.func @zero(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %other = llvm.mlir.zero : !llvm.ptr
  %q = llvm.select %which, %p, %other : i1, !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.mlir.undef
func.func @undef(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %other = llvm.mlir.undef : !llvm.ptr
  %q = llvm.select %which, %p, %other : i1, !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.mlir.poison
func.func @poison(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %other = llvm.mlir.poison : !llvm.ptr
  %q = llvm.select %which, %p, %other : i1, !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.insertvalue, llvm.extractvalue
func.func @insertvalue(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
  %t = llvm.insertvalue %p, %u[0] : !llvm.struct<(ptr, i64)>
  %q = llvm.extractvalue %t[0] : !llvm.struct<(ptr, i64)>
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.insertelement, llvm.extractelement, llvm.shufflevector
func.func @insertelement(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %at = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.undef : vector<4x!llvm.ptr>
  %t = llvm.insertelement %p, %u[%at : i32] : vector<4x!llvm.ptr>
  %w = llvm.shufflevector %t, %u [0, 0, 0, 0] : vector<4x!llvm.ptr>
  %q = llvm.extractelement %w[%at : i32] : vector<4x!llvm.ptr>
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.func, llvm.call: to a declaration
llvm.func @sink(!llvm.ptr)
func.func @call(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.call @sink(%p) : (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.func, llvm.call, llvm.return: to a function with a body
llvm.func @reads(%p: !llvm.ptr) -> f32 {
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return %v : f32
}
func.func @call_body(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.call @reads(%p) : (!llvm.ptr) -> f32
  return %v : f32
}
// -----
// llvm.call, llvm.mlir.addressof: of an address
llvm.func @sink(!llvm.ptr)
func.func @call_address(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %f = llvm.mlir.addressof @sink : !llvm.ptr
  llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.dso_local_equivalent
llvm.func @sink(!llvm.ptr)
func.func @dso_local_equivalent(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %f = llvm.dso_local_equivalent @sink : !llvm.ptr
  llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.call_intrinsic
// compile: no
func.func @call_intrinsic(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.call_intrinsic "llvm.lifetime.start.p0"(%p) : (!llvm.ptr {llvm.nonnull}) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.inline_asm
func.func @inline_asm(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.inline_asm has_side_effects "", "r" %p : (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.br
func.func @br(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.br ^next(%p : !llvm.ptr)
^next(%q: !llvm.ptr):
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.cond_br
func.func @cond_br(%x: f32, %which: i1, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.cond_br %which, ^next(%p : !llvm.ptr), ^next(%y : !llvm.ptr)
^next(%q: !llvm.ptr):
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.switch
func.func @switch(%x: f32, %which: i32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.switch %which : i32, ^next(%p : !llvm.ptr) [
    1: ^next(%y : !llvm.ptr)
  ]
^next(%q: !llvm.ptr):
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.unreachable
func.func @unreachable(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.cond_br %which, ^next, ^never
^next:
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
^never:
  llvm.unreachable
}
// -----
// llvm.intr.trap
func.func @trap(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.cond_br %which, ^next, ^never
^next:
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
^never:
  "llvm.intr.trap"() : () -> ()
  llvm.unreachable
}
// -----
// llvm.intr.ubsantrap
func.func @ubsantrap(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.cond_br %which, ^next, ^never
^next:
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
^never:
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  llvm.unreachable
}
// -----
// llvm.intr.debugtrap
func.func @debugtrap(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "llvm.intr.debugtrap"() : () -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.fence
func.func @fence(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.fence seq_cst
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.blockaddress, llvm.indirectbr
llvm.func @indirectbr(%p: !llvm.ptr) -> f32 {
  %target = llvm.blockaddress <function = @indirectbr, tag = <id = 1>> : !llvm.ptr
  llvm.indirectbr %target : !llvm.ptr, [
    ^next(%p : !llvm.ptr)
  ]
^next(%q: !llvm.ptr):
  llvm.blocktag <id = 1>
  %v = llvm.load %q : !llvm.ptr -> f32
  llvm.return %v : f32
}
func.func @calls(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.call @indirectbr(%p) : (!llvm.ptr) -> f32
  return %v : f32
}
// -----
// llvm.invoke, llvm.landingpad, llvm.resume
llvm.func @__gxx_personality_v0(...) -> i32
llvm.func @sink(!llvm.ptr)
llvm.func @invoke(%p: !llvm.ptr) attributes {personality = @__gxx_personality_v0} {
  llvm.invoke @sink(%p) to ^next unwind ^caught : (!llvm.ptr) -> ()
^next:
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %e : !llvm.struct<(ptr, i32)>
}
func.func @calls(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.call @invoke(%p) : (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.mlir.global, llvm.mlir.addressof, llvm.return
llvm.mlir.global internal @kept() : !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.return %null : !llvm.ptr
}
func.func @global(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %g = llvm.mlir.addressof @kept : !llvm.ptr
  llvm.store %p, %g : !llvm.ptr, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.mlir.alias
llvm.mlir.global external @table(2.0 : f32) : f32
llvm.mlir.alias external @other : f32 {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  llvm.return %t : !llvm.ptr
}
func.func @alias(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %g = llvm.mlir.addressof @other : !llvm.ptr
  %y = llvm.load %g : !llvm.ptr -> f32
  llvm.store %y, %p : f32, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.comdat
llvm.comdat @group {
  llvm.comdat_selector @any any
}
llvm.mlir.global internal constant @table(2.0 : f32) comdat(@group::@any) : f32
func.func @comdat(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %g = llvm.mlir.addressof @table : !llvm.ptr
  %y = llvm.load %g : !llvm.ptr -> f32
  llvm.store %y, %p : f32, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.threadlocal.address
llvm.mlir.global external thread_local @own(2.0 : f32) : f32
func.func @threadlocal_address(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %g = llvm.mlir.addressof @own : !llvm.ptr
  %here = "llvm.intr.threadlocal.address"(%g) : (!llvm.ptr) -> !llvm.ptr
  llvm.store %p, %here : !llvm.ptr, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.atomicrmw
func.func @atomicrmw(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %old = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr, f32
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.atomicrmw: of the pointer
func.func @atomicrmw_pointer(%x: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %old = llvm.atomicrmw xchg %y, %p monotonic : !llvm.ptr, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.cmpxchg
func.func @cmpxchg(%x: f32, %b: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %old = llvm.cmpxchg %p, %b, %b monotonic monotonic : !llvm.ptr, i32
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.memcpy
func.func @memcpy(%x: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %bytes = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memcpy"(%y, %p, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.memmove
func.func @memmove(%x: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %bytes = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memmove"(%y, %p, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.memcpy.inline
func.func @memcpy_inline(%x: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "llvm.intr.memcpy.inline"(%y, %p) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.memset
func.func @memset(%x: f32, %b: i8) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %bytes = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memset"(%p, %b, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.memset.inline
func.func @memset_inline(%x: f32, %b: i8) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "llvm.intr.memset.inline"(%p, %b) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.prefetch
func.func @prefetch(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.lifetime.start, llvm.intr.lifetime.end
func.func @lifetime(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.intr.lifetime.start %m : !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  llvm.store %y, %m : f32, !llvm.ptr
  %v = llvm.load %m : !llvm.ptr -> f32
  llvm.intr.lifetime.end %m : !llvm.ptr
  return %v : f32
}
// -----
// llvm.intr.invariant.start, llvm.intr.invariant.end
func.func @invariant(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %begun = llvm.intr.invariant.start 16, %p : !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.intr.invariant.end %begun, 16, %p : !llvm.ptr
  return %v : f32
}
// -----
// llvm.intr.launder.invariant.group, llvm.intr.strip.invariant.group
func.func @invariant_group(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %r = llvm.intr.launder.invariant.group %p : !llvm.ptr
  %q = llvm.intr.strip.invariant.group %r : !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.ptrmask
func.func @ptrmask(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %mask = llvm.mlir.constant(-16 : i64) : i64
  %q = llvm.intr.ptrmask %p, %mask : (!llvm.ptr, i64) -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.ssa.copy
// compile: no
func.func @ssa_copy(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %q = llvm.intr.ssa.copy %p : !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.is.constant
func.func @is_constant(%x: f32, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %known = "llvm.intr.is.constant"(%p) : (!llvm.ptr) -> i1
  %q = llvm.select %known, %p, %y : i1, !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.assume
// compile: no
func.func @assume(%x: f32, %holds: i1, %bytes: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.intr.assume %holds ["align"(%p, %bytes : !llvm.ptr, i64)] : i1
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.stacksave, llvm.intr.stackrestore
func.func @stacksave(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %stack = llvm.intr.stacksave : !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %m : f32, !llvm.ptr
  llvm.intr.stackrestore %stack : !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.annotation
func.func @annotation(%x: f32, %text: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %bits = llvm.load %p : !llvm.ptr -> i32
  %same = "llvm.intr.annotation"(%bits, %text, %text, %bits) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.ptr.annotation
func.func @ptr_annotation(%x: f32, %text: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %line = llvm.mlir.constant(1 : i32) : i32
  %q = "llvm.intr.ptr.annotation"(%p, %text, %text, %line, %text)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.var.annotation
func.func @var_annotation(%x: f32, %text: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %line = llvm.mlir.constant(1 : i32) : i32
  "llvm.intr.var.annotation"(%p, %text, %text, %line, %text) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.eh.typeid.for
func.func @eh_typeid_for(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %id = llvm.intr.eh.typeid.for %p : (!llvm.ptr) -> i32
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.dbg.declare, llvm.intr.dbg.value
#file = #llvm.di_file<"a.mlir" in "">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false,
    emissionKind = Full>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file,
    subprogramFlags = "Definition">
#variable = #llvm.di_local_variable<scope = #program, name = "a", file = #file>
func.func @dbg(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  llvm.intr.dbg.declare #variable = %p : !llvm.ptr
  llvm.intr.dbg.value #variable = %p : !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.masked.load, llvm.intr.masked.store
func.func @masked_load(%x: f32, %mask: vector<4xi1>, %y: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %w = llvm.intr.masked.load %p, %mask, %y {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>)
      -> vector<4xf32>
  llvm.intr.masked.store %w, %p, %mask {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.masked.gather, llvm.intr.masked.scatter
func.func @masked_gather(%x: f32, %mask: vector<4xi1>, %y: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %at = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi64>) : vector<4xi64>
  %q = llvm.getelementptr %p[%at] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
  %w = llvm.intr.masked.gather %q, %mask, %y {alignment = 4 : i32}
      : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.scatter %w, %q, %mask {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.masked.expandload, llvm.intr.masked.compressstore
func.func @masked_expandload(%x: f32, %mask: vector<4xi1>, %y: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %w = "llvm.intr.masked.expandload"(%p, %mask, %y) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.masked.compressstore"(%w, %p, %mask) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.matrix.column.major.load, llvm.intr.matrix.column.major.store
func.func @matrix(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %stride = llvm.mlir.constant(2 : i64) : i64
  %w = llvm.intr.matrix.column.major.load %p, <stride = %stride> {isVolatile = 0 : i1, rows = 2
      : i32, columns = 2 : i32} : vector<4xf32> from !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %w, %p, <stride = %stride> {isVolatile = 0 : i1, rows = 2
      : i32, columns = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.vp.load, llvm.intr.vp.store
func.func @vp_load(%x: f32, %mask: vector<4xi1>, %length: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %w = "llvm.intr.vp.load"(%p, %mask, %length) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xf32>
  "llvm.intr.vp.store"(%w, %p, %mask, %length) : (vector<4xf32>, !llvm.ptr, vector<4xi1>, i32) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.experimental.vp.strided.load, llvm.intr.experimental.vp.strided.store
// compile: no
func.func @vp_strided_load(%x: f32, %mask: vector<4xi1>, %length: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %stride = llvm.mlir.constant(4 : i32) : i32
  %w = "llvm.intr.experimental.vp.strided.load"(%p, %stride, %mask, %length)
      : (!llvm.ptr, i32, vector<4xi1>, i32) -> vector<4xf32>
  "llvm.intr.experimental.vp.strided.store"(%w, %p, %stride, %mask, %length)
      : (vector<4xf32>, !llvm.ptr, i32, vector<4xi1>, i32) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.vp.select, llvm.intr.vp.merge
func.func @vp_select(%x: f32, %mask: vector<4xi1>, %length: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %at = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.undef : vector<4x!llvm.ptr>
  %t = llvm.insertelement %p, %u[%at : i32] : vector<4x!llvm.ptr>
  %w = "llvm.intr.vp.select"(%mask, %t, %u, %length)
      : (vector<4xi1>, vector<4x!llvm.ptr>, vector<4x!llvm.ptr>, i32) -> vector<4x!llvm.ptr>
  %z = "llvm.intr.vp.merge"(%mask, %w, %u, %length)
      : (vector<4xi1>, vector<4x!llvm.ptr>, vector<4x!llvm.ptr>, i32) -> vector<4x!llvm.ptr>
  %q = llvm.extractelement %z[%at : i32] : vector<4x!llvm.ptr>
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.vp.ptrtoint, llvm.intr.vp.inttoptr
func.func @vp_ptrtoint(%x: f32, %mask: vector<4xi1>, %length: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %at = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.undef : vector<4x!llvm.ptr>
  %t = llvm.insertelement %p, %u[%at : i32] : vector<4x!llvm.ptr>
  %w = "llvm.intr.vp.ptrtoint"(%t, %mask, %length) : (vector<4x!llvm.ptr>, vector<4xi1>, i32) -> vector<4xi64>
  %z = "llvm.intr.vp.inttoptr"(%w, %mask, %length) : (vector<4xi64>, vector<4xi1>, i32) -> vector<4x!llvm.ptr>
  %q = llvm.extractelement %z[%at : i32] : vector<4x!llvm.ptr>
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
// -----
// llvm.intr.vastart, llvm.intr.vacopy, llvm.intr.vaend, llvm.va_arg
llvm.func @va(%x: f32, ...) -> f32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %list = llvm.alloca %one x !llvm.struct<"va_list", (i32, i32, ptr, ptr)> : (i64) -> !llvm.ptr
  %copy = llvm.alloca %one x !llvm.struct<"va_list", (i32, i32, ptr, ptr)> : (i64) -> !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  llvm.intr.vacopy %list to %copy : !llvm.ptr, !llvm.ptr
  %p = llvm.va_arg %copy : (!llvm.ptr) -> !llvm.ptr
  llvm.intr.vaend %copy : !llvm.ptr
  llvm.intr.vaend %list : !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return %v : f32
}
func.func @calls(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.call @va(%x, %p) vararg(!llvm.func<f32 (f32, ...)>) : (f32, !llvm.ptr) -> f32
  return %v : f32
}
// -----
// llvm.intr.coro.id, llvm.intr.coro.begin, llvm.intr.coro.save, llvm.intr.coro.suspend, llvm.intr.coro.free, llvm.intr.coro.end, llvm.mlir.none
llvm.func @coro(%p: !llvm.ptr) -> !llvm.ptr attributes {passthrough = ["presplitcoroutine"]} {
  %align = llvm.mlir.constant(8 : i32) : i32
  %no = llvm.mlir.constant(false) : i1
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.mlir.none : !llvm.token
  %id = llvm.intr.coro.id %align, %null, %null, %null : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %handle = llvm.intr.coro.begin %id, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %saved = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
  %state = llvm.intr.coro.suspend %saved, %no : i8
  %memory = llvm.intr.coro.free %id, %handle : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %ended = llvm.intr.coro.end %handle, %no, %none : (!llvm.ptr, i1, !llvm.token) -> i1
  llvm.return %handle : !llvm.ptr
}
func.func @calls(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %handle = llvm.call @coro(%p) : (!llvm.ptr) -> !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// llvm.intr.coro.resume, llvm.intr.coro.promise
// compile: no
func.func @coro_resume(%x: f32, %handle: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %align = llvm.mlir.constant(8 : i32) : i32
  %no = llvm.mlir.constant(false) : i1
  llvm.intr.coro.resume %handle : !llvm.ptr
  %promise = llvm.intr.coro.promise %handle, %align, %no : (!llvm.ptr, i32, i1) -> !llvm.ptr
  llvm.store %p, %promise : !llvm.ptr, !llvm.ptr
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}
