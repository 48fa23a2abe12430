//! Samples: for each operation of stock `mlir-opt` that accesses memrefs, a program that uses it.
//!
//! Each dialect has one file, divided into chunks for `--split-input-file`. The first line of a chunk is a comment
//! that lists the operations that the chunk is a sample of. A note follows if an operation has several samples.

/// The files, by dialect name.
pub const FILES: &[(&str, &str)] = &[
    ("acc", include_str!("../samples/acc.mlir")),
    ("affine", include_str!("../samples/affine.mlir")),
    ("amdgpu", include_str!("../samples/amdgpu.mlir")),
    ("amx", include_str!("../samples/amx.mlir")),
    ("arith", include_str!("../samples/arith.mlir")),
    ("arm_sme", include_str!("../samples/arm_sme.mlir")),
    ("async", include_str!("../samples/async.mlir")),
    (
        "bufferization",
        include_str!("../samples/bufferization.mlir"),
    ),
    ("builtin", include_str!("../samples/builtin.mlir")),
    ("cf", include_str!("../samples/cf.mlir")),
    ("func", include_str!("../samples/func.mlir")),
    ("gpu", include_str!("../samples/gpu.mlir")),
    ("linalg", include_str!("../samples/linalg.mlir")),
    ("llvm", include_str!("../samples/llvm.mlir")),
    ("memref", include_str!("../samples/memref.mlir")),
    ("ml_program", include_str!("../samples/ml_program.mlir")),
    ("mpi", include_str!("../samples/mpi.mlir")),
    ("nvgpu", include_str!("../samples/nvgpu.mlir")),
    ("nvvm", include_str!("../samples/nvvm.mlir")),
    ("omp", include_str!("../samples/omp.mlir")),
    ("ptr", include_str!("../samples/ptr.mlir")),
    ("rocdl", include_str!("../samples/rocdl.mlir")),
    ("scf", include_str!("../samples/scf.mlir")),
    ("shard", include_str!("../samples/shard.mlir")),
    (
        "sparse_tensor",
        include_str!("../samples/sparse_tensor.mlir"),
    ),
    ("ub", include_str!("../samples/ub.mlir")),
    ("vector", include_str!("../samples/vector.mlir")),
    ("x86vector", include_str!("../samples/x86vector.mlir")),
    ("xegpu", include_str!("../samples/xegpu.mlir")),
];

/// The separator for `--split-input-file`.
pub const MARKER: &str = "// -----\n";

/// The same for operations that do not touch memrefs.
pub const FILES_WITHOUT_MEMORY: &[(&str, &str)] = &[
    (
        "affine",
        include_str!("../samples/without_memory/affine.mlir"),
    ),
    (
        "arith",
        include_str!("../samples/without_memory/arith.mlir"),
    ),
    (
        "async",
        include_str!("../samples/without_memory/async.mlir"),
    ),
    (
        "complex",
        include_str!("../samples/without_memory/complex.mlir"),
    ),
    (
        "index",
        include_str!("../samples/without_memory/index.mlir"),
    ),
    (
        "linalg",
        include_str!("../samples/without_memory/linalg.mlir"),
    ),
    ("llvm", include_str!("../samples/without_memory/llvm.mlir")),
    ("math", include_str!("../samples/without_memory/math.mlir")),
    (
        "vector",
        include_str!("../samples/without_memory/vector.mlir"),
    ),
];

/// Whether `memplan compile` makes an object of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiles<'t> {
    /// It does.
    #[default]
    Yes,
    /// With these features of the processor, as `--features` takes them.
    With(&'t str),
    /// It is an error.
    No,
}

/// One sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<'t> {
    /// The operations that it is a sample of.
    pub operations: Vec<&'t str>,
    /// The difference from other samples of these operations; empty if there is no other sample.
    pub note: &'t str,
    /// Whether it compiles: `// compile: no` or `// compile: FEATURES` in the second line.
    pub compiles: Compiles<'t>,
    /// The program, including the comment.
    pub text: &'t str,
}

/// The samples of a file, in order. A chunk without the comment has no operations.
pub fn samples(file: &str) -> impl Iterator<Item = Sample<'_>> {
    file.split(MARKER).map(|text| {
        let head = text
            .lines()
            .next()
            .and_then(|head| head.strip_prefix("// "));
        let head = head.unwrap_or_default();
        let (names, note) = head.split_once(": ").unwrap_or((head, ""));
        Sample {
            operations: names.split(", ").filter(|name| !name.is_empty()).collect(),
            note,
            compiles: match text
                .lines()
                .nth(1)
                .and_then(|line| line.strip_prefix("// compile: "))
            {
                None => Compiles::Yes,
                Some("no") => Compiles::No,
                Some(features) => Compiles::With(features),
            },
            text,
        }
    })
}
