// Descriptions of machines that cannot be used.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-merge-alloc)'
// RUN: sed 's/slower = "slow"/slower = "slaw"/' %S/Inputs/machine.toml > %t.toml
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{machine=%t.toml})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: memplan-merge-alloc: {{.*}}.toml:10: 'slower' names 'slaw', which is not described; known are fast, slow, dram [memplan-E115]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{machine=%t.none})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}cannot read the machine '{{.*}}.none': {{.*}} [memplan-E115]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{machine=/dev/zero})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: {{.*}}cannot read the machine '/dev/zero': it has more than 1 MiB [memplan-E115]
// RUN: echo 'module {}' > %t.mlir
// RUN: sed 's/memory_space = 1$/memory_space = "f32"/' %S/Inputs/machine.toml > %t.type
// RUN: not %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan{machine=%t.type})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// TYPE: error: {{.*}}.type:4: 'f32' is not a memory space [memplan-E115]
// RUN: not %memplan-opt %t.mlir 2>%t.more \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{machine=%S/Inputs/machine.toml capacity=1:1KiB})'
// RUN: FileCheck %s --check-prefix=MORE < %t.more
// MORE: error: option 'capacity' gives 1024 bytes to memory space 1, which has 512 ({{.*}}machine.toml:4) [memplan-E115]

// 1. A space is not described.
module attributes {memplan.machine = {version = 1, spaces = [{name = "fast", memory_space = 1}]}} {
  func.func @other_space(%x: memref<8xf32>) {
    // expected-error @+1 {{the machine has no memory space 3; described are 1 [memplan-E115]}}
    %a = memref.alloc() : memref<8xf32, 3>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 3>
    memref.copy %a, %x : memref<8xf32, 3> to memref<8xf32>
    return
  }
}

// -----

// 2. Two names for one memory space.
// expected-error @+1 {{`memplan.machine`: spaces[1]: 'b' and 'a' (spaces[0]) are two names for one memory space [memplan-E115]}}
module attributes {memplan.machine = {version = 1, spaces = [{name = "a", memory_space = 1}, {name = "b", memory_space = 1 : i64}]}} {
}

// -----

// 3. It is no dictionary.
// expected-error @+1 {{`memplan.machine`: it is not a dictionary [memplan-E115]}}
module attributes {memplan.machine = 3 : i64} {
}

// -----

// 4. A wrong key.
// expected-error @+1 {{`memplan.machine`: spaces[0].bytes: unknown key 'bytes'; known are name, memory_space, size, alignment, reserved, banks, read, write, slower, copies_beside [memplan-E115]}}
module attributes {memplan.machine = {version = 1, spaces = [{name = "a", memory_space = 1, bytes = 4}]}} {
}

// -----

// 5. Nothing is left where the program needs it, and there is no slower space.
module attributes {memplan.machine = {version = 1, spaces = [{name = "fast", memory_space = 1, size = 16}]}} {
  // expected-error @+2 {{an arena takes 32 bytes of memory space 1, more than its capacity of 16 [memplan-E101]}}
  // expected-note @+1 {{`memplan.machine`, spaces[0]: space 'fast' is described here; it has no slower one, to which buffers could move}}
  func.func @too_large(%x: memref<8xf32>) {
    // expected-note @+1 {{live at the peak: 32 bytes}}
    %a = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
}

// -----

// 6. The spaces are not dictionaries.
// expected-error @+1 {{`memplan.machine`: 'spaces' is not a list of dictionaries [memplan-E115]}}
module attributes {memplan.machine = {version = 1, spaces = [3]}} {
}

// -----

// 7. A number of more than 64 bits, whose lower ones are 300.
// expected-error @+1 {{`memplan.machine`: spaces[0].size: 'size' takes bytes below 2^63, such as 65536 or "64KiB", not 18446744073709551916 : i128 [memplan-E115]}}
module attributes {memplan.machine = {version = 1, spaces = [{name = "a", memory_space = 1, size = 18446744073709551916 : i128}]}} {
}

// -----

// 8. Banks that the size does not divide into.
// expected-error @+1 {{`memplan.machine`: spaces[0].banks: the 100 bytes of space 'a' are no multiple of its 3 banks [memplan-E115]}}
module attributes {memplan.machine = {version = 1, spaces = [{name = "a", memory_space = 1, size = 100, banks = 3}]}} {
}
