//! New memory with what a memref holds.
//!
//! `bufferization.clone` says the same in one operation, but whoever folds it has to see every place where one of the two is
//! freed, which canonicalization does not: it passes over `bufferization.dealloc`, frees inside regions, and calls.

mod form;

use super::{BuildError, Builder};
use crate::ir::{Op, Val, blocks, element_of, operands, ops, regions, results, type_of};
use form::Form;
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

/// Why a memref cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is no copy.
    #[error("it has another shape or other elements than what it copies")]
    Shape,
    /// It has no strides, or some that go backwards.
    #[error("give it strides that go forwards")]
    Strides,
    /// It is too large.
    #[error("it has more elements than can be counted")]
    Size,
    /// It says of its layout neither what it is nor that it is that of what it copies.
    #[error("give it the layout of what it copies, or one that its type tells")]
    Layout,
    /// It has no rank, so its strides cannot be asked for, and somebody may rely on them.
    #[error(
        "give it a rank: a memref.cast from one without a rank relies on strides that a copy does not have"
    )]
    Rank,
}

/// A copy.
pub struct Copied<'c> {
    /// The memref.
    pub memref: Val<'c>,
    /// The memory, as it was allocated.
    pub memory: Val<'c>,
}

/// Where elements lie, in elements.
struct Layout<'c> {
    strides: SmallVec<[Number<'c>; 4]>,
    offset: Number<'c>,
    /// From the start of the memory to behind the last element.
    length: Number<'c>,
}

