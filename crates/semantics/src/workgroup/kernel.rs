//! Kernels.

use crate::{
    loops::{Iterations, parallel_iterations},
    names::OpKind,
    semantics::Semantics,
};
use memplan_mlir::{
    attributes::elements,
    build::{integer, short_integers},
    calls::function_body,
    constants::constant,
    ir::{
        Block, Identity, Op, Origin, Region, Type, Val, arguments, blocks, operands, origin,
        regions,
    },
    layout::memory_space,
    melior::ir::operation::OperationLike,
    symbols::function_type,
};

/// What executes a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KernelKind {
    /// `gpu.func`. One that is no entry point is called by threads.
    Function {
        /// It is an entry point.
        is_entry: bool,
    },
    /// `gpu.launch`.
    Launch,
    /// A parallel loop that is mapped to threads or groups of them.
    Loop,
}

/// What each thread of a workgroup executes.
#[derive(Clone, Debug)]
pub struct Kernel<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Its body.
    pub body: Region<'c>,
    /// Its kind.
    pub kind: KernelKind,
    /// Its memory attributions in workgroup memory, in order.
    pub attributions: Vec<Val<'c>>,
    /// The number of the first attribution among the arguments of the body.
    pub first_attribution: usize,
    /// The arguments that are coordinates of a thread, by dimension.
    pub(super) thread_ids: Vec<Val<'c>>,
    /// The coordinates of threads in each dimension, if they are known.
    pub(crate) threads: Option<Vec<Iterations>>,
}

/// The attribute with the number of attributions.
const ATTRIBUTIONS: &str = "workgroup_attributions";
/// The attributes of a parallel loop that say what its iterations are mapped to.
const MAPPING: &str = "mapping";
/// The start of the text of mappings to threads, or to groups of them.
const TO_THREADS: [&str; 4] = [
    "#gpu.thread<",
    "#gpu.warp<",
    "#gpu.warpgroup<",
    "#gpu.lane<",
];
/// Dimensions of a workgroup.
const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

impl<'c> Kernel<'c> {
    /// The kernel of an operation, if it is one.
    pub fn of(op: Op<'c>, semantics: &mut Semantics) -> Option<Self> {
        match semantics.info(op).kind {
            OpKind::GpuFunction => Self::of_function(op),
            OpKind::GpuLaunch => Self::of_launch(op),
            OpKind::Forall => Self::of_loop(op, semantics),
            _ => None,
        }
    }

    /// The innermost kernel around an operation, which may be in any function.
    pub fn around(op: Op<'c>, semantics: &mut Semantics) -> Option<Self> {
        let mut above = memplan_mlir::ir::parent(op);
        while let Some(op) = above {
            if let Some(kernel) = Self::of(op, semantics) {
                return Some(kernel);
            }
            above = memplan_mlir::ir::parent(op);
        }
        None
    }

    fn of_function(op: Op<'c>) -> Option<Self> {
        let body = function_body(op)?;
        let sizes = short_integers(op, "known_block_size");
        Some(Self {
            op,
            body,
            kind: KernelKind::Function {
                is_entry: op.has_attribute("gpu.kernel"),
            },
            thread_ids: Vec::new(),
            threads: sizes.and_then(|sizes| from_zero(sizes.into_iter().map(i64::from))),
            ..Self::with_attributions(op, body, function_inputs(op)?)?
        })
    }

    /// A function that threads of a kernel call. Its arguments may differ between them.
    pub(super) const fn of_callee(op: Op<'c>, body: Region<'c>) -> Self {
        Self {
            op,
            body,
            kind: KernelKind::Function { is_entry: false },
            attributions: Vec::new(),
            first_attribution: usize::MAX,
            thread_ids: Vec::new(),
            threads: None,
        }
    }

    fn of_launch(op: Op<'c>) -> Option<Self> {
        let body = regions(op).next()?;
        // Dependencies, sizes of the grid and of workgroups, and perhaps of clusters.
        let segments = short_integers(op, "operandSegmentSizes")?;
        let first = usize::try_from(*segments.first()?).ok()?;
        let has_clusters = segments.get(7).is_some_and(|count| *count > 0);
        let own: Vec<Val<'c>> = arguments(blocks(body).next()?).collect();
        let sizes = operands(op).skip(first + 3).take(3);
        let sizes: Option<Vec<i64>> = sizes.map(constant).collect();
        Some(Self {
            kind: KernelKind::Launch,
            thread_ids: own.get(3..6)?.to_vec(),
            threads: sizes.and_then(|sizes| from_zero(sizes.into_iter())),
            ..Self::with_attributions(op, body, if has_clusters { 18 } else { 12 })?
        })
    }

