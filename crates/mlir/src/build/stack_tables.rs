//! Small tables on the stack, and memref descriptors stored in them.

use super::{BuildError, Builder};
use crate::{
    ir::{Op, Origin, Val, operands, origin, results, type_of},
    layout::{element_count, with_sizes},
};
use melior::ir::{
    Attribute, ShapedTypeLike, Type, TypeLike, operation::OperationLike, r#type::MemRefType,
};
use smallvec::SmallVec;

/// Bytes of the allocated pointer, the aligned pointer and the offset: the first three fields of a ranked memref's
/// descriptor in the LLVM lowering.
const DESCRIPTOR: i64 = 24;
const DESCRIPTOR_ALIGNMENT: i64 = 16;
/// Bytes of the largest scalar, `complex<f64>`.
const ANY_NUMBER: i64 = 16;

impl<'c> Builder<'c> {
    /// `i1`.
    pub fn boolean_type(&self) -> Type<'c> {
        self.context.integer_type(1)
    }

    /// `memref<SIZExELEMENT>`; `None` stands for a dynamic size.
    pub fn table_type(&self, size: Option<i64>, element: Type<'c>) -> Type<'c> {
        MemRefType::contiguous(element, &[size.unwrap_or(i64::MIN)], None).into()
    }

    /// `memref.alloca` of a table.
    pub fn table(&self, size: i64, element: Type<'c>) -> Result<Val<'c>, BuildError> {
        let memref = self.table_type(Some(size), element);
        let sizes = self.context.short_integers(&[0, 0]);
        self.insert_one(
            "memref.alloca",
            &[],
            memref,
            &[("operandSegmentSizes", sizes)],
        )
    }

    /// `memref.cast` of a table to dynamic size.
    pub fn with_dynamic_size(
        &self,
        table: Val<'c>,
        element: Type<'c>,
    ) -> Result<Val<'c>, BuildError> {
        self.insert_one("memref.cast", &[table], self.table_type(None, element), &[])
    }

    /// Repeats `op`, a `memref.alloc` or `memref.alloca`, with these static sizes in place of its dynamic ones. The
    /// result has the type of `op`'s result. `None` for other operations, and for memrefs whose layout is not the
    /// identity.
    pub fn allocation_of(&self, op: Op<'c>, sizes: &[i64]) -> Result<Option<Val<'c>>, BuildError> {
        let name = match op.name().as_string_ref().as_str() {
            Ok("memref.alloc") => "memref.alloc",
            Ok("memref.alloca") => "memref.alloca",
            _ => return Ok(None),
        };
        let result = results(op).next().ok_or_else(BuildError::unexpected)?;
        let Some(memref) = with_sizes(type_of(result), sizes) else {
            return Ok(None);
        };
        let mut attributes = vec![("operandSegmentSizes", self.context.short_integers(&[0, 0]))];
        let alignment = op.attribute("alignment").ok();
        attributes.extend(alignment.map(|alignment| ("alignment", alignment)));
        let allocation = self.insert(name, &[], &[memref], &attributes)?;
        // Discardable attributes of the original.
        for (name, value) in op.attributes() {
            let name = name.as_string_ref();
            let name = name.as_str().map_err(|_| BuildError::unexpected())?;
            if !allocation.has_attribute(name) {
                super::set_attribute(allocation, name, value);
            }
        }
        let allocation = results(allocation)
            .next()
            .ok_or_else(BuildError::unexpected)?;
        self.insert_one("memref.cast", &[allocation], type_of(result), &[])
            .map(Some)
    }

    /// `memref.load`.
    pub fn load(
        &self,
        table: Val<'c>,
        at: &[Val<'c>],
        element: Type<'c>,
    ) -> Result<Val<'c>, BuildError> {
        self.insert_one("memref.load", &[&[table], at].concat(), element, &[])
    }

    /// `memref.store`.
    pub fn store(&self, val: Val<'c>, table: Val<'c>, at: &[Val<'c>]) -> Result<(), BuildError> {
        self.insert("memref.store", &[&[val, table], at].concat(), &[], &[])?;
        Ok(())
    }

    /// `arith.index_castui` to `i64`.
    pub fn as_i64(&self, index: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one(
            "arith.index_castui",
            &[index],
            self.context.integer_type(64),
            &[],
        )
    }

    /// Stack memory for the descriptor of a memref of rank 0.
    pub fn descriptor(&self) -> Result<Val<'c>, BuildError> {
        let memref = self.table_type(Some(DESCRIPTOR), self.context.integer_type(8));
        let op = self.alloca(memref, DESCRIPTOR_ALIGNMENT)?;
        crate::ir::results(op)
            .next()
            .ok_or_else(BuildError::unexpected)
    }

    /// A `memref.view` of a descriptor as `memref`.
    pub fn cell(&self, descriptor: Val<'c>, memref: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.view(descriptor, self.index(0)?, memref, &[])
    }

    /// Views a memref as type `form`, the result of [`common_start_type`] for it and others.
    pub fn view_start_as(&self, memref: Val<'c>, form: Type<'c>) -> Result<Val<'c>, BuildError> {
        if type_of(memref) == form {
            return Ok(memref);
        }
        let (Some((own, _)), Some((element, _))) = (parts(type_of(memref)), parts(form)) else {
            return Err(BuildError::unexpected());
        };
        if own == element {
            return self.without_dimensions(memref);
        }
        let row = if is_row(type_of(memref)) {
            memref
        } else {
            self.reinterpreted(memref, &[bytes_in(type_of(memref))])?
        };
        self.view(row, self.index(0)?, form, &[])
    }

    /// Any memref of a flat type from [`common_start_type`]: for code that is never executed.
    pub fn placeholder_memref(&self, form: Type<'c>) -> Result<Val<'c>, BuildError> {
        let sizes = ("operandSegmentSizes", self.context.short_integers(&[0, 0]));
        self.insert_one("memref.alloca", &[], form, &[sizes])
    }

    /// A contiguous memref of static shape as one dimension, its number of elements, and its element type.
    pub fn flattened(&self, memref: Val<'c>) -> Result<(Val<'c>, i64, Type<'c>), BuildError> {
        let r#type = type_of(memref);
        let (Some((element, _)), Some(count)) = (parts(r#type), element_count(r#type)) else {
            return Err(BuildError::unexpected());
        };
        let row = self.reinterpreted(memref, &[count])?;
        Ok((row, count, element))
    }

    /// The memref as rank 0.
    pub fn without_dimensions(&self, memref: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.reinterpreted(memref, &[])
    }

    /// The memref with these sizes, at most one, and the identity layout.
    fn reinterpreted(&self, memref: Val<'c>, sizes: &[i64]) -> Result<Val<'c>, BuildError> {
        let Some((element, space)) = parts(type_of(memref)) else {
            return Err(BuildError::unexpected());
        };
        let flat: Type<'c> = MemRefType::contiguous(element, sizes, space).into();
        if type_of(memref) == flat {
            return Ok(memref);
        }
        self.insert_one(
            "memref.reinterpret_cast",
            &[memref],
            flat,
            &[
                (
                    "operandSegmentSizes",
                    self.context.short_integers(&[1, 0, 0, 0]),
                ),
                ("static_offsets", self.context.integers(&[0])),
                ("static_sizes", self.context.integers(sizes)),
                ("static_strides", self.context.integers(&[1][..sizes.len()])),
            ],
        )
    }
}

/// A load or a store of one element, as [`Builder::load`] and [`Builder::store`] write them.
#[derive(Clone, Debug)]
pub struct ElementAccess<'c> {
    /// The memref.
    pub memory: Val<'c>,
    /// The stored value; `None` for a load.
    pub stored: Option<Val<'c>>,
    /// The index of the element in each dimension.
    pub indices: SmallVec<[Val<'c>; 2]>,
}

/// The access of an operation, if it is a `memref.load` or `memref.store`.
pub fn element_access<'c>(op: Op<'c>) -> Option<ElementAccess<'c>> {
    let mut all = operands(op);
    let stored = match op.name().as_string_ref().as_str().ok()? {
        "memref.load" => None,
        "memref.store" => Some(all.next()?),
        _ => return None,
    };
    Some(ElementAccess {
        memory: all.next()?,
        stored,
        indices: all.collect(),
    })
}

/// The stack memory and the byte shift of a view that [`Builder::cell`] wrote.
pub fn viewed_stack<'c>(view: Val<'c>) -> Option<(Val<'c>, Val<'c>)> {
    let named = |val: Val<'c>, wanted: &str| match origin(val)? {
        Origin::Result(op, _) => {
            let is_it = op.name().as_string_ref().as_str() == Ok(wanted);
            is_it.then_some(op)
        }
        Origin::Argument(..) => None,
    };
    let mut given = operands(named(view, "memref.view")?);
    let (memory, shift) = (given.next()?, given.next()?);
    named(memory, "memref.alloca").map(|_| (memory, shift))
}

