//! Copies of memrefs: new memory with the same elements.
//!
//! `bufferization.clone` does the same in one operation. But a pass that folds it must see every place where one of
//! the two memrefs is freed, and canonicalization does not: it ignores `bufferization.dealloc`, frees in regions, and
//! calls.

mod strided_form;

use super::{BuildError, Builder};
use crate::ir::{Op, Val, blocks, element_of, operands, ops, regions, results, type_of};
use melior::ir::{Attribute, ShapedTypeLike, Type, TypeLike, r#type::MemRefType};
use smallvec::SmallVec;
use strided_form::StridedForm;

/// MLIR's number for a dynamic size, stride or offset.
const DYNAMIC: i64 = i64::MIN;

/// A size, stride or offset: static, or a value of type `index`.
#[derive(Clone, Copy)]
enum SizeValue<'c> {
    Static(i64),
    Dynamic(Val<'c>),
}

/// The reason why a memref cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Shapes or element types differ.
    #[error("its shape or element type differs from that of the source")]
    Shape,
    /// The memref has no strides, or negative ones.
    #[error("its strides must not be negative")]
    Strides,
    /// The number of elements does not fit 64 bits.
    #[error("its number of elements overflows")]
    Size,
    /// The layout of the copy is dynamic, and not known to be that of the copied memref.
    #[error("give it the layout of the source, or a static one")]
    Layout,
    /// The memref is unranked, so its strides are not available, and an operation may rely on them.
    #[error(
        "give it a rank: a memref.cast from an unranked memref relies on strides that a copy \
        does not have"
    )]
    Rank,
}

/// A copy of a memref.
pub struct CopiedMemRef<'c> {
    /// The copy, with the requested type.
    pub memref: Val<'c>,
    /// The allocation that holds the copy.
    pub memory: Val<'c>,
}

/// A strided layout, in elements.
struct Layout<'c> {
    strides: SmallVec<[SizeValue<'c>; 4]>,
    offset: SizeValue<'c>,
    /// Distance from the start of the memory to the end of the last element.
    length: SizeValue<'c>,
}

