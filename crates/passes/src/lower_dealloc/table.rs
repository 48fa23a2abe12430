//! Many comparisons, as loops over tables.
//!
//! The table of pointers holds those of memrefs first, then those of retained memrefs. A table of flags goes
//! with it. Before the loops, a memref's flag is its condition; after them, whether it is to be freed. The
//! flag of a retained memref then says whether it owns its memory.

use memplan_mlir::{
    build::{BuildError, Builder, Compare},
    ir::Val,
};

/// The two tables, and the numbers of their entries.
pub struct ComparisonTable<'c> {
    /// Pointers.
    pub pointers: Val<'c>,
    /// Flags.
    pub flags: Val<'c>,
    /// The number of memrefs.
    pub memrefs: Val<'c>,
    /// The number of memrefs and retained memrefs.
    pub all: Val<'c>,
}

impl<'c> ComparisonTable<'c> {
    /// Writes the loops that compute the flags.
    pub fn solve(&self, builder: &Builder<'c>) -> Result<(), BuildError> {
        let (no, yes) = (builder.boolean(false)?, builder.boolean(true)?);
        let zero = builder.index(0)?;
        let (index, truth) = (builder.index_type(), builder.boolean_type());
        let (pointers, flags) = (self.pointers, self.flags);
        builder.for_loop([self.memrefs, self.all], &[], |inner, at, _| {
            inner.store(no, flags, &[at])?;
            Ok(Vec::new())
        })?;
        builder.for_loop([zero, self.memrefs], &[], |inner, at, _| {
            let holds = inner.load(flags, &[at], truth)?;
            inner.if_then(holds, |inner| {
                let pointer = inner.load(pointers, &[at], index)?;
                let same = |inner: &Builder<'c>, other: Val<'c>| {
                    let other = inner.load(pointers, &[other], index)?;
                    inner.compare(Compare::Equal, pointer, other)
                };
                let kept =
                    inner.for_loop([self.memrefs, self.all], &[no], |inner, other, kept| {
                        let same = same(inner, other)?;
                        let before = inner.load(flags, &[other], truth)?;
                        let owns = inner.or(before, same)?;
                        inner.store(owns, flags, &[other])?;
                        Ok(vec![inner.or(kept[0], same)?])
                    })?;
                // An earlier memref may have freed the same memory.
                let done = inner.for_loop([zero, at], &kept, |inner, other, done| {
                    let same = same(inner, other)?;
                    let before = inner.load(flags, &[other], truth)?;
                    let freed = inner.and(same, before)?;
                    Ok(vec![inner.or(done[0], freed)?])
                })?;
                let free = inner.exclusive_or(done[0], yes)?;
                inner.store(free, flags, &[at])
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
