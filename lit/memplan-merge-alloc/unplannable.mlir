// Allocations whose size, layout, elements or allocator cannot be planned stay as they are.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' \
// RUN:   --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// 1. Dynamic sizes.
func.func private @use(memref<?xf32>)
func.func @dynamic(%n: index) {
  // expected-remark @+1 {{not merged: its size is known only at run time, and it has no slot to share with a buffer that is always allocated [none-to-share-with]}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// 2. Layouts other than rows one after another.
func.func private @use(memref<4x4xf32, strided<[8, 1]>>)
func.func private @other(memref<4x4xf32, affine_map<(i, j) -> (j, i)>>)
func.func @layout() {
  // expected-remark @+1 {{not merged: its layout is not contiguous [layout]}}
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  call @use(%a) : (memref<4x4xf32, strided<[8, 1]>>) -> ()
  // expected-remark @+1 {{not merged: its layout is not contiguous [layout]}}
  %b = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  call @other(%b) : (memref<4x4xf32, affine_map<(i, j) -> (j, i)>>) -> ()
  return
}

// -----

// 3. Elements whose size is not known.
func.func private @use(memref<4x!test.memref_element>)
func.func @element_type() {
  // expected-remark @+1 {{not merged: the size of its element type is not known [element-type]}}
  %a = memref.alloc() : memref<4x!test.memref_element>
  call @use(%a) : (memref<4x!test.memref_element>) -> ()
  return
}

// -----

// 4. More bytes than any machine has.
func.func private @use(memref<4611686018427387904xf32>)
func.func @too_large() {
  // expected-remark @+1 {{not merged: it is larger than 2^60 bytes [too-large]}}
  %a = memref.alloc() : memref<4611686018427387904xf32>
  call @use(%a) : (memref<4611686018427387904xf32>) -> ()
  return
}

// -----

// 5. Marked to be freed by hand.
func.func private @use(memref<64xf32>)
func.func @manual() {
  // expected-remark @+1 {{not merged: it is marked bufferization.manual_deallocation [manual-deallocation]}}
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a {bufferization.manual_deallocation} : memref<64xf32>
  return
}

// -----

// 6. From another allocator.
func.func private @use(memref<64xf32>)
func.func @other_allocator() {
  // expected-remark @+1 {{not merged: it is not allocated by memref.alloc [other-allocator]}}
  %a = gpu.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  gpu.dealloc %a : memref<64xf32>
  return
}
