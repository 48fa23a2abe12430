//! Diagnostics of the pass.

use crate::codes::skip_reasons;
use memplan_interface::codes;

/// A kernel with two buffers that never hold contents at once.
pub const KERNEL: &str = "\
gpu.module @kernels {
  gpu.func @f(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #gpu.address_space<workgroup>>, %b: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %0 = memref.load %x[%t] : memref<64xf32>
    memref.store %0, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %1 = memref.load %a[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %1, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %2 = memref.load %b[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %2, %y[%t] : memref<64xf32>
    gpu.return
  }
}";

/// The same without the barrier between the two.
const WITHOUT_BARRIER: &str = "\
gpu.module @kernels {
  gpu.func @f(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #gpu.address_space<workgroup>>, %b: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %0 = memref.load %x[%t] : memref<64xf32>
    memref.store %0, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %1 = memref.load %a[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %1, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %2 = memref.load %b[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %2, %y[%t] : memref<64xf32>
    gpu.return
  }
}";

codes! {
    MERGED = "memplan-R851" {
        summary: "A buffer in workgroup memory was merged",
        meaning: "With `remarks=true`, at the kernel for an attribution, or at an allocation: its size, and its offset in \
                  the bytes that the kernel has now.",
        advice: "Nothing.",
        example: "memplan-merge-workgroup{remarks=true}" => KERNEL,
    }
    LEFT = "memplan-R852" {
        summary: "A buffer in workgroup memory was left alone",
        meaning: "With `remarks=true`. The message gives the reason, with an id.",
        advice: "The message says what to change.",
        reasons: skip_reasons,
    }
    BARRIER = "memplan-R853" {
        summary: "A barrier was added",
        meaning: "With `remarks=true` and `insert-barriers=true`, at the operation that it is before. The message says how many \
                  more bytes the kernel would have without this barrier.",
        advice: "If the time that threads wait matters more than the bytes, lower `max-barriers`.",
        example: "memplan-merge-workgroup{insert-barriers=true remarks=true}" => WITHOUT_BARRIER,
    }
    KERNEL_BYTES = "memplan-R854" {
        summary: "The workgroup memory of a kernel",
        meaning: "With `remarks=true`, at the kernel: the bytes of its buffers after the pass and before it. Then come those \
                  of the largest barrier interval, and a lower bound: no plan with these barriers has fewer.",
        advice: "Where the largest barrier interval has much more than others, a barrier in it may help: \
                 `insert-barriers=true` looks for one.",
        example: "memplan-merge-workgroup{remarks=true}" => KERNEL,
    }
    DIVERGENT_BARRIER = "memplan-W851" {
        summary: "Not all threads may reach a barrier",
        meaning: "The barrier is after a branch on a value that may differ between the threads of a workgroup, such as an id \
                  of a thread or a value from memory. The GPU dialect wants either all threads to reach it, or none. It is \
                  not counted on: buffers share bytes as if it were not there. The same goes for the body of an inner \
                  `scf.forall` that is mapped to threads. Calls in such control, and of functions whose barriers are not on \
                  each path, get it, too.",
        advice: "Move the barrier out of the branch. If the condition is the same in all threads, compute it from \
                 arguments of the kernel and ids of blocks.",
        example: "memplan-merge-workgroup" => "\
gpu.module @kernels {
  gpu.func @f(%x: f32) workgroup(%a: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %c = arith.cmpi ult, %t, %c1 : index
    scf.if %c {
      memref.store %x, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    gpu.return
  }
}",
    }
}
