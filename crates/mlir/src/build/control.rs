//! Operations with bodies, and calls.

use super::{BuildError, Builder};
use crate::ir::{Block, Op, Val, arguments, results};
use melior::ir::{
    Attribute, BlockLike, Region, RegionLike, Type, ValueLike, attribute::TypeAttribute,
};

impl<'c> Builder<'c> {
    /// At the end of a block that is being made.
    fn inside(&self, block: Block<'c>) -> Self {
        Self {
            block,
            before: None,
            ..*self
        }
    }

    /// A region with one block.
    pub(super) fn body(&self, types: &[Type<'c>]) -> (Region<'c>, Self) {
        let region = Region::new();
        let types: Vec<_> = types
            .iter()
            .map(|r#type| (*r#type, self.location))
            .collect();
        let block = region.append_block(melior::ir::Block::new(&types));
        // SAFETY: the block belongs to the region, which an operation takes.
        let block: Block<'c> = unsafe { Block::from_raw(block.to_raw()) };
        (region, self.inside(block))
    }

    /// `scf.if` without results, and what it does if the condition holds.
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

    /// `scf.for` with step 1; `turn` gets the index and what the turn before gave, and gives what the next
    /// one gets.
    pub fn count(
        &self,
        [from, to]: [Val<'c>; 2],
        start: &[Val<'c>],
        turn: impl FnOnce(&Self, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>, BuildError>,
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let one = self.index(1)?;
        let types: Vec<Type<'c>> = start.iter().map(|val| val.r#type()).collect();
        let all = [&[self.index_type()], types.as_slice()].concat();
        let (region, inner) = self.body(&all);
        let given: Vec<Val<'c>> = arguments(inner.block).collect();
        let next = turn(&inner, given[0], &given[1..])?;
        inner.insert("scf.yield", &next, &[], &[])?;
        let operands = [&[from, to, one], start].concat();
        let op = self.insert_with("scf.for", &operands, &types, &[], vec![region])?;
        Ok(results(op).collect())
    }

    /// `scf.for` that hands nothing on, with the bounds and the step given; `turn` gets the index.
    pub fn each(
        &self,
        bounds: [Val<'c>; 3],
        turn: impl FnOnce(&Self, Val<'c>) -> Result<(), BuildError>,
    ) -> Result<Op<'c>, BuildError> {
        let (region, inner) = self.body(&[self.index_type()]);
        let index = arguments(inner.block).next();
        turn(&inner, index.ok_or_else(BuildError::signature)?)?;
        inner.insert("scf.yield", &[], &[], &[])?;
        self.insert_with("scf.for", &bounds, &[], &[], vec![region])
    }

    /// `memref.alloca_scope`, which hands on what `body` gives.
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
        let given: Vec<Val<'c>> = arguments(inner.block).collect();
        body(&inner, &given)?;
        inner.insert("func.return", &[], &[], &[])?;
        let r#type = self.context.function_type(inputs, &[]);
        let attributes: [(&str, Attribute<'c>); 3] = [
            ("sym_name", self.context.text(name)),
            ("sym_visibility", self.context.text("private")),
            ("function_type", TypeAttribute::new(r#type).into()),
        ];
        self.insert_with("func.func", &[], &[], &attributes, vec![region])
    }

    /// `func.call @NAME` of what gives nothing back.
    pub fn call(&self, name: &str, operands: &[Val<'c>]) -> Result<Op<'c>, BuildError> {
        let name = self.context.symbol(name);
        self.insert("func.call", operands, &[], &[("callee", name)])
    }
}
