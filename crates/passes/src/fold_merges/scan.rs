//! Finds the candidates for folding in a function, in one walk over its operations.

use memplan_mlir::{
    control_flow::branch_operands,
    copy::integer_width,
    ir::{
        Block, Op, Region, Type, arguments, blocks, is_memref, ops, regions, results, successors,
        terminator, type_of,
    },
};
use memplan_semantics::{
    Computes, Form, Semantics,
    arithmetic::Binary,
    control::{Choice, Chosen},
};

/// The candidates for folding.
#[derive(Default)]
pub struct FoldCandidates<'c> {
    /// Operations that compute a flag, or select a flag or a memref, in textual order.
    pub flag_ops: Vec<Op<'c>>,
    /// Constant flags.
    pub constants: Vec<Op<'c>>,
    /// Operations that choose one of their regions or successors. Enclosing ones come before nested ones.
    pub choices: Vec<ChoiceOp<'c>>,
    /// Whether there are merges.
    pub has_merges: bool,
    /// Whether there are memrefs.
    pub has_memrefs: bool,
}

/// An operation that chooses a region or a successor.
pub struct ChoiceOp<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The choice.
    pub choice: Choice<'c>,
    /// The region or successor that it always chooses, if that can replace the operation.
    pub always: Option<usize>,
    /// Each region is one block that ends in a yield of the results.
    pub yields: bool,
    /// Nested operations may free memory.
    pub may_free: bool,
}

/// Whether merges of this type are folded: memrefs and flags.
pub fn is_memref_or_flag(r#type: Type<'_>) -> bool {
    is_memref(r#type) || is_flag(r#type)
}

/// Whether a type is that of flags, `i1`.
pub fn is_flag(r#type: Type<'_>) -> bool {
    integer_width(r#type) == Some(1)
}

/// Walks over a body. Nested functions and symbol tables are skipped.
pub fn scan<'c>(body: Region<'c>, semantics: &mut Semantics) -> FoldCandidates<'c> {
    let mut candidates = FoldCandidates::default();
    let mut scan = Scan {
        semantics,
        candidates: &mut candidates,
    };
    scan.region(body, RegionContext::Body);
    candidates
}

struct Scan<'c, 's> {
    semantics: &'s mut Semantics,
    candidates: &'s mut FoldCandidates<'c>,
}

/// The context of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RegionContext {
    /// The body.
    Body,
    /// Nested in the body.
    Inside,
    /// Nested in an operation that chooses.
    InChoice,
}

impl<'c> Scan<'c, '_> {
    /// Returns whether a region in an operation that chooses may free memory.
    fn region(&mut self, region: Region<'c>, place: RegionContext) -> bool {
        let mut may_free = false;
        for (at, block) in blocks(region).enumerate() {
            for value in arguments(block) {
                let r#type = type_of(value);
                self.candidates.has_memrefs |= is_memref(r#type);
                // The caller passes the arguments of the entry block.
                self.candidates.has_merges |=
                    is_memref_or_flag(r#type) && !(place == RegionContext::Body && at == 0);
            }
            may_free |= self.block(block, place);
        }
        may_free
    }

    fn block(&mut self, block: Block<'c>, place: RegionContext) -> bool {
        let mut may_free = false;
        for op in ops(block) {
            if !self.candidates.has_memrefs {
                self.candidates.has_memrefs = results(op).any(|value| is_memref(type_of(value)));
            }
            let has_regions = regions(op).next().is_some();
            if has_regions {
                let info = self.semantics.info(op);
                if info.is_function() || info.is_symbol_table() {
                    continue;
                }
                self.candidates.has_merges |=
                    results(op).any(|value| is_memref_or_flag(type_of(value)));
            }
            let at = self.candidates.choices.len();
            if has_regions || successors(op).next().is_some() {
                self.visit_choice(op);
            } else {
                self.visit_plain_op(op);
            }
            let is_choice = self.candidates.choices.len() > at;
            let inside = match is_choice || place == RegionContext::InChoice {
                true => RegionContext::InChoice,
                false => RegionContext::Inside,
            };
            let mut frees = place == RegionContext::InChoice && self.frees(op);
            for region in regions(op) {
                frees |= self.region(region, inside);
            }
            if is_choice {
                self.candidates.choices[at].may_free = frees;
            }
            may_free |= frees;
        }
        may_free
    }

    /// Whether an operation itself may free memory.
    fn frees(&mut self, op: Op<'c>) -> bool {
        let says = self.semantics.table_facts(op);
        let info = self.semantics.info(op);
        says.frees || says.frees_by_flags || info.is_call() || !info.is_registered()
    }

    /// An operation without regions.
    fn visit_plain_op(&mut self, op: Op<'c>) {
        let mut all = results(op);
        let (Some(result), None) = (all.next(), all.next()) else {
            return;
        };
        let r#type = type_of(result);
        if !is_memref_or_flag(r#type) {
            return;
        }
        match self.semantics.computed(op) {
            Some(Computes::Constant(_)) => self.candidates.constants.push(op),
            Some(Computes::Select(_)) => {
                self.candidates.flag_ops.push(op);
                self.candidates.has_merges = true;
            }
            Some(
                Computes::Binary(Binary::And | Binary::Or | Binary::Xor, _) | Computes::Compare(..),
            ) => self.candidates.flag_ops.push(op),
            _ => {}
        }
    }

    fn visit_choice(&mut self, op: Op<'c>) {
        if self.semantics.form(op) != Form::Choice {
            return;
        }
        let Some(choice) = self.semantics.choice(op) else {
            return;
        };
        let always = self.always_chosen(op, &choice);
        let yields = self.semantics.table_facts(op).is_extendable
            && regions(op).all(|region| self.ends_in_yield(region))
            && regions(op).next().is_some();
        self.candidates.choices.push(ChoiceOp {
            op,
            choice,
            always,
            yields,
            may_free: false,
        });
    }

    fn always_chosen(&mut self, op: Op<'c>, choice: &Choice<'c>) -> Option<usize> {
        if choice.by == Chosen::Set {
            return None;
        }
        let flag = self.semantics.constant(choice.flag?)?;
        let chosen = choice.chosen(flag)?;
        self.can_be_replaced(op, chosen).then_some(chosen)
    }

    /// Whether the chosen region or successor can replace an operation.
    fn can_be_replaced(&mut self, op: Op<'c>, chosen: usize) -> bool {
        if successors(op).next().is_some() {
            let branch = branch_operands(op, chosen);
            return regions(op).next().is_none()
                && branch.is_some_and(|branch| branch.produced == 0);
        }
        let Some(region) = regions(op).nth(chosen) else {
            return false;
        };
        match blocks(region).next() {
            None => results(op).next().is_none(),
            Some(_) => self.ends_in_yield(region),
        }
    }

    /// Whether a region is one block that ends in a yield.
    fn ends_in_yield(&mut self, region: Region<'c>) -> bool {
        let mut all = blocks(region);
        let (Some(block), None) = (all.next(), all.next()) else {
            return false;
        };
        terminator(block).is_some_and(|last| self.semantics.is_yield(last))
    }
}