/// The type as which [`Builder::view_start_as`] views memrefs of all `types`, such that the data start stays the
/// same. One type stays as it is unless `is_flat`. Otherwise the result has rank 0, and the element type that all
/// types have which are not plain bytes. `None` if element types or memory spaces differ.
pub fn common_start_type<'c>(types: &[Type<'c>], is_flat: bool) -> Option<Type<'c>> {
    let (first, others) = types.split_first()?;
    if others.is_empty() && !is_flat {
        return Some(*first);
    }
    let (bytes, space) = parts(*first)?;
    let mut element = bytes;
    let mut is_found = false;
    for r#type in types {
        let (own, own_space) = parts(*r#type)?;
        if own_space != space {
            return None;
        }
        if is_bytes(*r#type) {
            element = if is_found { element } else { own };
        } else if is_found && own != element {
            return None;
        } else {
            (element, is_found) = (own, true);
        }
    }
    Some(MemRefType::contiguous(element, &[], space).into())
}

/// Is the element type `i8`? Bytes may be viewed as any type.
fn is_bytes(memref: Type<'_>) -> bool {
    let Some((element, _)) = parts(memref) else {
        return false;
    };
    // SAFETY: a live type, whose kind is checked first.
    unsafe {
        let raw = element.to_raw();
        mlir_sys::mlirTypeIsAInteger(raw)
            && mlir_sys::mlirIntegerTypeGetWidth(raw) == 8
            && mlir_sys::mlirIntegerTypeIsSignless(raw)
    }
}

