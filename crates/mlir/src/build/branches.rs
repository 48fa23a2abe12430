//! Branches between blocks.

use super::{BuildError, Builder};
use crate::ir::{Block, Op, Val, changes};
use melior::ir::{Attribute, BlockLike, Type, operation::OperationBuilder};

impl<'c> Builder<'c> {
    /// A signless integer type.
    pub fn integer_type(&self, bits: u32) -> Type<'c> {
        self.context.integer_type(bits)
    }

    fn branch(
        &self,
        name: &'static str,
        operands: &[Val<'c>],
        attributes: &[(&str, Attribute<'c>)],
        successors: &[Block<'c>],
    ) -> Result<Op<'c>, BuildError> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (self.context.identifier(name), *value))
            .collect();
        let successors: Vec<&melior::ir::Block<'c>> =
            successors.iter().map(|block| &**block).collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_successors(&successors)
            .build()
            .map_err(|error| BuildError::Operation(name, error))?;
        changes::inserted(self.block);
        let inserted = match self.before {
            Some(before) => self.block.insert_operation_before(before, op),
            None => self.block.append_operation(op),
        };
        // SAFETY: the operation now belongs to the IR, which lives as long as `'c`.
        Ok(unsafe { Op::from_raw(inserted.to_raw()) })
    }

    /// `cf.cond_br`.
    pub fn cond_branch(
        &self,
        condition: Val<'c>,
        [yes, no]: [Block<'c>; 2],
    ) -> Result<Op<'c>, BuildError> {
        let segments = self.context.short_integers(&[1, 0, 0]);
        let attributes = [("operandSegmentSizes", segments)];
        self.branch("cf.cond_br", &[condition], &attributes, &[yes, no])
    }

    /// `cf.br` that forwards `values`.
    pub fn jump(&self, target: Block<'c>, values: &[Val<'c>]) -> Result<Op<'c>, BuildError> {
        self.branch("cf.br", values, &[], &[target])
    }

    /// The case values of a `cf.switch` on an integer of `bits` bits. `None` for no cases.
    pub fn cases(&self, bits: u32, cases: &[i64]) -> Result<Option<Attribute<'c>>, BuildError> {
        if cases.is_empty() {
            return Ok(None);
        }
        let list: Vec<String> = cases.iter().map(i64::to_string).collect();
        let text = format!(
            "dense<[{}]> : tensor<{}xi{bits}>",
            list.join(", "),
            cases.len()
        );
        let values = self.context.parse_attribute(&text);
        values.ok_or_else(BuildError::unexpected).map(Some)
    }

    /// `cf.switch` on an integer: `blocks` has a block for each case value, and `default` is for all other values.
    pub fn switch(
        &self,
        flag: Val<'c>,
        cases: Option<Attribute<'c>>,
        default: Block<'c>,
        blocks: &[Block<'c>],
    ) -> Result<Op<'c>, BuildError> {
        let mut attributes = vec![
            (
                "operandSegmentSizes",
                self.context.short_integers(&[1, 0, 0]),
            ),
            (
                "case_operand_segments",
                self.context.short_integers(&vec![0; blocks.len()]),
            ),
        ];
        attributes.extend(cases.map(|cases| ("case_values", cases)));
        let successors: Vec<Block<'c>> = std::iter::once(default)
            .chain(blocks.iter().copied())
            .collect();
        self.branch("cf.switch", &[flag], &attributes, &successors)
    }

    /// `arith.index_cast`.
    pub fn index_cast(&self, value: Val<'c>, r#type: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one("arith.index_cast", &[value], r#type, &[])
    }

    /// `gpu.barrier`.
    pub fn barrier(&self) -> Result<Op<'c>, BuildError> {
        self.insert("gpu.barrier", &[], &[], &[])
    }

    /// `memref.copy`.
    pub fn copy(&self, from: Val<'c>, to: Val<'c>) -> Result<Op<'c>, BuildError> {
        self.insert("memref.copy", &[from, to], &[], &[])
    }
}
