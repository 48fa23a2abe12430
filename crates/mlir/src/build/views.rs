//! Views of memrefs.

use super::{BuildError, Builder};
use crate::{
    ffi,
    ir::{Op, Type, Val, changes, op_from_raw},
    layout::{rank, static_dimension, with_shape},
};
use melior::ir::{Attribute, BlockLike, ValueLike};
use mlir_sys::{MlirOperation, MlirValue};
use smallvec::SmallVec;

/// A number, or a value of type `index`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Index<'c> {
    /// A number.
    Constant(i64),
    /// A value that is known only at run time.
    Value(Val<'c>),
}

/// What the C++ builder takes for a number that is a value.
const DYNAMIC: i64 = i64::MIN;

/// Numbers for the C++ builder, and the values among them.
fn mixed<'n, 'c: 'n>(
    numbers: impl Iterator<Item = &'n Index<'c>>,
) -> (SmallVec<[i64; 12]>, SmallVec<[MlirValue; 4]>) {
    let mut values = SmallVec::new();
    let numbers = numbers.map(|number| match *number {
        Index::Constant(number) => number,
        Index::Value(value) => {
            values.push(value.to_raw());
            DYNAMIC
        }
    });
    let numbers = numbers.collect();
    (numbers, values)
}

impl<'c> Builder<'c> {
    /// `memref.reinterpret_cast` of the start of a contiguous memref as `form`: contiguous, of static sizes, and with the same
    /// elements.
    ///
    /// # Errors
    ///
    /// `form` has a dynamic size.
    pub fn start_as(
        &self,
        memref: Val<'c>,
        form: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, BuildError> {
        let sizes = 0..rank(form).unwrap_or(0) as i64;
        let sizes: Option<Vec<i64>> = sizes.map(|at| static_dimension(form, at)).collect();
        let sizes = sizes.ok_or_else(BuildError::unexpected)?;
        let mut strides = vec![1; sizes.len()];
        for at in (1..sizes.len()).rev() {
            strides[at - 1] = strides[at] * sizes[at];
        }
        let segments = self.context.short_integers(&[1, 0, 0, 0]);
        let mut all = vec![
            ("operandSegmentSizes", segments),
            ("static_offsets", self.context.integers(&[0])),
            ("static_sizes", self.context.integers(&sizes)),
            ("static_strides", self.context.integers(&strides)),
        ];
        all.extend_from_slice(attributes);
        self.insert_one("memref.reinterpret_cast", &[memref], form, &all)
    }

    fn point(&self) -> ffi::MemplanPoint {
        changes::inserted(self.block);
        ffi::MemplanPoint {
            block: self.block.to_raw(),
            before: self.before.map_or(
                MlirOperation {
                    ptr: std::ptr::null_mut(),
                },
                |op| op.to_raw(),
            ),
            location: self.location.to_raw(),
        }
    }

    /// `memref.subview`: `offsets`, `sizes` and `strides` of each dimension; those that are `dropped` have size 1.
    pub fn part(
        &self,
        source: Val<'c>,
        [offsets, sizes, strides]: [&[Index<'c>]; 3],
        dropped: &[bool],
    ) -> Val<'c> {
        let (numbers, values) = mixed(offsets.iter().chain(sizes).chain(strides));
        // SAFETY: live handles; there are three numbers for each dimension, and a value for each dynamic one.
        unsafe {
            Val::from_raw(ffi::memplanCreatePart(
                self.point(),
                source.to_raw(),
                dropped.len() as isize,
                numbers.as_ptr(),
                values.as_ptr(),
                dropped.as_ptr(),
            ))
        }
    }

    /// `memref.alloc` of these sizes, with the elements and in the memory space of another memref, aligned to `alignment` bytes.
    pub fn alloc_like(
        &self,
        like: Type<'c>,
        sizes: &[Index<'c>],
        alignment: i64,
    ) -> Result<Op<'c>, BuildError> {
        let size = |size: &Index<'c>| match size {
            Index::Constant(size) => *size,
            Index::Value(_) => DYNAMIC,
        };
        let shape: SmallVec<[i64; 4]> = sizes.iter().map(size).collect();
        let values = sizes.iter().filter_map(|size| match size {
            Index::Constant(_) => None,
            Index::Value(value) => Some(*value),
        });
        let values: SmallVec<[Val<'c>; 4]> = values.collect();
        let memref = with_shape(like, &shape).ok_or_else(BuildError::unexpected)?;
        let segments = [values.len() as i32, 0];
        self.insert(
            "memref.alloc",
            &values,
            &[memref],
            &[
                ("alignment", self.integer_attribute(alignment)),
                (
                    "operandSegmentSizes",
                    self.context.short_integers(&segments),
                ),
            ],
        )
    }

    /// `memref.expand_shape`: each dimension of the source becomes a group of so many.
    pub fn expanded(
        &self,
        source: Val<'c>,
        shape: &[Index<'c>],
        groups: &[isize],
    ) -> Result<Val<'c>, BuildError> {
        let (numbers, values) = mixed(shape.iter());
        // SAFETY: live handles, and lists of the given lengths.
        let raw = unsafe {
            ffi::memplanCreateExpanded(
                self.point(),
                source.to_raw(),
                shape.len() as isize,
                numbers.as_ptr(),
                values.as_ptr(),
                groups.len() as isize,
                groups.as_ptr(),
            )
        };
        view(raw)
    }

    /// `memref.collapse_shape`: each group of so many dimensions becomes one.
    pub fn collapsed(&self, source: Val<'c>, groups: &[isize]) -> Result<Val<'c>, BuildError> {
        // SAFETY: as above.
        let raw = unsafe {
            ffi::memplanCreateCollapsed(
                self.point(),
                source.to_raw(),
                groups.len() as isize,
                groups.as_ptr(),
            )
        };
        view(raw)
    }

    /// `memref.transpose`: dimension i is this one of the source.
    pub fn transposed(&self, source: Val<'c>, order: &[i64]) -> Val<'c> {
        // SAFETY: as above.
        unsafe {
            Val::from_raw(ffi::memplanCreateTransposed(
                self.point(),
                source.to_raw(),
                order.len() as isize,
                order.as_ptr(),
            ))
        }
    }

    /// `linalg.copy`. The dialect has to be loaded.
    pub fn copy_elements(&self, from: Val<'c>, to: Val<'c>) -> Option<Op<'c>> {
        // SAFETY: live handles.
        op_from_raw(unsafe {
            ffi::memplanCreateElementCopy(self.point(), from.to_raw(), to.to_raw())
        })
    }
}

/// The dimensions of its source that a `memref.subview` leaves out; `None` for other operations, or another rank.
pub fn dropped_dimensions(part: Op<'_>, rank: usize) -> Option<SmallVec<[bool; 4]>> {
    let mut dropped: SmallVec<[bool; 4]> = SmallVec::from_elem(false, rank);
    // SAFETY: a live operation, and a place for each dimension.
    let is_known = unsafe {
        ffi::memplanDroppedDimensions(part.to_raw(), rank as isize, dropped.as_mut_ptr())
    };
    is_known.then_some(dropped)
}

fn view<'c>(raw: MlirValue) -> Result<Val<'c>, BuildError> {
    if raw.ptr.is_null() {
        return Err(BuildError::unexpected());
    }
    // SAFETY: a live value, which is not null.
    Ok(unsafe { Val::from_raw(raw) })
}
