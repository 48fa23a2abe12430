//! Writes frees.

use super::{WriteError, Writer};
use memplan_mlir::{
    build::Builder,
    ir::{Identity, Val},
};
use memplan_ownership::{
    function::ValueId,
    plan::{Free, Ownership, ProgramPoint},
};

impl<'c> Writer<'c, '_> {
    pub(super) fn write_frees(&mut self) -> Result<(), WriteError<'c>> {
        // Frees at one place stand in the order of the plan, also at places where each is inserted before the
        // earlier ones.
        let plan = self.plan;
        for free in &plan.frees {
            if self.is_appended(free.place) {
                self.write_free(free)?;
            }
        }
        for free in plan.frees.iter().rev() {
            if !self.is_appended(free.place) {
                self.write_free(free)?;
            }
        }
        Ok(())
    }

    /// Whether code is appended at a place, after earlier code there.
    fn is_appended(&self, place: ProgramPoint) -> bool {
        match place {
            ProgramPoint::Start(_) => false,
            ProgramPoint::End(_) | ProgramPoint::Edge(_) => true,
            ProgramPoint::After(segment, step) => {
                let op = self.current_op(self.reading.steps[segment.index()][step as usize]);
                self.next_after_call.contains_key(&op.key())
            }
        }
    }

    fn write_free(&mut self, free: &Free) -> Result<(), WriteError<'c>> {
        let builder = self.builder(free.place)?;
        if self.plan.ownership_of(free.value) == Ownership::Never {
            return Ok(());
        }
        let value = self.memref(&builder, Some(free.place), free.value)?;
        self.is_changed = true;
        match (
            self.plan.ownership_of(free.value),
            self.allocator(free.value),
        ) {
            (Ownership::Never, _) => {}
            (Ownership::Always, by) => {
                match by.dealloc_name() {
                    None => builder.dealloc(value)?,
                    Some(name) => builder.free_with(name, value)?,
                };
            }
            (Ownership::Dynamic, _) => {
                let flag = self.flag(free.value)?;
                self.free_if(&builder, free.value, value, flag, &[])?;
            }
        }
        Ok(())
    }

    /// Frees a memref under a flag, unless a retained memref is the same memory. Returns for each retained
    /// memref whether it owns the memory now.
    pub(super) fn free_if(
        &mut self,
        builder: &Builder<'c>,
        owner: ValueId,
        memref: Val<'c>,
        flag: Val<'c>,
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, WriteError<'c>> {
        let Some(name) = self.allocator(owner).dealloc_name() else {
            return Ok(self.write_dealloc(builder, &[memref], &[flag], retained)?);
        };
        // `bufferization.dealloc` frees by `memref.dealloc` alone: here it only compares.
        let mut found = Vec::new();
        let mut is_free = flag;
        if !retained.is_empty() {
            let all = [retained, &[memref]].concat();
            found = self.write_dealloc(builder, &[memref], &[flag], &all)?;
            found.truncate(retained.len());
            let truth = self.constant_flag(true)?;
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
