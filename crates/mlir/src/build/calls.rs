//! Calls with results, declarations, and stack cells.

use super::{BuildError, Builder};
use crate::ir::{Op, Val, arguments};
use melior::ir::{Attribute, Region, Type, attribute::TypeAttribute, r#type::MemRefType};

impl<'c> Builder<'c> {
    /// `func.call @NAME` of a function with one result.
    pub fn call_for(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let name = self.context.symbol(name);
        self.insert_one("func.call", operands, result, &[("callee", name)])
    }

    /// `func.func private @NAME` without a body, with `llvm.emit_c_interface` so that it can be implemented in C.
    pub fn declare(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
    ) -> Result<Op<'c>, BuildError> {
        self.private(
            name,
            inputs,
            results,
            "llvm.emit_c_interface",
            Region::new(),
        )
    }

    /// `func.func private @NAME` that is never inlined. `body` returns the values that the function returns.
    pub fn private_function_of(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        body: impl FnOnce(&Self, &[Val<'c>]) -> Result<Vec<Val<'c>>, BuildError>,
    ) -> Result<Op<'c>, BuildError> {
        let (region, inner) = self.body(inputs);
        let body_arguments: Vec<Val<'c>> = arguments(inner.block).collect();
        let returned = body(&inner, &body_arguments)?;
        inner.insert("func.return", &returned, &[], &[])?;
        self.private(name, inputs, results, "no_inline", region)
    }

    /// `func.func private @NAME` with a unit attribute.
    fn private(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        mark: &'static str,
        body: Region<'c>,
    ) -> Result<Op<'c>, BuildError> {
        let r#type = self.context.function_type(inputs, results);
        let attributes: [(&str, Attribute<'c>); 4] = [
            ("sym_name", self.context.text(name)),
            ("sym_visibility", self.context.text("private")),
            ("function_type", TypeAttribute::new(r#type).into()),
            (mark, self.context.unit()),
        ];
        self.insert_with("func.func", &[], &[], &attributes, vec![body])
    }

    /// The type `i64`.
    pub fn i64_type(&self) -> Type<'c> {
        self.context.integer_type(64)
    }

    /// `memref<?xi8>`.
    pub fn any_bytes_type(&self) -> Type<'c> {
        MemRefType::contiguous(self.context.integer_type(8), &[i64::MIN], None).into()
    }

    /// `memref<ELEMENT>`, or `memref<COUNTxELEMENT>`.
    pub fn cell_type(&self, element: Type<'c>, count: Option<i64>) -> Type<'c> {
        let count: Vec<i64> = count.into_iter().collect();
        MemRefType::contiguous(element, &count, None).into()
    }

    /// `memref.alloca()`.
    pub fn alloca_of(&self, memref: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.alloca_cell(memref)
    }
}
