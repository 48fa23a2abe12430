// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify alignment=1})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Sizes are those of the LLVM lowering: types of less than a byte take whole ones, others what they are aligned to.
func.func private @use(memref<7xi1>)
func.func @i1() {
  // expected-remark @+1 {{merged: 7 bytes at offset 0 of an arena of 7 bytes}}
  %a = memref.alloc() : memref<7xi1>
  call @use(%a) : (memref<7xi1>) -> ()
  return
}

// -----

func.func private @use(memref<7xi4>)
func.func @i4() {
  // expected-remark @+1 {{merged: 7 bytes at offset 0 of an arena of 7 bytes}}
  %a = memref.alloc() : memref<7xi4>
  call @use(%a) : (memref<7xi4>) -> ()
  return
}

// -----

func.func private @use(memref<7xi8>)
func.func @i8() {
  // expected-remark @+1 {{merged: 7 bytes at offset 0 of an arena of 7 bytes}}
  %a = memref.alloc() : memref<7xi8>
  call @use(%a) : (memref<7xi8>) -> ()
  return
}

// -----

func.func private @use(memref<7xi24>)
func.func @i24() {
  // expected-remark @+1 {{merged: 28 bytes at offset 0 of an arena of 28 bytes}}
  %a = memref.alloc() : memref<7xi24>
  call @use(%a) : (memref<7xi24>) -> ()
  return
}

// -----

func.func private @use(memref<7xi65>)
func.func @i65() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xi65>
  call @use(%a) : (memref<7xi65>) -> ()
  return
}

// -----

func.func private @use(memref<7xf16>)
func.func @f16() {
  // expected-remark @+1 {{merged: 14 bytes at offset 0 of an arena of 14 bytes}}
  %a = memref.alloc() : memref<7xf16>
  call @use(%a) : (memref<7xf16>) -> ()
  return
}

// -----

func.func private @use(memref<7xbf16>)
func.func @bf16() {
  // expected-remark @+1 {{merged: 14 bytes at offset 0 of an arena of 14 bytes}}
  %a = memref.alloc() : memref<7xbf16>
  call @use(%a) : (memref<7xbf16>) -> ()
  return
}

// -----

func.func private @use(memref<7xf80>)
func.func @f80() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xf80>
  call @use(%a) : (memref<7xf80>) -> ()
  return
}

// -----

func.func private @use(memref<7xf128>)
func.func @f128() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xf128>
  call @use(%a) : (memref<7xf128>) -> ()
  return
}

// -----

func.func private @use(memref<7xf8E4M3FN>)
func.func @f8E4M3FN() {
  // expected-remark @+1 {{merged: 7 bytes at offset 0 of an arena of 7 bytes}}
  %a = memref.alloc() : memref<7xf8E4M3FN>
  call @use(%a) : (memref<7xf8E4M3FN>) -> ()
  return
}

// -----

func.func private @use(memref<7xindex>)
func.func @index() {
  // expected-remark @+1 {{merged: 56 bytes at offset 0 of an arena of 56 bytes}}
  %a = memref.alloc() : memref<7xindex>
  call @use(%a) : (memref<7xindex>) -> ()
  return
}

// -----

func.func private @use(memref<7xcomplex<f32>>)
func.func @complex() {
  // expected-remark @+1 {{merged: 56 bytes at offset 0 of an arena of 56 bytes}}
  %a = memref.alloc() : memref<7xcomplex<f32>>
  call @use(%a) : (memref<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func private @use(memref<7xcomplex<f64>>)
func.func @complex_f64() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xcomplex<f64>>
  call @use(%a) : (memref<7xcomplex<f64>>) -> ()
  return
}

// -----

func.func private @use(memref<7xvector<3xf32>>)
func.func @vector_3xf32() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xvector<3xf32>>
  call @use(%a) : (memref<7xvector<3xf32>>) -> ()
  return
}

// -----

func.func private @use(memref<7xvector<5xi1>>)
func.func @vector_5xi1() {
  // expected-remark @+1 {{merged: 56 bytes at offset 0 of an arena of 56 bytes}}
  %a = memref.alloc() : memref<7xvector<5xi1>>
  call @use(%a) : (memref<7xvector<5xi1>>) -> ()
  return
}

// -----

func.func private @use(memref<7xvector<4xf32>>)
func.func @vector_4xf32() {
  // expected-remark @+1 {{merged: 112 bytes at offset 0 of an arena of 112 bytes}}
  %a = memref.alloc() : memref<7xvector<4xf32>>
  call @use(%a) : (memref<7xvector<4xf32>>) -> ()
  return
}

// -----

// 2. No dimensions: one element.
func.func private @use(memref<f32>)
func.func @scalar() {
  // expected-remark @+1 {{merged: 4 bytes at offset 0 of an arena of 4 bytes}}
  %a = memref.alloc() : memref<f32>
  call @use(%a) : (memref<f32>) -> ()
  return
}

// -----

// 3. An index is as wide as the data layout says.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func private @use(memref<7xindex>)
  func.func @narrow_index() {
    // expected-remark @+1 {{merged: 28 bytes at offset 0 of an arena of 28 bytes}}
    %a = memref.alloc() : memref<7xindex>
    func.call @use(%a) : (memref<7xindex>) -> ()
    return
  }
}

// -----

// 4. Each at the next offset that the alignment of its type allows.
func.func private @use(memref<3xi8>, memref<1xf64>, memref<3xi16>, memref<1xvector<4xf32>>)
func.func @packed() {
  // expected-remark @+1 {{merged: 3 bytes at offset 30 of an arena of 33 bytes}}
  %a = memref.alloc() : memref<3xi8>
  // expected-remark @+1 {{merged: 8 bytes at offset 16 of an arena of 33 bytes}}
  %b = memref.alloc() : memref<1xf64>
  // expected-remark @+1 {{merged: 6 bytes at offset 24 of an arena of 33 bytes}}
  %c = memref.alloc() : memref<3xi16>
  // expected-remark @+1 {{merged: 16 bytes at offset 0 of an arena of 33 bytes}}
  %d = memref.alloc() : memref<1xvector<4xf32>>
  call @use(%a, %b, %c, %d) : (memref<3xi8>, memref<1xf64>, memref<3xi16>, memref<1xvector<4xf32>>) -> ()
  return
}
