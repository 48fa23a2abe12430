//! The elements of views such as `memref.subview`, and sizes that an operation states.

use crate::{allocators::Allocator, semantics::Semantics, statement::Part};
use memplan_mlir::{
    build::integers_of,
    ir::{Op, Origin, Val, operands, origin, results, type_of},
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
};
use smallvec::SmallVec;

/// An integer operand or attribute of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Number<'c> {
    /// A constant.
    Constant(i64),
    /// A value that is known only at run time.
    Value(Val<'c>),
}

impl Number<'_> {
    /// The constant, if this is one.
    pub const fn constant(self) -> Option<i64> {
        match self {
            Self::Constant(number) => Some(number),
            Self::Value(_) => None,
        }
    }
}

/// One number per dimension.
pub type Numbers<'c> = SmallVec<[Number<'c>; 4]>;

/// The elements of operand 0 that a view contains: an offset, a size and a stride in each dimension.
#[derive(Clone, Debug)]
pub struct Slice<'c> {
    /// The index of the first element.
    pub offsets: Numbers<'c>,
    /// The number of elements.
    pub sizes: Numbers<'c>,
    /// The distance between elements.
    pub strides: Numbers<'c>,
}

/// A contiguous view of the bytes of a memref. The type and the sizes of the view determine the number of bytes.
#[derive(Clone, Debug)]
pub struct ByteView<'c> {
    /// The viewed memref.
    pub source: Val<'c>,
    /// The view.
    pub result: Val<'c>,
    /// The distance in bytes from the start of the source to the start of the view.
    pub shift: Val<'c>,
    /// The dynamic sizes of the view.
    pub sizes: SmallVec<[Val<'c>; 4]>,
}

/// The attribute value of a number that is an operand.
const DYNAMIC: i64 = i64::MIN;

impl Semantics {
    /// The elements of operand 0 that the result of `op` contains, if it is a view of them.
    pub fn part(&mut self, op: Op<'_>) -> Option<Part> {
        self.facts(op).table.part
    }

    /// The elements that `op` views, if its result is a view of a slice.
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

    /// The bytes that `op` views, if its result is a contiguous view of bytes.
    pub fn byte_view<'c>(&mut self, op: Op<'c>) -> Option<ByteView<'c>> {
        let bytes = self.facts(op).table.bytes?;
        Some(ByteView {
            source: operands(op).next()?,
            result: results(op).next()?,
            shift: operands(op).nth(bytes.shift as usize)?,
            sizes: operands(op).skip(bytes.sizes as usize).collect(),
        })
    }

    /// The dynamic sizes of a memref, if the operation that defines it states them.
    pub fn dynamic_sizes<'c>(&mut self, memref: Val<'c>) -> Option<SmallVec<[Val<'c>; 4]>> {
        if MemRefType::try_from(type_of(memref)).is_ok_and(|memref| memref.has_static_shape()) {
            return Some(SmallVec::new());
        }
        let Origin::Result(op, _) = origin(memref)? else {
            return None;
        };
        if self.facts(op).table.allocates == Some(Allocator::Memref) {
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
