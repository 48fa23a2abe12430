//! Small tables on the stack, and memrefs seen as words.

use super::{BuildError, Builder};
use crate::ir::{Val, type_of};
use melior::ir::{Attribute, ShapedTypeLike, Type, TypeLike, r#type::MemRefType};

/// The first three words of a ranked memref as the LLVM lowering lays it out: the allocated pointer, that
/// of the data, the offset.
const DESCRIPTOR: i64 = 24;
const DESCRIPTOR_ALIGNMENT: i64 = 16;

impl<'c> Builder<'c> {
    /// `i1`.
    pub fn truth_type(&self) -> Type<'c> {
        self.context.integer_type(1)
    }

    /// `memref<SIZExELEMENT>`; `None`: a size that only the run knows.
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

    /// `memref.cast` of a table to one of any size.
    pub fn any_size(&self, table: Val<'c>, element: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one("memref.cast", &[table], self.table_type(None, element), &[])
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

    /// An index as `i64`.
    pub fn as_i64(&self, index: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one(
            "arith.index_castui",
            &[index],
            self.context.integer_type(64),
            &[],
        )
    }

    /// Stack memory that a memref without dimensions fits in.
    pub fn descriptor(&self) -> Result<Val<'c>, BuildError> {
        let memref = self.table_type(Some(DESCRIPTOR), self.context.integer_type(8));
        let op = self.alloca(memref, DESCRIPTOR_ALIGNMENT)?;
        crate::ir::results(op)
            .next()
            .ok_or_else(BuildError::signature)
    }

    /// A descriptor as a cell for one value of a type.
    pub fn cell(&self, descriptor: Val<'c>, of: Type<'c>) -> Result<Val<'c>, BuildError> {
        let cell = MemRefType::contiguous(of, &[], None).into();
        self.view(descriptor, self.index(0)?, cell, &[])
    }

    /// The same memory as a memref without dimensions.
    pub fn without_dimensions(&self, memref: Val<'c>) -> Result<Val<'c>, BuildError> {
        let Some((element, space)) = parts(type_of(memref)) else {
            return Err(BuildError::signature());
        };
        let flat: Type<'c> = MemRefType::contiguous(element, &[], space).into();
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
                ("static_sizes", self.context.integers(&[])),
                ("static_strides", self.context.integers(&[])),
            ],
        )
    }
}

/// The element type and memory space of a memref, ranked or not.
fn parts(r#type: Type<'_>) -> Option<(Type<'_>, Option<Attribute<'_>>)> {
    if let Ok(ranked) = MemRefType::try_from(r#type) {
        return Some((ranked.element(), ranked.memory_space()));
    }
    // SAFETY: a live type of the kind that is asked first; the space may be null.
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
