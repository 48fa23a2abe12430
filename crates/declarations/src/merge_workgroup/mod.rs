//! `memplan-merge-workgroup`.

pub mod codes;

use crate::verify;
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-merge-workgroup",
    summary: "Let buffers in workgroup memory share bytes between barriers",
    description: "\
Buffers in the memory that the threads of a workgroup share are merged into one block of bytes for each kernel. Two buffers \
share bytes if a barrier separates their accesses on all paths, for all threads, and neither is overwritten while its contents \
are needed. Buffers are workgroup attributions of `gpu.func`, and `memref.alloc` and `memref.alloca` in \
`#gpu.address_space<workgroup>` or memory space 3 in `gpu.func`, `gpu.launch`, and `scf.forall` that is mapped to threads.

A barrier is `gpu.barrier`, or one of `nvvm`, `rocdl` or `amdgpu` for all threads and their accesses, in uniform control: on paths that all threads take, or none. Conditions and bounds of loops are \
uniform if they are computed from constants, arguments of the kernel, and ids and sizes of blocks and grids. Barriers elsewhere \
are not counted on (`memplan-W851`), and neither are barriers of subgroups, `nvgpu.mbarrier` and atomic operations. \
If the pass runs on a module, functions that threads call are read: their accesses, and whether each path has a barrier. \
Not all threads may execute the body of an inner `scf.forall` that is mapped to threads. \
Asynchronous copies of `nvgpu` access their memory until `nvgpu.device_async_wait` has covered their group and a barrier \
follows.

Contents of a buffer end where all threads together overwrite it. That is found for stores in loops and branches if the \
size of the workgroup is known (`known_block_size`, constant sizes of `gpu.launch`). They also end where an allocation in \
a loop is executed again.

The bytes become an attribution of `gpu.func` with `llvm.align`, or an allocation at the start of the body of other kernels. \
`gpu.launch` cannot state the alignment of attributions. So each of its own shares all of a larger one with the same elements, \
or none, and stays an attribution; with `launch-attributions=true`, they become an allocation of bytes, too. After \
`gpu-kernel-outlining`, the pass makes attributions of such an allocation, which upstream's lowering needs, and plans \
attributions that share all of another one anew. \
With `insert-barriers=true`, barriers are added where they lower the bytes, in uniform control only.",
    example: Example {
        before: codes::KERNEL,
        after: "\
gpu.module @kernels {
  gpu.func @f(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%bytes: memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %first = arith.constant 0 : index
    %a = memref.view %bytes[%first][] {memplan.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.view %bytes[%first][] {memplan.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
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
}",
    },
    options: &[
        OptionDeclaration {
            name: "insert-barriers",
            description: "Add barriers where they lower the bytes",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "max-barriers",
            description: "Most barriers that are added to a kernel",
            kind: OptionKind::Integer {
                default: 8,
                min: 0,
                max: 1 << 10,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a buffer, in bytes",
            kind: OptionKind::Bytes {
                default: 16,
                min: 1,
                max: 1 << 30,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "launch-attributions",
            description: "Merge attributions of gpu.launch into an allocation; run the pass again after gpu-kernel-outlining",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "verify",
            description: "Check the result with memplan-verify",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "report",
            description: "Write the plan as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark for each kernel, for each buffer that is merged or left alone, and for each barrier \
                          that is added",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "merged",
            description: "Buffers that were merged",
        },
        StatisticDeclaration {
            name: "bytes",
            description: "Fewer bytes of workgroup memory",
        },
        StatisticDeclaration {
            name: "barriers",
            description: "Barriers that were added",
        },
    ],
    codes: &[codes::ALL, verify::codes::ALL],
    dialects: &["arith", "gpu", "memref"],
    module_only: false,
};
