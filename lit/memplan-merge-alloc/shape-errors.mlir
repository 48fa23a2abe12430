// Values of dimensions that are not one shape.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{shape=d0})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{shape=d0=-4})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{shape=d0=4,d0=5})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{shape=d2=4})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-DIMENSION
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{bounds=d1<=4 \
// RUN:   shape=hidden:d0=4,d1=5})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{shape=d0=4,free:d0=5})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: %memplan-opt %s --verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{shape=d0=9,d1=4})'

// ENTRY: option 'shape' takes [FUNCTION:]dN=VALUE with numbers up to 1099511627776, such as d0=128 or forward:d1=7, not 'd0'
// NEGATIVE: option 'shape' takes {{.*}}, not 'd0=-4'
// TWICE: option 'shape' has 'd0=4' and 'd0=5'
// NO-DIMENSION: error: no function has the dimension of `shape=d2=4`: d0, d1, {{.*}} [memplan-E114]
// OPTION: error: `shape=d1=5` contradicts the bounds of d1: it is 0 to 4 [memplan-E114]
// BOTH: error: `shape=free:d0=5` contradicts the bounds of d0: it is 4 [memplan-E114]

// 1. A value that is not within the bounds of the program.
// expected-error @+1 {{`shape=d0=9` contradicts the bounds of d0: it is 1 to 8 [memplan-E114]}}
func.func @bounded(%x: memref<?x?xf32> {memplan.bounds = [[1, 8], [0, 4]]}) {
  return
}

// expected-error @+1 {{`shape=d0=9` contradicts the bounds of d0: it is at least 10 [memplan-E114]}}
func.func @large(%x: memref<?xf32> {memplan.bounds = [[10, 9223372036854775807]]}) {
  return
}

// 2. Without bounds, any value will do. A private function has to be named.
func.func @free(%x: memref<?x?xf32>) {
  return
}

func.func private @hidden(%x: memref<?xf32>) {
  return
}
