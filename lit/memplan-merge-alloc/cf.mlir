// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. The block that runs last comes first in the text after the entry: order of the text is not order of execution.
func.func private @use(memref<64xf32>)
func.func @text_order() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^first
^last:
  call @use(%a) : (memref<64xf32>) -> ()
  return
^first:
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^last
}

// -----

// 2. A diamond: the sides exclude each other.
func.func private @use(memref<64xf32>)
func.func @diamond(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  cf.cond_br %c, ^left, ^right
^left:
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^end
^right:
  call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^end
^end:
  return
}

// -----

// 3. A diamond whose end uses what came from a side.
func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func @merged(%c: i1) {
  cf.cond_br %c, ^left, ^right
^left:
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^end(%a : memref<64xf32>)
^right:
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %d = memref.alloc() : memref<64xf32>
  call @use2(%m, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 4. A loop of blocks: live around the back edge.
func.func private @use(memref<64xf32>)
func.func private @go() -> i1
func.func @loop() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^head
^head:
  call @use(%a) : (memref<64xf32>) -> ()
  %c = call @go() : () -> i1
  cf.cond_br %c, ^body, ^end
^body:
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^head
^end:
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 5. A loop of blocks that carries what it makes, and reads it after the next is made: slots.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @go() -> i1
// CHECK-LABEL: func @carried
// CHECK:         memplan.slots = array<i64: 0, 256>
func.func @carried(%x: memref<64xf32>) {
  cf.br ^body(%x : memref<64xf32>)
^body(%m: memref<64xf32>):
  // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
  %a = memref.alloc() : memref<64xf32>
  call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
  %c = call @go() : () -> i1
  cf.cond_br %c, ^body(%a : memref<64xf32>), ^end
^end:
  return
}

// -----

// 6. A loop with two entries.
func.func private @use(memref<64xf32>)
func.func private @go() -> i1
func.func @irreducible(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %t = memref.alloc() : memref<64xf32>
  cf.cond_br %c, ^one, ^two
^one:
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^two
^two:
  call @use(%b) : (memref<64xf32>) -> ()
  %d = call @go() : () -> i1
  cf.cond_br %d, ^one, ^end
^end:
  call @use(%t) : (memref<64xf32>) -> ()
  return
}

// -----

// 7. Several returns: the arena is freed at each.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @returns
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         cf.cond_br
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NEXT:    return
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NEXT:    return
func.func @returns(%c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
^two:
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 8. Blocks that nothing reaches, some in a circle of their own.
func.func private @use(memref<64xf32>)
func.func @unreachable() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
^nowhere(%m: memref<64xf32>):
  // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @use(%m) : (memref<64xf32>) -> ()
  cf.br ^nowhere(%b : memref<64xf32>)
^dead:
  call @use(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 9. A switch of blocks. What one of them alone needs has an arena in that block.
func.func private @use(memref<64xf32>)
func.func @switch(%n: i32) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  cf.switch %n : i32, [
    default: ^end,
    42: ^one,
    43: ^two(%a : memref<64xf32>)
  ]
^one:
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^end
^two(%m: memref<64xf32>):
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  call @use(%m) : (memref<64xf32>) -> ()
  cf.br ^end
^end:
  return
}

// -----

// 10. An entry block that cannot be branched to, and an endless loop: no exit, so no place to free.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @endless
// CHECK-NOT:     memref.dealloc
// CHECK:         cf.br
func.func @endless() {
  cf.br ^loop
^loop:
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^loop
}

// -----

// 11. Two loops that carry what they make in each other's arguments.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @go() -> i1
func.func @crossing(%x: memref<64xf32>) {
  cf.br ^one(%x : memref<64xf32>)
^one(%m: memref<64xf32>):
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
  %c = call @go() : () -> i1
  cf.cond_br %c, ^two(%a : memref<64xf32>), ^end(%m : memref<64xf32>)
^two(%n: memref<64xf32>):
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use2(%n, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  %d = call @go() : () -> i1
  cf.cond_br %d, ^one(%b : memref<64xf32>), ^end(%n : memref<64xf32>)
^end(%e: memref<64xf32>):
  call @use2(%e, %e) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}
