// Linkages, constructors, addresses in data, groups: what all of these come to, main.c prints.
llvm.comdat @groups {
  llvm.comdat_selector @gc any
  llvm.comdat_selector @fc any
}
llvm.mlir.global external @gc(1 : i32) comdat(@groups::@gc) : i32
llvm.func linkonce_odr @fc() -> i32 comdat(@groups::@fc) {
  %p = llvm.mlir.addressof @gc : !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> i32
  llvm.return %0 : i32
}
llvm.mlir.global internal @gi(5 : i32) : i32
llvm.mlir.global private constant @gp("hello\00")
llvm.mlir.global linkonce_odr @go(7 : i32) : i32
llvm.mlir.global weak @gw(8 : i32) : i32
llvm.mlir.global external thread_local @gt(9 : i32) : i32
llvm.mlir.global external @addr() : !llvm.ptr {
  %0 = llvm.mlir.addressof @gi : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global external @table() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.addressof @fi : !llvm.ptr
  %1 = llvm.mlir.addressof @fo : !llvm.ptr
  %u = llvm.mlir.undef : !llvm.array<2 x ptr>
  %2 = llvm.insertvalue %0, %u[0] : !llvm.array<2 x ptr>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.array<2 x ptr>
  llvm.return %3 : !llvm.array<2 x ptr>
}
llvm.func internal @fi() -> i32 {
  %0 = llvm.mlir.addressof @gi : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.return %1 : i32
}
llvm.func linkonce_odr @fo() -> i32 {
  %0 = llvm.mlir.addressof @go : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.return %1 : i32
}
llvm.func weak @fw() -> i32 {
  %0 = llvm.mlir.addressof @gw : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.return %1 : i32
}
llvm.func available_externally @fa() -> i32 {
  %0 = llvm.mlir.constant(3 : i32) : i32
  llvm.return %0 : i32
}
llvm.func extern_weak @maybe() -> i32
llvm.func @ctor() {
  %0 = llvm.mlir.addressof @gi : !llvm.ptr
  %1 = llvm.mlir.constant(50 : i32) : i32
  llvm.store %1, %0 : i32, !llvm.ptr
  llvm.return
}
llvm.mlir.global_ctors ctors = [@ctor], priorities = [100 : i32], data = [#llvm.zero]
llvm.func @all() -> i32 {
  %a = llvm.call @fi() : () -> i32
  %b = llvm.call @fo() : () -> i32
  %c = llvm.call @fw() : () -> i32
  %t = llvm.mlir.addressof @gt : !llvm.ptr
  %p = "llvm.intr.threadlocal.address"(%t) : (!llvm.ptr) -> !llvm.ptr
  %d = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.add %a, %b : i32
  %2 = llvm.add %1, %c : i32
  %3 = llvm.add %2, %d : i32
  %e = llvm.call @fc() : () -> i32
  %4 = llvm.add %3, %e : i32
  llvm.return %4 : i32
}
llvm.mlir.alias external @gialias : i32 {
  %0 = llvm.mlir.addressof @gi : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// Data in another order than that of names, and what the linker must keep.
llvm.mlir.global external @z_first() : !llvm.ptr {
  %0 = llvm.mlir.addressof @b_second : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global internal @b_second() : !llvm.ptr {
  %0 = llvm.mlir.addressof @z_first : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
  %0 = llvm.mlir.addressof @fi : !llvm.ptr
  %u = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.insertvalue %0, %u[0] : !llvm.array<1 x ptr>
  llvm.return %1 : !llvm.array<1 x ptr>
}
