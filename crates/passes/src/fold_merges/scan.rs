//! What may fold in a function: one walk over its operations.

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

/// What may fold.
#[derive(Default)]
pub struct Found<'c> {
    /// Operations that compute a flag, or select a flag or a memref, in the order of the text.
    pub logic: Vec<Op<'c>>,
    /// Constant flags.
    pub constants: Vec<Op<'c>>,
    /// Operations that choose one of their regions or successors, those around before those inside.
    pub choices: Vec<Chooses<'c>>,
    /// There are values that merge others.
    pub has_merges: bool,
    /// There are memrefs.
    pub has_memrefs: bool,
}

/// An operation that chooses.
pub struct Chooses<'c> {
    /// In the IR.
    pub op: Op<'c>,
    /// How.
    pub choice: Choice<'c>,
    /// The region or successor that it always chooses, where the operation can give way to it.
    pub always: Option<usize>,
    /// Its results are what its regions, of one block each, yield.
    pub yields: bool,
    /// Something inside may free memory.
    pub may_free: bool,
}

/// Is a value of this type one that merges are looked at of: a memref or a flag?
pub fn concerns(r#type: Type<'_>) -> bool {
    is_memref(r#type) || is_flag(r#type)
}

/// Is it the type of flags?
pub fn is_flag(r#type: Type<'_>) -> bool {
    integer_width(r#type) == Some(1)
}

/// Walks over a body. Functions and symbol tables in it are bodies of their own.
pub fn scan<'c>(body: Region<'c>, semantics: &mut Semantics) -> Found<'c> {
    let mut found = Found::default();
    let mut scan = Scan {
        semantics,
        found: &mut found,
    };
    scan.region(body, RegionContext::Body);
    found
}

struct Scan<'c, 's> {
    semantics: &'s mut Semantics,
    found: &'s mut Found<'c>,
}

/// Where a region is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RegionContext {
    /// It is the body.
    Body,
    /// Inside of it.
    Inside,
    /// Inside of an operation that chooses.
    Chosen,
}

impl<'c> Scan<'c, '_> {
    /// May anything in a region that is chosen free memory?
    fn region(&mut self, region: Region<'c>, place: RegionContext) -> bool {
        let mut may_free = false;
        for (at, block) in blocks(region).enumerate() {
            for value in arguments(block) {
                let r#type = type_of(value);
                self.found.has_memrefs |= is_memref(r#type);
                // The caller passes the first ones.
                self.found.has_merges |=
                    concerns(r#type) && !(place == RegionContext::Body && at == 0);
            }
            may_free |= self.block(block, place);
        }
        may_free
    }

    fn block(&mut self, block: Block<'c>, place: RegionContext) -> bool {
        let mut may_free = false;
        for op in ops(block) {
            if !self.found.has_memrefs {
                self.found.has_memrefs = results(op).any(|value| is_memref(type_of(value)));
            }
            let has_regions = regions(op).next().is_some();
            if has_regions {
                let info = self.semantics.info(op);
                if info.is_function() || info.is_symbol_table() {
                    continue;
                }
                self.found.has_merges |= results(op).any(|value| concerns(type_of(value)));
            }
            let at = self.found.choices.len();
            if has_regions || successors(op).next().is_some() {
                self.choice(op);
            } else {
                self.plain(op);
            }
            let is_choice = self.found.choices.len() > at;
            let inside = match is_choice || place == RegionContext::Chosen {
                true => RegionContext::Chosen,
                false => RegionContext::Inside,
            };
            let mut frees = place == RegionContext::Chosen && self.frees(op);
            for region in regions(op) {
                frees |= self.region(region, inside);
            }
            if is_choice {
                self.found.choices[at].may_free = frees;
            }
            may_free |= frees;
        }
        may_free
    }

    /// May an operation free memory, by itself?
    fn frees(&mut self, op: Op<'c>) -> bool {
        let says = self.semantics.table_facts(op);
        let info = self.semantics.info(op);
        says.frees || says.frees_by_flags || info.is_call() || !info.is_registered()
    }

    /// An operation without regions.
    fn plain(&mut self, op: Op<'c>) {
        let mut all = results(op);
        let (Some(result), None) = (all.next(), all.next()) else {
            return;
        };
        let r#type = type_of(result);
        if !concerns(r#type) {
            return;
        }
        match self.semantics.computed(op) {
            Some(Computes::Constant(_)) => self.found.constants.push(op),
            Some(Computes::Select(_)) => {
                self.found.logic.push(op);
                self.found.has_merges = true;
            }
            Some(
                Computes::Binary(Binary::And | Binary::Or | Binary::Xor, _) | Computes::Compare(..),
            ) => self.found.logic.push(op),
            _ => {}
        }
    }

    fn choice(&mut self, op: Op<'c>) {
        if self.semantics.form(op) != Form::Choice {
            return;
        }
        let Some(choice) = self.semantics.choice(op) else {
            return;
        };
        let always = self.always(op, &choice);
        let yields = self.semantics.table_facts(op).is_extendable
            && regions(op).all(|region| self.yields(region))
            && regions(op).next().is_some();
        self.found.choices.push(Chooses {
            op,
            choice,
            always,
            yields,
            may_free: false,
        });
    }

    fn always(&mut self, op: Op<'c>, choice: &Choice<'c>) -> Option<usize> {
        if choice.by == Chosen::Set {
            return None;
        }
        let flag = self.semantics.constant(choice.flag?)?;
        let chosen = choice.chosen(flag)?;
        self.gives_way(op, chosen).then_some(chosen)
    }

    /// Can what an operation chooses stand in its place?
    fn gives_way(&mut self, op: Op<'c>, chosen: usize) -> bool {
        if successors(op).next().is_some() {
            let told = branch_operands(op, chosen);
            return regions(op).next().is_none() && told.is_some_and(|told| told.produced == 0);
        }
        let Some(region) = regions(op).nth(chosen) else {
            return false;
        };
        match blocks(region).next() {
            None => results(op).next().is_none(),
            Some(_) => self.yields(region),
        }
    }

    /// Is a region one block that ends in a yield?
    fn yields(&mut self, region: Region<'c>) -> bool {
        let mut all = blocks(region);
        let (Some(block), None) = (all.next(), all.next()) else {
            return false;
        };
        terminator(block).is_some_and(|last| self.semantics.is_yield(last))
    }
}
