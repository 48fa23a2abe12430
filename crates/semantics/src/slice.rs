//! The elements that a view like `memref.subview` has, and sizes that can be read off an operation.

use crate::{allocators::Allocator, semantics::Semantics, statement::Part};
use memplan_mlir::{
    build::integers_of,
    ir::{Op, Origin, Val, operands, origin, results, type_of},
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
};
use smallvec::SmallVec;

/// A number that an operation is given.
#[derive(Clone, Copy, Debug)]
pub enum Number<'c> {
    /// A constant.
    Constant(i64),
    /// Known at run time.
    Value(Val<'c>),
}

impl Number<'_> {
    /// The constant that it is.
    pub const fn constant(self) -> Option<i64> {
        match self {
            Self::Constant(number) => Some(number),
            Self::Value(_) => None,
        }
    }
}

/// Numbers, one a dimension.
pub type Numbers<'c> = SmallVec<[Number<'c>; 4]>;

/// The elements of operand 0 that a view has: in each dimension from an offset, so many, so far apart.
#[derive(Clone, Debug)]
pub struct Slice<'c> {
    /// Where it starts.
    pub offsets: Numbers<'c>,
    /// How many elements it has.
    pub sizes: Numbers<'c>,
    /// How far apart these are.
    pub strides: Numbers<'c>,
}

/// A view of bytes of a memref, one after another: as many as its type and sizes say.
#[derive(Clone, Debug)]
pub struct ByteView<'c> {
    /// What is viewed.
    pub source: Val<'c>,
    /// The view.
    pub result: Val<'c>,
    /// So many bytes after the start of the source it starts.
    pub shift: Val<'c>,
    /// The sizes that its type leaves open.
    pub sizes: SmallVec<[Val<'c>; 4]>,
}

/// What stands for a number that an operand gives.
const DYNAMIC: i64 = i64::MIN;

impl Semantics {
    /// Which elements of operand 0 the result of `op` has, if it is a view of them.
    pub fn part(&mut self, op: Op<'_>) -> Option<Part> {
        self.facts(op).says.part
    }

    /// The elements that `op` views, if it is a view of a slice.
    pub fn slice<'c>(&mut self, op: Op<'c>) -> Option<Slice<'c>> {
        if self.part(op) != Some(Part::Slice) {
            return None;
        }
        let mut given = operands(op).skip(1);
        let mut numbers = |name: &str| -> Option<Numbers<'c>> {
            let all = integers_of(op, name)?.into_iter();
            all.map(|number| match number {
                DYNAMIC => given.next().map(Number::Value),
                number => Some(Number::Constant(number)),
            })
            .collect()
        };
        Some(Slice {
            offsets: numbers("static_offsets")?,
            sizes: numbers("static_sizes")?,
            strides: numbers("static_strides")?,
        })
    }

    /// The bytes that `op` views, if it is a view of bytes one after another.
    pub fn byte_view<'c>(&mut self, op: Op<'c>) -> Option<ByteView<'c>> {
        let bytes = self.facts(op).says.bytes?;
        Some(ByteView {
            source: operands(op).next()?,
            result: results(op).next()?,
            shift: operands(op).nth(bytes.shift as usize)?,
            sizes: operands(op).skip(bytes.sizes as usize).collect(),
        })
    }

    /// The sizes of a memref that its type leaves open, where they can be read off the operation that makes it.
    pub fn dynamic_sizes<'c>(&mut self, memref: Val<'c>) -> Option<SmallVec<[Val<'c>; 4]>> {
        if MemRefType::try_from(type_of(memref)).is_ok_and(|memref| memref.has_static_shape()) {
            return Some(SmallVec::new());
        }
        let Origin::Result(op, _) = origin(memref)? else {
            return None;
        };
        if self.facts(op).says.allocates == Some(Allocator::Memref) {
            return Some(operands(op).collect());
        }
        let sizes = self.slice(op)?.sizes.into_iter();
        let dynamic = sizes.filter_map(|size| match size {
            Number::Constant(_) => None,
            Number::Value(value) => Some(value),
        });
        Some(dynamic.collect())
    }
}
