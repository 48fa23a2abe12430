//! Operations with regions, and calls without results.

use super::{BuildError, Builder};
use crate::ir::{Block, Op, Val, arguments, results};
use melior::ir::{
    Attribute, BlockLike, Region, RegionLike, Type, ValueLike, attribute::TypeAttribute,
};

impl<'c> Builder<'c> {
    /// Inserts at the end of a new block.
    fn inside(&self, block: Block<'c>) -> Self {
        Self {
            block,
            before: None,
            ..*self
        }
    }

    /// A region with one block whose arguments have these types, and an insertion point in it.
    pub(super) fn body(&self, types: &[Type<'c>]) -> (Region<'c>, Self) {
        let region = Region::new();
        let types: Vec<_> = types
            .iter()
            .map(|r#type| (*r#type, self.location))
            .collect();
        let block = region.append_block(melior::ir::Block::new(&types));
        // SAFETY: the block belongs to the region, which an operation takes over.
        let block: Block<'c> = unsafe { Block::from_raw(block.to_raw()) };
        (region, self.inside(block))
    }

    /// `scf.if` without results; `then` builds the body.
    pub fn if_then(
        &self,
        condition: Val<'c>,
        then: impl FnOnce(&Self) -> Result<(), BuildError>,
    ) -> Result<Op<'c>, BuildError> {
        let (region, inner) = self.body(&[]);
        then(&inner)?;
        inner.insert("scf.yield", &[], &[], &[])?;
        self.insert_with(
            "scf.if",
            &[condition],
            &[],
            &[],
            vec![region, Region::new()],
        )
    }

    /// `scf.for` from `from` to `to` with step 1. `body` gets the induction variable and the iteration arguments, and
    /// returns the yielded values.
    pub fn for_loop(
        &self,
        [from, to]: [Val<'c>; 2],
        start: &[Val<'c>],
        body: impl FnOnce(&Self, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>, BuildError>,
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let one = self.index(1)?;
        let types: Vec<Type<'c>> = start.iter().map(|val| val.r#type()).collect();
        let all = [&[self.index_type()], types.as_slice()].concat();
        let (region, inner) = self.body(&all);
        let body_arguments: Vec<Val<'c>> = arguments(inner.block).collect();
        let next = body(&inner, body_arguments[0], &body_arguments[1..])?;
        inner.insert("scf.yield", &next, &[], &[])?;
        let operands = [&[from, to, one], start].concat();
        let op = self.insert_with("scf.for", &operands, &types, &[], vec![region])?;
        Ok(results(op).collect())
    }

    /// `scf.for` without iteration arguments; `bounds` are the lower bound, the upper bound and the step. `body` gets
    /// the induction variable.
    pub fn for_each(
        &self,
        bounds: [Val<'c>; 3],
        body: impl FnOnce(&Self, Val<'c>) -> Result<(), BuildError>,
    ) -> Result<Op<'c>, BuildError> {
        let (region, inner) = self.body(&[self.index_type()]);
        let index = arguments(inner.block).next();
        body(&inner, index.ok_or_else(BuildError::unexpected)?)?;
        inner.insert("scf.yield", &[], &[], &[])?;
        self.insert_with("scf.for", &bounds, &[], &[], vec![region])
    }

    /// `memref.alloca_scope` that returns the values of `body`.
    pub fn scope(
        &self,
        body: impl FnOnce(&Self) -> Result<Vec<Val<'c>>, BuildError>,
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let (region, inner) = self.body(&[]);
        let given = body(&inner)?;
        let types: Vec<Type<'c>> = given.iter().map(|val| val.r#type()).collect();
        inner.insert("memref.alloca_scope.return", &given, &[], &[])?;
        let op = self.insert_with("memref.alloca_scope", &[], &types, &[], vec![region])?;
        Ok(results(op).collect())
    }

    /// `func.func private @NAME` without results.
    pub fn private_function(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        body: impl FnOnce(&Self, &[Val<'c>]) -> Result<(), BuildError>,
    ) -> Result<Op<'c>, BuildError> {
        let (region, inner) = self.body(inputs);
        let body_arguments: Vec<Val<'c>> = arguments(inner.block).collect();
        body(&inner, &body_arguments)?;
        inner.insert("func.return", &[], &[], &[])?;
        let r#type = self.context.function_type(inputs, &[]);
        let attributes: [(&str, Attribute<'c>); 3] = [
            ("sym_name", self.context.text(name)),
            ("sym_visibility", self.context.text("private")),
            ("function_type", TypeAttribute::new(r#type).into()),
        ];
        self.insert_with("func.func", &[], &[], &attributes, vec![region])
    }

    /// `func.call @NAME` of a function without results.
    pub fn call(&self, name: &str, operands: &[Val<'c>]) -> Result<Op<'c>, BuildError> {
        let name = self.context.symbol(name);
        self.insert("func.call", operands, &[], &[("callee", name)])
    }
}
