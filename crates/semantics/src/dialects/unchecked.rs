//! The table entries that the tests cannot check: neither an interface, nor upstream's lowering, nor an execution
//! would reveal a mistake. Tests check that this list is complete and minimal.

use std::fmt;

/// The property that is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// A result aliases an operand or contains its address.
    View,
    /// An operand is written.
    Write,
    /// An operand is written only in part.
    Part,
    /// The operation is asynchronous.
    Asynchronous,
    /// A result is new memory.
    New,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::View => "memory of results",
            Self::Write => "writes",
            Self::Part => "partial writes",
            Self::Asynchronous => "asynchronous",
            Self::New => "allocation",
        })
    }
}

/// Operations with the same unchecked properties, for one reason.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked {
    /// The properties.
    pub checks: &'static [Check],
    /// The names of the operations, sorted.
    pub names: &'static [&'static str],
    /// The reason.
    pub why: &'static str,
}

/// The list.
pub const UNCHECKED: &[Unchecked] = &[
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &["acc.atomic.read", "acc.atomic.write"],
        why: "no interface describes it, and upstream does not lower it",
    },
    Unchecked {
        checks: &[Check::Asynchronous],
        names: &[
            "acc.attach",
            "acc.cache",
            "acc.copyin",
            "acc.copyout",
            "acc.create",
            "acc.data",
            "acc.declare_device_resident",
            "acc.declare_exit",
            "acc.declare_link",
            "acc.delete",
            "acc.detach",
            "acc.deviceptr",
            "acc.enter_data",
            "acc.exit_data",
            "acc.firstprivate",
            "acc.firstprivate_map",
            "acc.getdeviceptr",
            "acc.host_data",
            "acc.kernel_environment",
            "acc.kernels",
            "acc.nocreate",
            "acc.parallel",
            "acc.present",
            "acc.private",
            "acc.reduction",
            "acc.serial",
            "acc.update",
            "acc.update_device",
            "acc.update_host",
            "acc.use_device",
        ],
        why: "a clause makes it asynchronous, which no interface shows; upstream does not lower it",
    },
    Unchecked {
        checks: &[Check::Part, Check::Asynchronous],
        names: &["acc.declare"],
        why: "a clause makes it asynchronous, which no interface shows; upstream does not lower it",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part, Check::Asynchronous],
        names: &["affine.dma_start", "memref.dma_start"],
        why: "upstream does not lower it; it waits for an element of a memref, not a token",
    },
    Unchecked {
        checks: &[Check::Part, Check::Asynchronous],
        names: &[
            "amdgpu.gather_to_lds",
            "nvgpu.tma.async.load",
            "nvgpu.tma.async.store",
        ],
        why: "its instruction is asynchronous, without a token; only a device executes it",
    },
    Unchecked {
        checks: &[Check::View],
        names: &[
            "amdgpu.make_dma_base",
            "amdgpu.make_dma_descriptor",
            "amdgpu.make_gather_dma_base",
            "amdgpu.make_gather_dma_descriptor",
        ],
        why: "its descriptor holds the address in pieces of 32 bits",
    },
    Unchecked {
        checks: &[Check::Part],
        names: &[
            "amdgpu.raw_buffer_store",
            "arm_sme.intr.st1b.horiz",
            "arm_sme.intr.st1b.vert",
            "arm_sme.intr.st1d.horiz",
            "arm_sme.intr.st1d.vert",
            "arm_sme.intr.st1h.horiz",
            "arm_sme.intr.st1h.vert",
            "arm_sme.intr.st1q.horiz",
            "arm_sme.intr.st1q.vert",
            "arm_sme.intr.st1w.horiz",
            "arm_sme.intr.st1w.vert",
            "arm_sme.intr.str",
            "arm_sme.store_tile_slice",
            "arm_sme.tile_store",
            "gpu.memcpy",
            "gpu.memset",
            "gpu.subgroup_mma_store_matrix",
            "nvgpu.device_async_copy",
            "nvgpu.warpgroup.mma.store",
            "xegpu.store",
            "xegpu.store_matrix",
            "xegpu.store_nd",
        ],
        why: "only a device executes it",
    },
    Unchecked {
        checks: &[Check::Part],
        names: &["amx.tile_store"],
        why: "only a processor with tiles executes it",
    },
    Unchecked {
        checks: &[Check::Part],
        names: &["bufferization.materialize_in_destination"],
        why: "it is about tensors, which are not executed",
    },
    Unchecked {
        checks: &[Check::View],
        names: &[
            "bufferization.to_tensor",
            "scf.forall",
            "sparse_tensor.compress",
            "sparse_tensor.new",
        ],
        why: "it is about tensors, which are not executed",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &[
            "gpu.destroy_dn_tensor",
            "gpu.destroy_sp_mat",
            "gpu.sddmm",
            "gpu.sddmm_buffer_size",
            "gpu.set_csr_pointers",
            "gpu.spgemm_copy",
            "gpu.spgemm_destroy_descr",
            "gpu.spgemm_work_estimation_or_compute",
            "gpu.spmat_get_size",
            "gpu.spmm",
            "gpu.spmm_buffer_size",
            "gpu.spmv",
            "gpu.spmv_buffer_size",
        ],
        why: "a library implements it with an opaque handle",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &["gpu.launch_func"],
        why: "the body of the kernel shows what it writes",
    },
    Unchecked {
        checks: &[Check::View],
        names: &["llvm.atomicrmw", "llvm.load"],
        why: "the address is one that another operation stored",
    },
    Unchecked {
        checks: &[Check::View],
        names: &["llvm.extractvalue", "llvm.insertvalue"],
        why: "structures are not executed on their own",
    },
    Unchecked {
        checks: &[Check::View],
        names: &[
            "llvm.extractelement",
            "llvm.insertelement",
            "llvm.intr.vp.merge",
            "llvm.intr.vp.select",
            "llvm.shufflevector",
        ],
        why: "vectors of pointers are not executed on their own",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &["llvm.intr.masked.scatter"],
        why: "vectors of pointers are not executed on their own",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &[
            "llvm.intr.experimental.vp.strided.store",
            "llvm.intr.matrix.column.major.store",
        ],
        why: "it declares no effects, and `mlir-runner` cannot execute it",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &[
            "llvm.intr.invariant.end",
            "llvm.intr.lifetime.end",
            "llvm.intr.lifetime.start",
        ],
        why: "it is a hint for the optimizer, and accesses no memory",
    },
    Unchecked {
        checks: &[Check::View, Check::Write, Check::Part],
        names: &["llvm.intr.invariant.start"],
        why: "it is a hint for the optimizer, and accesses no memory",
    },
    Unchecked {
        checks: &[Check::View],
        names: &["llvm.intr.ssa.copy", "llvm.intr.threadlocal.address"],
        why: "`mlir-runner` cannot execute it on its own",
    },
    Unchecked {
        checks: &[Check::Part],
        names: &["ml_program.global_store"],
        why: "upstream does not lower it",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &["mpi.allreduce", "mpi.irecv", "mpi.recv"],
        why: "the MPI library implements it",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &[
            "nvgpu.mbarrier.arrive",
            "nvgpu.mbarrier.arrive.expect_tx",
            "nvgpu.mbarrier.arrive.nocomplete",
            "nvgpu.mbarrier.get",
            "nvgpu.mbarrier.init",
            "nvgpu.mbarrier.test.wait",
            "nvgpu.mbarrier.try_wait.parity",
        ],
        why: "no interface describes its effect on the barrier, and only a device executes it",
    },
    Unchecked {
        checks: &[Check::View],
        names: &[
            "nvgpu.tma.create.descriptor",
            "nvgpu.warpgroup.generate.descriptor",
        ],
        why: "its descriptor holds the address in a form of the device",
    },
    Unchecked {
        checks: &[Check::View],
        names: &["omp.map.info"],
        why: "upstream lowers it only as part of a mapping operation",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &[
            "omp.parallel",
            "omp.simd",
            "omp.single",
            "omp.target",
            "omp.target_data",
            "omp.target_enter_data",
            "omp.target_exit_data",
            "omp.target_update",
        ],
        why: "the OpenMP runtime library uses the operands of its clauses",
    },
    Unchecked {
        checks: &[Check::Part, Check::Asynchronous],
        names: &["omp.scan"],
        why: "upstream does not lower it on its own",
    },
    Unchecked {
        checks: &[Check::Part],
        names: &["ptr.masked_store", "ptr.scatter", "ptr.store"],
        why: "pointers of this dialect are not executed on their own",
    },
    Unchecked {
        checks: &[Check::Write, Check::Part],
        names: &["shard.update_halo"],
        why: "upstream lowers it to calls of a library, together with the grid of devices",
    },
    Unchecked {
        checks: &[Check::New],
        names: &["sparse_tensor.expand"],
        why: "it is about tensors, which are not executed",
    },
    Unchecked {
        checks: &[Check::View],
        names: &[
            "xegpu.create_mem_desc",
            "xegpu.update_nd_offset",
            "xegpu.update_offset",
        ],
        why: "upstream lowers its descriptor only together with the uses",
    },
];

/// Each pair of an operation and a property that is not checked.
pub fn all() -> impl Iterator<Item = (Check, &'static str)> {
    UNCHECKED.iter().flat_map(|one| {
        let checks = one.checks.iter();
        checks.flat_map(|check| one.names.iter().map(|name| (*check, *name)))
    })
}
