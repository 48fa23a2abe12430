//! New memory with what a memref holds.
//!
//! `bufferization.clone` says the same in one operation, but whoever folds it has to see every place where one of the two is
//! freed, which canonicalization does not: it passes over `bufferization.dealloc`, frees inside regions, and calls.

use super::{BuildError, Builder};
use crate::ir::{Val, type_of};
use melior::ir::{Attribute, ShapedTypeLike, Type, TypeLike, r#type::MemRefType};
use smallvec::SmallVec;

/// What MLIR writes for a size, a stride or an offset that only the run knows.
const DYNAMIC: i64 = i64::MIN;

/// A number that the type tells, or the run.
#[derive(Clone, Copy)]
enum Number<'c> {
    Told(i64),
    Run(Val<'c>),
}

/// The shape and layout of a ranked memref; what only the run knows is `None`.
struct Form {
    sizes: SmallVec<[Option<i64>; 4]>,
    strides: SmallVec<[Option<i64>; 4]>,
    offset: Option<i64>,
}

/// Where elements lie, in elements.
struct Layout<'c> {
    strides: SmallVec<[Number<'c>; 4]>,
    offset: Number<'c>,
    /// From the start of the memory to behind the last element.
    length: Number<'c>,
}

impl<'c> Builder<'c> {
    /// A copy of a memref as one of type `form`, which has its elements and shape as far as both tell, by `memref.alloc` and
    /// `memref.copy`, laid out as `form` says. A layout that is not row by row is one of
    /// `memref.reinterpret_cast`; what has no rank gets its shape by `memref.reshape`. None where it has no strides, or some that
    /// go backwards.
    pub fn written_copy(
        &self,
        memref: Val<'c>,
        form: Type<'c>,
    ) -> Result<Option<Val<'c>>, BuildError> {
        let given = type_of(memref);
        let has_rank = |r#type: Type<'c>| MemRefType::try_from(r#type).is_ok();
        if !has_rank(given) && !has_rank(form) {
            let fresh = self.without_rank(memref, form)?;
            self.copy(memref, fresh)?;
            return Ok(Some(fresh));
        }
        let like = match has_rank(form) {
            true => form,
            // The same memref, where `form` is.
            false => match crate::layout::in_space(given, space_of(form)) {
                Some(like) => like,
                None => return Ok(None),
            },
        };
        let Some(told) = Form::of(like) else {
            return Ok(None);
        };
        let source = match has_rank(given) {
            true => memref,
            false => self.as_form(memref, self.any_layout(like, space_of(given))?)?,
        };
        let fresh = self.like(source, like, &told)?;
        self.copy(source, fresh)?;
        self.as_form(fresh, form).map(Some)
    }

    /// New memory of the sizes of a memref without a rank, row by row.
    fn without_rank(&self, memref: Val<'c>, form: Type<'c>) -> Result<Val<'c>, BuildError> {
        let index = self.index_type();
        let rank = self.insert_one("memref.rank", &[memref], index, &[])?;
        let sizes = self.table_type(None, index);
        let segments = self.context.short_integers(&[1, 0]);
        let segments = ("operandSegmentSizes", segments);
        let sizes = self.insert_one("memref.alloca", &[rank], sizes, &[segments])?;
        let bounds = [self.index(0)?, rank];
        let length = self.count(bounds, &[self.index(1)?], |inner, at, length| {
            let size = inner.insert_one("memref.dim", &[memref, at], index, &[])?;
            inner.store(size, sizes, &[at])?;
            Ok(vec![inner.arith("arith.muli", length[0], size)?])
        })?;
        // SAFETY: a live type; without a rank it has elements, too.
        let element =
            unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(form.to_raw())) };
        let flat = MemRefType::contiguous(element, &[DYNAMIC], space_of(form));
        let flat = self.alloc_sized(flat.into(), &length)?;
        self.insert_one("memref.reshape", &[flat, sizes], form, &[])
    }

    /// A ranked memref of that shape, in a memory space, whose layout only the run knows.
    fn any_layout(
        &self,
        like: Type<'c>,
        space: Option<Attribute<'c>>,
    ) -> Result<Type<'c>, BuildError> {
        let ranked = MemRefType::try_from(like).map_err(|_| BuildError::signature())?;
        let strides = vec!["?"; ranked.rank()].join(", ");
        let layout = format!("strided<[{strides}], offset: ?>");
        let layout = self.context.parse_attribute(&layout);
        let layout = layout.ok_or_else(BuildError::signature)?;
        let plain = crate::layout::in_space(like, space).ok_or_else(BuildError::signature)?;
        crate::layout::in_layout(plain, layout).ok_or_else(BuildError::signature)
    }

    /// `memref.cast`, where it has another type.
    fn as_form(&self, memref: Val<'c>, form: Type<'c>) -> Result<Val<'c>, BuildError> {
        if type_of(memref) == form {
            return Ok(memref);
        }
        self.insert_one("memref.cast", &[memref], form, &[])
    }

    /// New memory of a type, which `form` is about, with the sizes of a memref.
    fn like(&self, memref: Val<'c>, r#type: Type<'c>, form: &Form) -> Result<Val<'c>, BuildError> {
        let ranked = MemRefType::try_from(r#type).map_err(|_| BuildError::signature())?;
        let mut sizes: SmallVec<[Number<'c>; 4]> = SmallVec::new();
        for (at, size) in form.sizes.iter().enumerate() {
            sizes.push(match size {
                Some(size) => Number::Told(*size),
                None => {
                    let at = self.index(at as i64)?;
                    let index = self.index_type();
                    Number::Run(self.insert_one("memref.dim", &[memref, at], index, &[])?)
                }
            });
        }
        if crate::layout::is_row_by_row(r#type) {
            return self.alloc_sized(r#type, &run_time(&sizes));
        }
        let layout = self.laid_out(form, &sizes)?;
        let told = match layout.length {
            Number::Told(length) => length,
            Number::Run(_) => DYNAMIC,
        };
        let flat = MemRefType::contiguous(ranked.element(), &[told], ranked.memory_space());
        let flat = self.alloc_sized(flat.into(), &run_time(&[layout.length]))?;
        let all = |numbers: &[Option<i64>]| {
            let numbers = numbers.iter().map(|number| number.unwrap_or(DYNAMIC));
            self.context
                .integers(&numbers.collect::<SmallVec<[i64; 4]>>())
        };
        let offsets = run_time(&[layout.offset]);
        let (sizes, strides) = (run_time(&sizes), run_time(&layout.strides));
        let counts = [1, offsets.len(), sizes.len(), strides.len()].map(|count| count as i32);
        let operands = [&[flat][..], &offsets, &sizes, &strides].concat();
        self.insert_one(
            "memref.reinterpret_cast",
            &operands,
            r#type,
            &[
                ("operandSegmentSizes", self.context.short_integers(&counts)),
                ("static_offsets", all(&[form.offset])),
                ("static_sizes", all(&form.sizes)),
                ("static_strides", all(&form.strides)),
            ],
        )
    }

    /// `memref.alloc` with sizes for the dimensions that only the run knows.
    fn alloc_sized(&self, memref: Type<'c>, sizes: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        let segments = self.context.short_integers(&[sizes.len() as i32, 0]);
        let segments = ("operandSegmentSizes", segments);
        self.insert_one("memref.alloc", sizes, memref, &[segments])
    }

    /// Strides and offset for what the type leaves open, and how many elements that takes: strides that only the run knows
    /// step over all that those of the type span.
    fn laid_out(&self, form: &Form, sizes: &[Number<'c>]) -> Result<Layout<'c>, BuildError> {
        let mut span = Number::Told(1);
        for (size, stride) in sizes.iter().zip(&form.strides) {
            if let Some(stride) = *stride {
                let beyond = self.times(self.less_one(*size)?, Number::Told(stride))?;
                span = self.plus(span, beyond)?;
            }
        }
        let mut strides: SmallVec<[Number<'c>; 4]> = SmallVec::new();
        // Size and stride of the dimension inside: dimensions that may be joined to one have to meet.
        let mut inside: Option<(Number<'c>, Number<'c>)> = None;
        for (size, stride) in sizes.iter().zip(&form.strides).rev() {
            let stride = match stride {
                Some(stride) => Number::Told(*stride),
                None => {
                    span = match inside {
                        Some((size, stride)) => self.most(span, self.times(size, stride)?)?,
                        None => span,
                    };
                    let stride = Number::Run(self.value(span)?);
                    span = self.times(span, *size)?;
                    stride
                }
            };
            strides.push(stride);
            inside = Some((*size, stride));
        }
        strides.reverse();
        let (offset, length) = match form.offset {
            Some(offset) => {
                let offset = Number::Told(offset);
                (offset, self.plus(offset, span)?)
            }
            None => (Number::Run(self.index(0)?), span),
        };
        Ok(Layout {
            strides,
            offset,
            length,
        })
    }

    /// One less, but not below 0.
    fn less_one(&self, size: Number<'c>) -> Result<Number<'c>, BuildError> {
        Ok(match size {
            Number::Told(size) => Number::Told((size - 1).max(0)),
            Number::Run(size) => {
                let one = self.index(1)?;
                let longer = self.arith("arith.maxsi", size, one)?;
                Number::Run(self.subtract(longer, one)?)
            }
        })
    }

    fn plus(&self, one: Number<'c>, other: Number<'c>) -> Result<Number<'c>, BuildError> {
        self.combined("arith.addi", i64::checked_add, one, other)
    }

    fn times(&self, one: Number<'c>, other: Number<'c>) -> Result<Number<'c>, BuildError> {
        self.combined("arith.muli", i64::checked_mul, one, other)
    }

    fn most(&self, one: Number<'c>, other: Number<'c>) -> Result<Number<'c>, BuildError> {
        self.combined("arith.maxsi", |one, other| Some(one.max(other)), one, other)
    }

    fn combined(
        &self,
        name: &'static str,
        told: fn(i64, i64) -> Option<i64>,
        one: Number<'c>,
        other: Number<'c>,
    ) -> Result<Number<'c>, BuildError> {
        if let (Number::Told(one), Number::Told(other)) = (one, other) {
            let told = told(one, other).ok_or_else(BuildError::signature)?;
            return Ok(Number::Told(told));
        }
        self.arith(name, self.value(one)?, self.value(other)?)
            .map(Number::Run)
    }

    fn value(&self, number: Number<'c>) -> Result<Val<'c>, BuildError> {
        match number {
            Number::Told(number) => self.index(number),
            Number::Run(value) => Ok(value),
        }
    }
}

/// Can a memref of this type be copied by [`Builder::written_copy`]?
pub fn is_copyable(memref: Type<'_>) -> bool {
    MemRefType::try_from(memref).is_err() || Form::of(memref).is_some()
}

/// The memory space of a memref, with a rank or without; `None` for the default one.
fn space_of<'c>(memref: Type<'c>) -> Option<Attribute<'c>> {
    match MemRefType::try_from(memref) {
        Ok(ranked) => ranked.memory_space(),
        // SAFETY: a live type; what is no memref with a rank here is one without.
        Err(_) => unsafe {
            let raw = memref.to_raw();
            mlir_sys::mlirTypeIsAUnrankedMemRef(raw)
                .then(|| mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw))
                .and_then(|space| Attribute::from_option_raw(space))
        },
    }
}