/// The sizes of a ranked memref; dynamic sizes are negative.
fn sizes_of(memref: Type<'_>) -> Option<SmallVec<[i64; 4]>> {
    MemRefType::try_from(memref).ok()?;
    // SAFETY: a live ranked memref type.
    unsafe {
        let raw = memref.to_raw();
        let rank = mlir_sys::mlirShapedTypeGetRank(raw) as isize;
        Some(
            (0..rank)
                .map(|at| mlir_sys::mlirShapedTypeGetDimSize(raw, at))
                .collect(),
        )
    }
}

/// Has the memref one dimension and the identity layout?
fn is_row(memref: Type<'_>) -> bool {
    let Some((element, space)) = parts(memref) else {
        return false;
    };
    let sizes = sizes_of(memref).filter(|sizes| sizes.len() == 1);
    sizes.is_some_and(|sizes| memref == MemRefType::contiguous(element, &sizes, space).into())
}

/// The size of a memref of bytes; if that is not static, the size of the largest scalar.
fn bytes_in(memref: Type<'_>) -> i64 {
    let sizes = sizes_of(memref).filter(|sizes| sizes.iter().all(|size| *size >= 0));
    let product = sizes.and_then(|sizes| {
        let mut sizes = sizes.iter();
        sizes.try_fold(1_i64, |product, size| product.checked_mul(*size))
    });
    product.unwrap_or(ANY_NUMBER)
}

/// The element type and memory space of a memref, ranked or not.
fn parts(r#type: Type<'_>) -> Option<(Type<'_>, Option<Attribute<'_>>)> {
    if let Ok(ranked) = MemRefType::try_from(r#type) {
        return Some((ranked.element(), ranked.memory_space()));
    }
    // SAFETY: a live type, whose kind is checked first; the space may be null.
    unsafe {
        let raw = r#type.to_raw();
        if !mlir_sys::mlirTypeIsAUnrankedMemRef(raw) {
            return None;
        }
        let element = Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw));
        let space = Attribute::from_option_raw(mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw));
        Some((element, space))
    }
}
