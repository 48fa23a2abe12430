//! Bytes of buffers of dynamic size at a few values of their dimensions.
//!
//! A pass that compares bytes decides at one shape, as if all sizes were static, and keeps what is no worse at the others. For
//! that, it sets the sizes of an analysis: [`Sizes::set`].
//!
//! A size is a number of bytes times dimensions. Values that are computed alike are one dimension.

use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    ir::{Identity, Key, Origin, Val, operands, origin, type_of},
    layout::dynamic_dimensions,
    melior::ir::TypeLike,
};
use memplan_semantics::{Allocator, Computes, ResultFact, Semantics};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The value of all dimensions in the first shapes; the passes decide at the first one.
const ALL: [u64; UNIFORM] = [16, 1, 256];

/// Shapes in which all dimensions have one value.
pub const UNIFORM: usize = 3;

/// The value of all dimensions where they are long.
pub const LONG: u64 = 1024;

/// The value of some dimensions, and that of the others, in three more shapes.
const SOME: (u64, u64) = (1024, 4);
const VARIED: usize = 3;

/// Largest depth of products.
const DEEPEST: usize = 16;

/// Largest size in a shape, in bytes: sums do not overflow.
const MOST_BYTES: u64 = 1 << 48;

/// A dimension: of a memref that is no allocation, or a number.
type Dimension = (Key, Option<i64>);

/// A number times dimensions, which have numbers, too.
pub type Product = (u64, SmallVec<[usize; 2]>);

/// Sizes of buffers by the dimensions that they depend on.
#[derive(Default)]
pub struct Shapes {
    numbers: FxHashMap<Dimension, usize>,
}

/// The sizes of an analysis.
pub struct Sizes {
    /// Each with its bytes, and the numbers of its dimensions.
    all: Vec<(BufferId, u64, SmallVec<[usize; 2]>)>,
    shapes: usize,
}

impl Shapes {
    /// The value of all dimensions in the shape at which passes decide.
    pub const FIRST: u64 = ALL[0];

    /// The sizes of buffers of dynamic size, whether they are planned or not. Dimensions keep their values from one reading to
    /// the next.
    pub fn read(&mut self, analysis: &Analysis<'_>, semantics: &mut Semantics) -> Sizes {
        let mut all = Vec::new();
        for (index, fact) in analysis.program.buffers.iter().enumerate() {
            let Some(mut bytes) = fact.dynamic else {
                continue;
            };
            let mut dims = SmallVec::new();
            for operand in operands(analysis.handles.buffers[index]) {
                self.multiply(operand, semantics, (&mut bytes, &mut dims), DEEPEST);
            }
            all.push((BufferId::new(index), bytes, dims));
        }
        let shapes = match (all.is_empty(), self.numbers.len()) {
            (true, _) => 1,
            (_, 0 | 1) => ALL.len(),
            _ => ALL.len() + VARIED,
        };
        Sizes { all, shapes }
    }

    /// The dynamic dimensions of a memref, in order: each a number times others. Memrefs of one type for which these are the
    /// same have the same shape.
    pub fn dimensions(&mut self, memref: Val<'_>, semantics: &mut Semantics) -> Vec<Product> {
        let dynamic = dynamic_dimensions(type_of(memref));
        let dimensions = dynamic.into_iter().map(|dimension| {
            let index = i64::try_from(dimension).ok();
            match size_of(memref, index, semantics) {
                Some(size) => self.product(size, semantics),
                None => (
                    1,
                    SmallVec::from_slice(&[self.number((memref.key(), index))]),
                ),
            }
        });
        dimensions.collect()
    }

    /// A number, as a number times dimensions.
    pub fn product(&mut self, value: Val<'_>, semantics: &mut Semantics) -> Product {
        let mut product = (1, SmallVec::new());
        let (number, dims) = &mut product;
        self.multiply(value, semantics, (number, dims), DEEPEST);
        product.1.sort_unstable();
        product
    }