    fn of_loop(op: Op<'c>, semantics: &mut Semantics) -> Option<Self> {
        let mapping = elements(op.attribute(MAPPING).ok()?)?;
        let is_to_threads = |text: &str| TO_THREADS.iter().any(|start| text.starts_with(start));
        if mapping.is_empty() || !mapping.iter().all(|one| is_to_threads(&one.to_string())) {
            return None;
        }
        let body = regions(op).next()?;
        Some(Self {
            op,
            body,
            kind: KernelKind::Loop,
            attributions: Vec::new(),
            first_attribution: 0,
            thread_ids: arguments(blocks(body).next()?).collect(),
            threads: parallel_iterations(op, semantics).map(|(all, _)| all),
        })
    }

    fn with_attributions(op: Op<'c>, body: Region<'c>, first: usize) -> Option<Self> {
        let count = usize::try_from(integer(op, ATTRIBUTIONS).unwrap_or(0)).ok()?;
        let all = arguments(blocks(body).next()?);
        Some(Self {
            op,
            body,
            kind: KernelKind::Launch,
            attributions: all.skip(first).take(count).collect(),
            first_attribution: first,
            thread_ids: Vec::new(),
            threads: None,
        })
    }

    /// The first block of the body.
    pub fn entry(&self) -> Option<Block<'c>> {
        blocks(self.body).next()
    }

    /// The dimension in which a value is a coordinate of the thread.
    pub(crate) fn thread_dimension(
        &self,
        value: Val<'c>,
        semantics: &mut Semantics,
    ) -> Option<usize> {
        let key = value.key();
        if let Some(at) = self.thread_ids.iter().position(|id| id.key() == key) {
            return Some(at);
        }
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        // A loop has coordinates of its own.
        let name = semantics.table_facts(op).thread_id?;
        (self.kind != KernelKind::Loop).then(|| dimension(op, name))?
    }

    /// A size of the workgroup, if a value is one that is known.
    pub(crate) fn known_size(&self, value: Val<'c>, semantics: &mut Semantics) -> Option<i64> {
        let threads = self.threads.as_ref()?;
        let at = match origin(value)? {
            Origin::Result(op, 0) if self.kind != KernelKind::Loop => {
                dimension(op, semantics.table_facts(op).workgroup_size?)?
            }
            Origin::Argument(block, number)
                if self.kind == KernelKind::Launch && Some(block) == self.entry() =>
            {
                number.checked_sub(9).filter(|at| *at < 3)?
            }
            _ => return None,
        };
        i64::try_from(threads.get(at)?.count).ok()
    }

    /// Is an argument of the body the same in all threads?
    pub(crate) fn has_uniform_argument(&self, number: usize) -> bool {
        match self.kind {
            KernelKind::Function { is_entry } => is_entry || number >= self.first_attribution,
            KernelKind::Launch => !(3..6).contains(&number),
            KernelKind::Loop => false,
        }
    }
}

/// The number of arguments of a function.
fn function_inputs(op: Op<'_>) -> Option<usize> {
    let all = arguments(blocks(function_body(op)?).next()?).count();
    let count = function_type(op)?.input_count();
    (count <= all).then_some(count)
}

fn from_zero(sizes: impl Iterator<Item = i64>) -> Option<Vec<Iterations>> {
    sizes
        .map(|size| {
            Some(Iterations {
                lower: 0,
                step: 1,
                count: u64::try_from(size).ok().filter(|size| *size > 0)?,
            })
        })
        .collect()
}

/// The number of the dimension in an attribute such as `#gpu<dim x>`.
fn dimension(op: Op<'_>, name: &str) -> Option<usize> {
    let text = op.attribute(name).ok()?.to_string();
    let word = text.strip_suffix('>')?.rsplit(' ').next()?;
    DIMENSIONS.iter().position(|known| *known == word)
}

/// Is it a memref in the memory that the threads of a workgroup share? In GPU code, memory space 3 is that as well.
pub fn is_workgroup_memory(memref: Type<'_>) -> bool {
    matches!(
        memory_space(memref).as_str(),
        "#gpu.address_space<workgroup>" | "3 : i64" | "3 : i32" | "3"
    )
}