/// Those that only the run knows.
fn run_time<'c>(numbers: &[Number<'c>]) -> SmallVec<[Val<'c>; 4]> {
    let of_run = numbers.iter().filter_map(|number| match number {
        Number::Told(_) => None,
        Number::Run(value) => Some(*value),
    });
    of_run.collect()
}

impl Form {
    /// Of a ranked memref that has strides, none of which goes backwards, and no more elements than can be counted.
    fn of(memref: Type<'_>) -> Option<Self> {
        let rank = MemRefType::try_from(memref).ok()?.rank();
        let raw = memref.to_raw();
        let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(0, rank);
        let mut offset = 0;
        // SAFETY: a live memref type with this rank, for whose strides there is room.
        let sizes: SmallVec<[Option<i64>; 4]> = unsafe {
            let out = strides.as_mut_ptr();
            let is_strided = mlir_sys::mlirMemRefTypeGetStridesAndOffset(raw, out, &raw mut offset);
            if is_strided.value == 0 {
                return None;
            }
            (0..rank as isize)
                .map(|at| match mlir_sys::mlirShapedTypeIsDynamicDim(raw, at) {
                    true => None,
                    false => Some(mlir_sys::mlirShapedTypeGetDimSize(raw, at)),
                })
                .collect()
        };
        let told = |number: i64| (number != DYNAMIC).then_some(number);
        let form = Self {
            sizes,
            strides: strides.into_iter().map(told).collect(),
            offset: told(offset),
        };
        let is_forward = |number: &Option<i64>| number.is_none_or(|number| number >= 0);
        let is_fit = form.strides.iter().all(is_forward) && is_forward(&form.offset);
        let is_countable = crate::layout::is_row_by_row(memref) || form.told_length().is_some();
        (is_fit && is_countable).then_some(form)
    }

    /// How many elements it spans, if sizes that only the run knows are 1; none if that is too large.
    fn told_length(&self) -> Option<i64> {
        let dimensions = || self.sizes.iter().zip(&self.strides);
        let mut span = 1_i64;
        let mut inside = 1_i64;
        for (size, stride) in dimensions() {
            let beyond = (size.unwrap_or(1) - 1).max(0);
            span = span.checked_add(beyond.checked_mul(stride.unwrap_or(0))?)?;
        }
        for (size, stride) in dimensions().rev() {
            let size = size.unwrap_or(1).max(1);
            let stride = match stride {
                Some(stride) => *stride,
                None => {
                    let stride = span.max(inside);
                    span = stride.checked_mul(size)?;
                    stride
                }
            };
            inside = size.checked_mul(stride)?;
        }
        span.checked_add(self.offset.unwrap_or(0))
    }
}
