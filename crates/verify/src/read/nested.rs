//! Memory of memrefs: the values that a loaded memref may be.

use super::ProgramReader;
use memplan_mlir::ir::{
    Identity, Op, Origin, Val, is_memref, operands, origin, regions, results, type_of, users,
};
use memplan_semantics::{Computes, ResultFact, op_memory::OperandNumber};
use rustc_hash::FxHashSet;

impl<'c> ProgramReader<'c, '_> {
    /// The values that a loaded memref may be: those stored in the memory that it is loaded from, or in memory that is
    /// copied to or from it. `None` unless all of that memory is allocated here, and is only accessed by element, copied,
    /// viewed, selected and freed.
    pub(super) fn stored_in(
        &mut self,
        op: Op<'c>,
        fact: Option<&ResultFact>,
    ) -> Option<Vec<Val<'c>>> {
        let Some(ResultFact::Loaded { from }) = fact else {
            return None;
        };
        let mut open = vec![operands(op).nth(*from as usize)?];
        let mut seen = FxHashSet::default();
        let mut stored = Vec::new();
        while let Some(memref) = open.pop() {
            if seen.insert(memref.key()) {
                self.sources_of_nested(memref, &mut open)?;
                for user in users(memref) {
                    self.user_of_nested(user, memref, &mut open, &mut stored)?;
                }
            }
        }
        // Memory that is stored in itself is not of memrefs that are followed.
        let is_apart = |value: &Val<'c>| !seen.contains(&value.key());
        stored.iter().all(is_apart).then_some(stored)
    }

    /// Other names for the memory of a memref, from its definition.
    fn sources_of_nested(&mut self, memref: Val<'c>, names: &mut Vec<Val<'c>>) -> Option<()> {
        let Some(Origin::Result(maker, number)) = origin(memref) else {
            return None;
        };
        if regions(maker).next().is_some() {
            return None;
        }
        let memory = self.semantics.of(maker);
        if memory.plain_allocation().is_some() {
            return Some(());
        }
        let operand = |at: &OperandNumber| operands(maker).nth(*at as usize);
        match memory.result(number)? {
            ResultFact::View { of, .. } => names.push(operand(of)?),
            ResultFact::AnyOf(all) => names.extend(all.iter().filter_map(operand)),
            _ => return None,
        }
        Some(())
    }

    /// The names for the same memory, or for memory with the same elements, and the stored values that a use adds.
    fn user_of_nested(
        &mut self,
        user: Op<'c>,
        memref: Val<'c>,
        names: &mut Vec<Val<'c>>,
        stored: &mut Vec<Val<'c>>,
    ) -> Option<()> {
        if let Some(element) = self.semantics.stored_element(user) {
            // The memref itself must not be stored.
            let is_here = element.memref == memref && element.value != memref;
            stored.push(is_here.then_some(element.value)?);
        } else if let Some(copy) = self.semantics.copy(user) {
            let pair = [copy.from, copy.to];
            names.extend(
                pair.iter()
                    .filter_map(|at| operands(user).nth(*at as usize)),
            );
        } else if regions(user).next().is_none() && self.semantics.of(user).only_views() {
            names.extend(results(user).filter(|result| is_memref(type_of(*result))));
        } else if !matches!(self.semantics.computed(user), Some(Computes::Element(_)))
            && !self.semantics.is_deallocation(user)
        {
            return None;
        }
        Some(())
    }
}
