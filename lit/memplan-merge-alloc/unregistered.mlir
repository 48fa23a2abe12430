// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-merge-alloc)' \
// RUN:   | FileCheck %s

// Operations that are not registered may end blocks.

// 1. They branch: a buffer that is needed after the branch keeps its bytes.
// CHECK-LABEL: func.func @branch
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<96xi8>
// CHECK: "foo.br"()[^bb1]
// CHECK: memref.dealloc
// CHECK-NEXT: return
func.func @branch(%out: memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  memref.copy %out, %a : memref<4xi64> to memref<4xi64>
  "foo.br"()[^next] : () -> ()
^next:
  memref.copy %out, %b : memref<4xi64> to memref<4xi64>
  memref.copy %b, %out : memref<4xi64> to memref<4xi64>
  memref.copy %a, %out : memref<4xi64> to memref<4xi64>
  return
}

// 2. They leave the function: the arena is freed before them.
// CHECK-LABEL: func.func @leave
// CHECK: memref.dealloc
// CHECK-NEXT: "foo.return"
func.func @leave(%out: memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  memref.copy %out, %a : memref<4xi64> to memref<4xi64>
  memref.copy %a, %out : memref<4xi64> to memref<4xi64>
  "foo.return"() : () -> ()
}

// 3. Memrefs that unknown operations receive or capture are left alone.
// CHECK-LABEL: func.func @captured
// CHECK-NOT: memplan.arena
func.func @captured(%out: memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  "foo.br"(%a)[^next] ({
    memref.copy %out, %b : memref<4xi64> to memref<4xi64>
    "foo.end"() : () -> ()
  }) : (memref<4xi64>) -> ()
^next:
  memref.copy %b, %out : memref<4xi64> to memref<4xi64>
  return
}