impl<'c> Builder<'c> {
    /// A copy of a memref as one of type `form`, by `memref.alloc` and `memref.copy`. It is laid out as `form` says; strides and an
    /// offset that only the run knows are those of the memref, as what is done with the copy may rely on any of them: views join
    /// dimensions, and casts tell what the type left open. A layout that is not row by row is one of
    /// `memref.reinterpret_cast`. Without a rank it is row by row, in a shape given by `memref.reshape`. To be asked first:
    /// [`copy_problem`].
    pub fn written_copy(&self, memref: Val<'c>, form: Type<'c>) -> Result<Copied<'c>, BuildError> {
        let given = type_of(memref);
        let has_rank = |r#type: Type<'c>| MemRefType::try_from(r#type).is_ok();
        if !has_rank(given) && !has_rank(form) {
            let copied = self.without_rank(memref, form)?;
            self.copy(memref, copied.memref)?;
            return Ok(copied);
        }
        let like = match has_rank(form) {
            true => form,
            // The same memref, where `form` is.
            false => {
                crate::layout::in_space(given, space_of(form)).ok_or_else(BuildError::signature)?
            }
        };
        let told = Form::of(like).map_err(|_| BuildError::signature())?;
        let source = match has_rank(given) {
            true => memref,
            false => self.as_form(memref, self.any_layout(like, space_of(given))?)?,
        };
        let fresh = self.like(source, like, &told)?;
        self.copy(source, fresh.memref)?;
        Ok(Copied {
            memref: self.as_form(fresh.memref, form)?,
            ..fresh
        })
    }

    /// New memory of the sizes of a memref without a rank, row by row.
    fn without_rank(&self, memref: Val<'c>, form: Type<'c>) -> Result<Copied<'c>, BuildError> {
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
        let element = element_of(form).ok_or_else(BuildError::signature)?;
        let flat = MemRefType::contiguous(element, &[DYNAMIC], space_of(form));
        let memory = self.alloc_sized(flat.into(), &length)?;
        let memref = self.insert_one("memref.reshape", &[memory, sizes], form, &[])?;
        Ok(Copied { memref, memory })
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

    /// New memory of a type, which `form` is about, with the sizes of a memref, and its layout where the type leaves that open.
    fn like(
        &self,
        memref: Val<'c>,
        r#type: Type<'c>,
        form: &Form,
    ) -> Result<Copied<'c>, BuildError> {
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
            let memory = self.alloc_sized(r#type, &run_time(&sizes))?;
            return Ok(Copied {
                memref: memory,
                memory,
            });
        }
        let layout = self.laid_out(memref, form, &sizes)?;
        let told = match layout.length {
            Number::Told(length) => length,
            Number::Run(_) => DYNAMIC,
        };
        let flat = MemRefType::contiguous(ranked.element(), &[told], ranked.memory_space());
        let memory = self.alloc_sized(flat.into(), &run_time(&[layout.length]))?;
        let all = |numbers: &[Option<i64>]| {
            let numbers = numbers.iter().map(|number| number.unwrap_or(DYNAMIC));
            self.context
                .integers(&numbers.collect::<SmallVec<[i64; 4]>>())
        };
        let offsets = run_time(&[layout.offset]);
        let (sizes, strides) = (run_time(&sizes), run_time(&layout.strides));
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
        Ok(Copied { memref, memory })
    }

    /// `memref.alloc` with sizes for the dimensions that only the run knows.
    fn alloc_sized(&self, memref: Type<'c>, sizes: &[Val<'c>]) -> Result<Val<'c>, BuildError> {
        let segments = self.context.short_integers(&[sizes.len() as i32, 0]);
        let segments = ("operandSegmentSizes", segments);
        self.insert_one("memref.alloc", sizes, memref, &[segments])
    }

    /// Strides and offset, those of a memref where the type leaves them open, and how many elements they span. No element of
    /// the memref lies in front of where its memory starts, so none of the copy does, whichever way strides go that only the run
    /// knows.
    fn laid_out(
        &self,
        memref: Val<'c>,
        form: &Form,
        sizes: &[Number<'c>],
    ) -> Result<Layout<'c>, BuildError> {
        let known: SmallVec<[Val<'c>; 8]> = match form.is_open() {
            true => self.metadata(memref)?,
            false => SmallVec::new(),
        };
        let told = |number: &Option<i64>, at: usize| match number {
            Some(number) => Ok(Number::Told(*number)),
            None => known
                .get(at)
                .map(|value| Number::Run(*value))
                .ok_or_else(BuildError::signature),
        };
        let offset = told(&form.offset, 0)?;
        let mut length = self.plus(offset, Number::Told(1))?;
        let mut strides: SmallVec<[Number<'c>; 4]> = SmallVec::new();
        for (at, (size, stride)) in sizes.iter().zip(&form.strides).enumerate() {
            let stride = told(stride, 1 + sizes.len() + at)?;
            let beyond = self.times(self.less_one(*size)?, stride)?;
            length = self.plus(length, self.most(beyond, Number::Told(0))?)?;
            strides.push(stride);
        }
        Ok(Layout {
            strides,
            offset,
            length,
        })
    }

    /// The offset, the sizes and the strides of a ranked memref.
    fn metadata(&self, memref: Val<'c>) -> Result<SmallVec<[Val<'c>; 8]>, BuildError> {
        let r#type = type_of(memref);
        let ranked = MemRefType::try_from(r#type).map_err(|_| BuildError::signature())?;
        let base = MemRefType::contiguous(ranked.element(), &[], ranked.memory_space());
        let mut types = vec![base.into()];
        types.resize(2 + 2 * ranked.rank(), self.index_type());
        let op = self.insert("memref.extract_strided_metadata", &[memref], &types, &[])?;
        Ok(results(op).skip(1).collect())
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

/// Why a memref of one type cannot be copied to one of another by [`Builder::written_copy`]; `None` if it can. `has_strict_casts`
/// says whether somebody relies on strides of what has no rank, as [`has_strict_casts`] does.
pub fn copy_problem(from: Type<'_>, to: Type<'_>, has_strict_casts: bool) -> Option<Problem> {
    if element_of(from) != element_of(to) {
        return Some(Problem::Shape);
    }
    let has_rank = |r#type: Type<'_>| MemRefType::try_from(r#type).is_ok();
    let form = match (has_rank(from), has_rank(to)) {
        (false, false) => return has_strict_casts.then_some(Problem::Rank),
        (true, false) => return Form::of(from).err(),
        (_, true) => match Form::of(to) {
            Ok(form) => form,
            Err(problem) => return Some(problem),
        },
    };
    if !has_rank(from) {
        return None;
    }
    // The source may look like anything where the layout of the copy is told.
    let is_open = form.is_open() && !crate::layout::is_row_by_row(to);
    match Form::of(from) {
        Ok(source) if !form.has_shape_of(&source) => Some(Problem::Shape),
        Ok(source) => (is_open && !form.is_laid_out_like(&source)).then_some(Problem::Layout),
        Err(Problem::Shape) => Some(Problem::Shape),
        Err(_) => is_open.then_some(Problem::Layout),
    }
}

/// Does an operation in `root` give what has no rank one, with other strides than row by row?
pub fn has_strict_casts(root: Op<'_>) -> bool {
    let has_rank = |r#type: Type<'_>| MemRefType::try_from(r#type).is_ok();
    let is_unranked = |val: Val<'_>| {
        // SAFETY: a live type.
        unsafe { mlir_sys::mlirTypeIsAUnrankedMemRef(type_of(val).to_raw()) }
    };
    let mut open = vec![root];
    while let Some(op) = open.pop() {
        // Few have no rank, and to look at a layout takes long.
        let gives = || {
            let mut given = results(op).map(type_of);
            given.any(|given| has_rank(given) && !crate::layout::is_row_by_row(given))
        };
        if operands(op).any(is_unranked) && gives() {
            return true;
        }
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
    }
    false
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
