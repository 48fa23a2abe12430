// Bounds that do not fit the arguments.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc)'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=d0})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=d0<=8,d0<=9})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// RUN: echo 'func.func @f(%%x: memref<?xf32>) { return }' > %t.mlir
// RUN: not %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=d1<=8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-DIMENSION
// RUN: not %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=g:d0<=8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-DIMENSION
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=f:1<=d0<=8})' \
// RUN:   | FileCheck %s --check-prefix=SET
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=f:d0<=8,1<=d0<=9})' \
// RUN:   | FileCheck %s --check-prefix=SET
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=d0<=8 analyse-only})' \
// RUN:   | FileCheck %s --check-prefix=UNSET

// ENTRY: option 'bounds' takes [FUNCTION:][LEAST<=]dN<=MOST with numbers up to 1099511627776, {{.*}}, not 'd0'
// TWICE: option 'bounds' has 'd0<=8' and 'd0<=9'
// NO-DIMENSION: error: no function has the dimension of `bounds={{.*}}<=8`: d0, d1, {{.*}} [memplan-E114]
// UNSET: func @f(%{{.*}}: memref<?xf32>)
// SET: func @f(%{{.*}}: memref<?xf32> {memplan.bounds = {{\[\[}}1, 8]]})

// 1. Not a list of pairs.
// expected-error @+1 {{`memplan.bounds` of argument 0 is not a list of pairs `[least, most]` [memplan-E114]}}
func.func @number(%x: memref<?xf32> {memplan.bounds = 8}) {
  return
}

// -----

// 2. Three numbers.
// expected-error @+1 {{`memplan.bounds` of argument 0 is not a list of pairs `[least, most]` [memplan-E114]}}
func.func @three(%x: memref<?xf32> {memplan.bounds = [[1, 2, 3]]}) {
  return
}

// -----

// 3. A pair for a static dimension.
// expected-error @+1 {{`memplan.bounds` of argument 1 has 2 pairs, but the argument has 1 dynamic dimensions [memplan-E114]}}
func.func @static(%n: index, %x: memref<?x4xf32> {memplan.bounds = [[1, 2], [4, 4]]}) {
  return
}

// -----

// 4. No number is within the bounds; a negative one.
// expected-error @+1 {{`memplan.bounds` of argument 0 has the pair [8, 1]: it has to be 0 <= least <= most [memplan-E114]}}
func.func @empty(%x: memref<?xf32> {memplan.bounds = [[8, 1]]}) {
  return
}

// -----

// expected-error @+1 {{`memplan.bounds` of argument 0 has the pair [-1, 1]: it has to be 0 <= least <= most [memplan-E114]}}
func.func @negative(%n: index {memplan.bounds = [[-1, 1]]}) {
  return
}

// -----

// 5. An argument that has no size.
// expected-error @+1 {{`memplan.bounds` is on argument 0, which is neither a memref nor a number [memplan-E114]}}
func.func @float(%x: f32 {memplan.bounds = [[0, 1]]}) {
  return
}

// -----

// 6. Numbers that the type does not have, and those that no memory has; without a bound.
// expected-error @+1 {{`memplan.bounds` of argument 0 has 4294967295, but the largest bound of its type is 2147483647 [memplan-E114]}}
func.func @of_i32(%n: i32 {memplan.bounds = [[0, 4294967295]]}) {
  return
}

// -----

// expected-error @+1 {{`memplan.bounds` of argument 0 has 1099511627777, but the largest bound of its type is 1099511627776 [memplan-E114]}}
func.func @huge(%x: memref<?xf32> {memplan.bounds = [[0, 1099511627777]]}) {
  return
}

// -----

func.func @unbounded(%x: memref<?xf32> {memplan.bounds = [[0, 9223372036854775807]]}) {
  return
}