impl<'c> Builder<'c> {
    /// Copies a memref to new memory of type `form`, by `memref.alloc` and `memref.copy`.
    ///
    /// The layout of the copy is that of `form`. Its dynamic strides and offset are those of the memref, as users of
    /// the copy may rely on them: views collapse dimensions, and casts make dynamic parts static. A layout that is
    /// not the identity is made by `memref.reinterpret_cast`. An unranked copy has the identity layout, and its shape
    /// is set by `memref.reshape`.
    ///
    /// Ask [`copy_problem`] first.
    pub fn copy_of(&self, memref: Val<'c>, form: Type<'c>) -> Result<CopiedMemRef<'c>, BuildError> {
        let given = type_of(memref);
        let has_rank = |r#type: Type<'c>| MemRefType::try_from(r#type).is_ok();
        if !has_rank(given) && !has_rank(form) {
            let copied = self.unranked_copy(memref, form)?;
            self.copy(memref, copied.memref)?;
            return Ok(copied);
        }
        let like = match has_rank(form) {
            true => form,
            // The type of the memref, in the memory space of `form`.
            false => crate::layout::with_memory_space(given, space_of(form))
                .ok_or_else(BuildError::unexpected)?,
        };
        let requested = StridedForm::of(like).map_err(|_| BuildError::unexpected())?;
        let source = match has_rank(given) {
            true => memref,
            false => self.cast_to(memref, self.any_layout(like, space_of(given))?)?,
        };
        let fresh = self.allocate_like(source, like, &requested)?;
        self.copy(source, fresh.memref)?;
        Ok(CopiedMemRef {
            memref: self.cast_to(fresh.memref, form)?,
            ..fresh
        })
    }

    /// New memory with the sizes of an unranked memref, and the identity layout.
    fn unranked_copy(
        &self,
        memref: Val<'c>,
        form: Type<'c>,
    ) -> Result<CopiedMemRef<'c>, BuildError> {
        let index = self.index_type();
        let rank = self.insert_one("memref.rank", &[memref], index, &[])?;
        let sizes = self.table_type(None, index);
        let segments = self.context.short_integers(&[1, 0]);
        let segments = ("operandSegmentSizes", segments);
        let sizes = self.insert_one("memref.alloca", &[rank], sizes, &[segments])?;
        let bounds = [self.index(0)?, rank];
        let length = self.for_loop(bounds, &[self.index(1)?], |inner, at, length| {
            let size = inner.insert_one("memref.dim", &[memref, at], index, &[])?;
            inner.store(size, sizes, &[at])?;
            Ok(vec![inner.arith("arith.muli", length[0], size)?])
        })?;
        let element = element_of(form).ok_or_else(BuildError::unexpected)?;
        let flat = MemRefType::contiguous(element, &[DYNAMIC], space_of(form));
        let memory = self.alloc_sized(flat.into(), &length)?;
        let memref = self.insert_one("memref.reshape", &[memory, sizes], form, &[])?;
        Ok(CopiedMemRef { memref, memory })
    }

    /// A ranked memref type with the shape of `like`, in a memory space, with a fully dynamic strided layout.
    fn any_layout(
        &self,
        like: Type<'c>,
        space: Option<Attribute<'c>>,
    ) -> Result<Type<'c>, BuildError> {
        let ranked = MemRefType::try_from(like).map_err(|_| BuildError::unexpected())?;
        let strides = vec!["?"; ranked.rank()].join(", ");
        let layout = format!("strided<[{strides}], offset: ?>");
        let layout = self.context.parse_attribute(&layout);
        let layout = layout.ok_or_else(BuildError::unexpected)?;
        let plain =
            crate::layout::with_memory_space(like, space).ok_or_else(BuildError::unexpected)?;
        crate::layout::with_layout(plain, layout).ok_or_else(BuildError::unexpected)
    }

    /// `memref.cast` to type `form`, unless the memref has it already.
    fn cast_to(&self, memref: Val<'c>, form: Type<'c>) -> Result<Val<'c>, BuildError> {
        if type_of(memref) == form {
            return Ok(memref);
        }
        self.insert_one("memref.cast", &[memref], form, &[])
    }

    /// New memory of a type, which `form` describes. Dynamic sizes, strides and the offset are those of `memref`.
    fn allocate_like(
        &self,
        memref: Val<'c>,
        r#type: Type<'c>,
        form: &StridedForm,
    ) -> Result<CopiedMemRef<'c>, BuildError> {
        let ranked = MemRefType::try_from(r#type).map_err(|_| BuildError::unexpected())?;
        let mut sizes: SmallVec<[SizeValue<'c>; 4]> = SmallVec::new();
        for (at, size) in form.sizes.iter().enumerate() {
            sizes.push(match size {
                Some(size) => SizeValue::Static(*size),
                None => {
                    let at = self.index(at as i64)?;
                    let index = self.index_type();
                    SizeValue::Dynamic(self.insert_one("memref.dim", &[memref, at], index, &[])?)
                }
            });
        }
        if crate::layout::has_identity_layout(r#type) {
            let memory = self.alloc_sized(r#type, &dynamic_values(&sizes))?;
            return Ok(CopiedMemRef {
                memref: memory,
                memory,
            });
        }
        let layout = self.strided_layout(memref, form, &sizes)?;
        let length = match layout.length {
            SizeValue::Static(length) => length,
            SizeValue::Dynamic(_) => DYNAMIC,
        };
        let flat = MemRefType::contiguous(ranked.element(), &[length], ranked.memory_space());
        let memory = self.alloc_sized(flat.into(), &dynamic_values(&[layout.length]))?;
        let all = |numbers: &[Option<i64>]| {
            let numbers = numbers.iter().map(|number| number.unwrap_or(DYNAMIC));
            self.context
                .integers(&numbers.collect::<SmallVec<[i64; 4]>>())
        };
        let offsets = dynamic_values(&[layout.offset]);
        let (sizes, strides) = (dynamic_values(&sizes), dynamic_values(&layout.strides));
        let counts = [1, offsets.len(), sizes.len(), strides.len()].map(|count| count as i32);
        let operands = [&[memory][..], &offsets, &sizes, &strides].concat();
        let memref = self.insert_one(
            "memref.reinterpret_cast",
            &operands,
            r#type,
            &[
                ("operandSegmentSizes", self.context.short_integers(&counts)),
                ("static_offsets", all(&[form.offset])),
                ("static_sizes", all(&form.sizes)),
                ("static_strides", all(&form.strides)),
            ],
        )?;
        Ok(CopiedMemRef { memref, memory })
    }

    /// `memref.alloc` with values for its dynamic sizes.
    fn alloc_sized(&self, memref: Type<'c>, sizes: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        let segments = self.context.short_integers(&[sizes.len() as i32, 0]);
        let segments = ("operandSegmentSizes", segments);
        self.insert_one("memref.alloc", sizes, memref, &[segments])
    }

    /// Strides, offset and number of elements spanned. Dynamic strides and the offset are those of `memref`. No
    /// element of the memref lies before the start of its memory. So no element of the copy does, whatever the signs
    /// of dynamic strides.
    fn strided_layout(
        &self,
        memref: Val<'c>,
        form: &StridedForm,
        sizes: &[SizeValue<'c>],
    ) -> Result<Layout<'c>, BuildError> {
        let known: SmallVec<[Val<'c>; 8]> = match form.has_dynamic_layout() {
            true => self.metadata(memref)?,
            false => SmallVec::new(),
        };
        let static_or_known = |number: &Option<i64>, at: usize| match number {
            Some(number) => Ok(SizeValue::Static(*number)),
            None => known
                .get(at)
                .map(|value| SizeValue::Dynamic(*value))
                .ok_or_else(BuildError::unexpected),
        };
        let offset = static_or_known(&form.offset, 0)?;
        let mut length = self.plus(offset, SizeValue::Static(1))?;
        let mut strides: SmallVec<[SizeValue<'c>; 4]> = SmallVec::new();
        for (at, (size, stride)) in sizes.iter().zip(&form.strides).enumerate() {
            let stride = static_or_known(stride, 1 + sizes.len() + at)?;
            let beyond = self.times(self.minus_one(*size)?, stride)?;
            length = self.plus(length, self.maximum_of(beyond, SizeValue::Static(0))?)?;
            strides.push(stride);
        }
        Ok(Layout {
            strides,
            offset,
            length,
        })
    }

    /// Offset, sizes and strides of a ranked memref.
    fn metadata(&self, memref: Val<'c>) -> Result<SmallVec<[Val<'c>; 8]>, BuildError> {
        let r#type = type_of(memref);
        let ranked = MemRefType::try_from(r#type).map_err(|_| BuildError::unexpected())?;
        let base = MemRefType::contiguous(ranked.element(), &[], ranked.memory_space());
        let mut types = vec![base.into()];
        types.resize(2 + 2 * ranked.rank(), self.index_type());
        let op = self.insert("memref.extract_strided_metadata", &[memref], &types, &[])?;
        Ok(results(op).skip(1).collect())
    }

    /// `max(size, 1) - 1`.
    fn minus_one(&self, size: SizeValue<'c>) -> Result<SizeValue<'c>, BuildError> {
        Ok(match size {
            SizeValue::Static(size) => SizeValue::Static((size - 1).max(0)),
            SizeValue::Dynamic(size) => {
                let one = self.index(1)?;
                let longer = self.arith("arith.maxsi", size, one)?;
                SizeValue::Dynamic(self.subtract(longer, one)?)
            }
        })
    }

    fn plus(&self, one: SizeValue<'c>, other: SizeValue<'c>) -> Result<SizeValue<'c>, BuildError> {
        self.fold_or_build("arith.addi", i64::checked_add, one, other)
    }

    fn times(&self, one: SizeValue<'c>, other: SizeValue<'c>) -> Result<SizeValue<'c>, BuildError> {
        self.fold_or_build("arith.muli", i64::checked_mul, one, other)
    }

    fn maximum_of(
        &self,
        one: SizeValue<'c>,
        other: SizeValue<'c>,
    ) -> Result<SizeValue<'c>, BuildError> {
        self.fold_or_build("arith.maxsi", |one, other| Some(one.max(other)), one, other)
    }

    fn fold_or_build(
        &self,
        name: &'static str,
        fold: fn(i64, i64) -> Option<i64>,
        one: SizeValue<'c>,
        other: SizeValue<'c>,
    ) -> Result<SizeValue<'c>, BuildError> {
        if let (SizeValue::Static(one), SizeValue::Static(other)) = (one, other) {
            let folded = fold(one, other).ok_or_else(BuildError::unexpected)?;
            return Ok(SizeValue::Static(folded));
        }
        self.arith(name, self.value(one)?, self.value(other)?)
            .map(SizeValue::Dynamic)
    }

    fn value(&self, number: SizeValue<'c>) -> Result<Val<'c>, BuildError> {
        match number {
            SizeValue::Static(number) => self.index(number),
            SizeValue::Dynamic(value) => Ok(value),
        }
    }
}

/// The reason why [`Builder::copy_of`] cannot copy a memref of type `from` as type `to`; `None` if it can.
/// `has_strict_casts` is the result of [`has_strict_casts`].
pub fn copy_problem(from: Type<'_>, to: Type<'_>, has_strict_casts: bool) -> Option<Problem> {
    if element_of(from) != element_of(to) {
        return Some(Problem::Shape);
    }
    let has_rank = |r#type: Type<'_>| MemRefType::try_from(r#type).is_ok();
    let form = match (has_rank(from), has_rank(to)) {
        (false, false) => return has_strict_casts.then_some(Problem::Rank),
        (true, false) => return StridedForm::of(from).err(),
        (_, true) => match StridedForm::of(to) {
            Ok(form) => form,
            Err(problem) => return Some(problem),
        },
    };
    if !has_rank(from) {
        return None;
    }
    // If the layout of the copy is static, the layout of the source does not matter.
    let has_dynamic_layout = form.has_dynamic_layout() && !crate::layout::has_identity_layout(to);
    match StridedForm::of(from) {
        Ok(source) if !form.has_shape_of(&source) => Some(Problem::Shape),
        Ok(source) => {
            (has_dynamic_layout && !form.matches_layout_of(&source)).then_some(Problem::Layout)
        }
        Err(Problem::Shape) => Some(Problem::Shape),
        Err(_) => has_dynamic_layout.then_some(Problem::Layout),
    }
}

/// Does an operation in `root` take an unranked memref, and return a ranked one whose layout is not the identity?
pub fn has_strict_casts(root: Op<'_>) -> bool {
    let has_rank = |r#type: Type<'_>| MemRefType::try_from(r#type).is_ok();
    let is_unranked = |val: Val<'_>| {
        // SAFETY: a live type.
        unsafe { mlir_sys::mlirTypeIsAUnrankedMemRef(type_of(val).to_raw()) }
    };
    let mut open = vec![root];
    while let Some(op) = open.pop() {
        // Checked second: unranked operands are rare, and checking a layout is slow.
        let returns_strided = || {
            let mut given = results(op).map(type_of);
            given.any(|given| has_rank(given) && !crate::layout::has_identity_layout(given))
        };
        if operands(op).any(is_unranked) && returns_strided() {
            return true;
        }
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
    }
    false
}

/// The memory space of a memref, ranked or unranked; `None` for the default one.
fn space_of<'c>(memref: Type<'c>) -> Option<Attribute<'c>> {
    match MemRefType::try_from(memref) {
        Ok(ranked) => ranked.memory_space(),
        // SAFETY: a live type; a memref that is not ranked is unranked.
        Err(_) => unsafe {
            let raw = memref.to_raw();
            mlir_sys::mlirTypeIsAUnrankedMemRef(raw)
                .then(|| mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw))
                .and_then(|space| Attribute::from_option_raw(space))
        },
    }
}

/// The dynamic values among `numbers`.
fn dynamic_values<'c>(numbers: &[SizeValue<'c>]) -> SmallVec<[Val<'c>; 4]> {
    let dynamic = numbers.iter().filter_map(|number| match number {
        SizeValue::Static(_) => None,
        SizeValue::Dynamic(value) => Some(*value),
    });
    dynamic.collect()
}