    fn multiply(
        &mut self,
        value: Val<'_>,
        semantics: &mut Semantics,
        (bytes, dims): (&mut u64, &mut SmallVec<[usize; 2]>),
        depth: usize,
    ) {
        let value = semantics.same_number(value);
        let constant = semantics.constant(value);
        let constant = constant.and_then(|number| u64::try_from(number).ok());
        if let Some(product) = constant.and_then(|number| bytes.checked_mul(number)) {
            *bytes = product;
            return;
        }
        let product = semantics.product(value).filter(|_| depth > 0);
        if let Some(product) = product
            && let Some(all) = bytes.checked_mul(product.constant)
        {
            *bytes = all;
            for one in product.factors {
                self.multiply(one, semantics, (&mut *bytes, &mut *dims), depth / 2);
            }
            return;
        }
        match semantics.computes(value) {
            Some(Computes::Dimension([memref, index])) => {
                let index = semantics.constant(index);
                match (
                    size_of(memref, index, semantics).filter(|_| depth > 0),
                    index,
                ) {
                    (Some(operand), _) => {
                        self.multiply(operand, semantics, (bytes, dims), depth - 1);
                    }
                    (None, Some(_)) => dims.push(self.number((memref.key(), index))),
                    (None, None) => dims.push(self.number((value.key(), None))),
                }
            }
            _ => dims.push(self.number((value.key(), None))),
        }
    }

    fn number(&mut self, dimension: Dimension) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(dimension).or_insert(next)
    }
}

/// The number that gives a dimension of an allocation by `memref.alloc` its size.
pub fn size_of<'c>(
    memref: Val<'c>,
    index: Option<i64>,
    semantics: &mut Semantics,
) -> Option<Val<'c>> {
    let Some(Origin::Result(op, _)) = origin(memref) else {
        return None;
    };
    let index = usize::try_from(index?).ok()?;
    let dynamic = dynamic_dimensions(type_of(memref));
    let place = dynamic.iter().position(|dimension| *dimension == index)?;
    let memory = semantics.of(op);
    let mut results = memory.results.iter();
    let is_allocation = results.any(|used| {
        matches!(
            used.fact,
            ResultFact::New {
                by: Allocator::Memref,
                ..
            }
        )
    });
    let has_sizes_only = operands(op).count() == dynamic.len();
    let size = operands(op).nth(place)?;
    (is_allocation && has_sizes_only && type_of(size).is_index()).then_some(size)
}

impl Sizes {
    /// Whether some sizes are dynamic.
    pub fn are_dynamic(&self) -> bool {
        !self.all.is_empty()
    }

    /// The number of shapes; one if all sizes are static.
    pub fn shapes(&self) -> usize {
        self.shapes
    }

    /// Gives the buffers of an analysis the sizes that they have in a shape.
    pub fn set(&self, analysis: &mut Analysis<'_>, shape: usize) {
        self.set_values(analysis, |dimension| value(dimension, shape));
    }

    /// Gives them the sizes that they have where all dimensions are long.
    pub fn set_long(&self, analysis: &mut Analysis<'_>) {
        self.set_values(analysis, |_| LONG);
    }

    fn set_values(&self, analysis: &mut Analysis<'_>, value: impl Fn(usize) -> u64) {
        for (buffer, bytes, dims) in &self.all {
            let fact = &mut analysis.program.buffers[buffer.index()];
            let values = dims.iter().map(|dim| value(*dim));
            fact.size = values.fold(*bytes, u64::saturating_mul).min(MOST_BYTES);
            fact.dynamic = None;
        }
    }
}

/// The value of a dimension in a shape.
fn value(dimension: usize, shape: usize) -> u64 {
    match ALL.get(shape) {
        Some(value) => *value,
        None if dimension % VARIED == shape - ALL.len() => SOME.0,
        None => SOME.1,
    }
}
