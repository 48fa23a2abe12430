// A use of a view is a use of the buffer.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A use of a part of a buffer is a use of the buffer.
func.func private @use(memref<64xf32>)
func.func private @part(memref<8xf32, strided<[1], offset: 16>>)
func.func @subview() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes [memplan-R101]}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.subview %a[16][8][1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 16>>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes [memplan-R101]}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @part(%v) : (memref<8xf32, strided<[1], offset: 16>>) -> ()
  return
}

// -----

// 2. A use through a cast is a use, also to a type without sizes or rank.
func.func private @use(memref<64xf32>)
func.func private @any(memref<*xf32>)
func.func @cast() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.cast %a : memref<64xf32> to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to memref<*xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @any(%w) : (memref<*xf32>) -> ()
  return
}

// -----

// 3. Through other sizes and strides.
func.func private @use(memref<64xf32>)
func.func private @rows(memref<8x8xf32>)
func.func @reinterpret_cast() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32> to memref<8x8xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @rows(%v) : (memref<8x8xf32>) -> ()
  return
}

// -----

// 4. Through another shape.
func.func private @use(memref<64xf32>)
func.func @reshape() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %w = memref.collapse_shape %v [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @use(%w) : (memref<64xf32>) -> ()
  return
}

// -----

// 5. memref.reshape reads its shape operand.
func.func private @use(memref<64xf32>)
func.func private @shape(memref<2xindex>)
func.func private @any(memref<*xf32>)
func.func private @rows(memref<?x?xf32>)
func.func @dynamic_reshape() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 16 bytes at offset 256 of an arena of 512 bytes}}
  %s = memref.alloc() : memref<2xindex>
  call @shape(%s) : (memref<2xindex>) -> ()
  call @use(%a) : (memref<64xf32>) -> ()
  %v = memref.reshape %a(%s) : (memref<64xf32>, memref<2xindex>) -> memref<?x?xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @rows(%v) : (memref<?x?xf32>) -> ()
  return
}

// -----

// 6. Bytes seen as something else.
func.func private @use(memref<256xi8>)
func.func private @floats(memref<64xf32>)
func.func @view() {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<256xi8>
  %v = memref.view %a[%c0][] : memref<256xi8> to memref<64xf32>
  call @use(%a) : (memref<256xi8>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<256xi8>
  call @use(%b) : (memref<256xi8>) -> ()
  call @floats(%v) : (memref<64xf32>) -> ()
  return
}

// -----

// 7. The base that extract_strided_metadata returns is the same memory.
func.func private @use(memref<8x8xf32>)
func.func private @scalar(memref<f32>)
func.func @metadata() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<8x8xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<8x8xf32> -> memref<f32>, index, index, index, index, index
  call @use(%a) : (memref<8x8xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<8x8xf32>
  call @use(%b) : (memref<8x8xf32>) -> ()
  call @scalar(%base) : (memref<f32>) -> ()
  return
}

// -----

// 8. A transposed view.
func.func private @use(memref<8x8xf32>)
func.func private @turned(memref<8x8xf32, strided<[1, 8]>>)
func.func @transpose() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<8x8xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  call @use(%a) : (memref<8x8xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<8x8xf32>
  call @use(%b) : (memref<8x8xf32>) -> ()
  call @turned(%t) : (memref<8x8xf32, strided<[1, 8]>>) -> ()
  return
}

// -----

// 9. The same bytes in another memory space are the same bytes.
func.func private @use(memref<64xf32>)
func.func private @far(memref<64xf32, 1>)
func.func @space_cast() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %t = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, 1>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @far(%t) : (memref<64xf32, 1>) -> ()
  return
}
