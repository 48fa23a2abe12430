//! Frees.

use super::{WriteError, Writer};
use memplan_mlir::{
    build::Builder,
    ir::{Identity, Val},
};
use memplan_ownership::{
    function::ValueId,
    plan::{Flag, Free, ProgramPoint},
};

impl<'c> Writer<'c, '_> {
    pub(super) fn frees(&mut self) -> Result<(), WriteError<'c>> {
        // Behind one another in the order of the plan, also where each comes in front of those before it.
        let plan = self.plan;
        for free in &plan.frees {
            if self.is_before(free.place) {
                self.free(free)?;
            }
        }
        for free in plan.frees.iter().rev() {
            if !self.is_before(free.place) {
                self.free(free)?;
            }
        }
        Ok(())
    }

    /// Does what is put at a place come behind what was put there?
    fn is_before(&self, place: ProgramPoint) -> bool {
        match place {
            ProgramPoint::Start(_) => false,
            ProgramPoint::End(_) | ProgramPoint::Edge(_) => true,
            ProgramPoint::After(segment, step) => {
                let op = self.now(self.reading.steps[segment.index()][step as usize]);
                self.behind.contains_key(&op.key())
            }
        }
    }

    fn free(&mut self, free: &Free) -> Result<(), WriteError<'c>> {
        let builder = self.builder(free.place)?;
        if self.plan.flag(free.value) == Flag::No {
            return Ok(());
        }
        let value = self.memref(&builder, Some(free.place), free.value)?;
        self.is_changed = true;
        match (self.plan.flag(free.value), self.freeing(free.value)) {
            (Flag::No, _) => {}
            (Flag::Yes, by) => {
                match by.dealloc_name() {
                    None => builder.dealloc(value)?,
                    Some(name) => builder.free_with(name, value)?,
                };
            }
            (Flag::Dynamic, _) => {
                let flag = self.flag(free.value)?;
                self.give_back(&builder, free.value, value, flag, &[])?;
            }
        }
        Ok(())
    }

    /// Gives a memref back where a flag holds, unless it is one of those retained: whether each of these owns
    /// it now.
    pub(super) fn give_back(
        &mut self,
        builder: &Builder<'c>,
        owner: ValueId,
        memref: Val<'c>,
        flag: Val<'c>,
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, WriteError<'c>> {
        let Some(name) = self.freeing(owner).dealloc_name() else {
            return Ok(self.deallocs(builder, &[memref], &[flag], retained)?);
        };
        // `bufferization.dealloc` gives back by `memref.dealloc` alone: it is only asked.
        let mut found = Vec::new();
        let mut is_free = flag;
        if !retained.is_empty() {
            let all = [retained, &[memref]].concat();
            found = self.deallocs(builder, &[memref], &[flag], &all)?;
            found.truncate(retained.len());
            let truth = self.truth(true)?;
            for is_same in &found {
                let other = builder.exclusive_or(*is_same, truth)?;
                is_free = builder.and(is_free, other)?;
            }
        }
        let body = |inner: &Builder<'c>| inner.free_with(name, memref).map(|_| ());
        builder.if_then(is_free, body)?;
        Ok(found)
    }
}
