//! Many comparisons, as loops over tables.
//!
//! The pointers of memrefs come first, then those of retained ones; flags go with them. Before, a memref's
//! flag is its condition; behind, whether it is to be freed. A retained one's says whether it owns its
//! memory now.

use memplan_mlir::{
    build::{BuildError, Builder, Compare},
    ir::Val,
};

/// Two tables, and where memrefs and retained ones end.
pub struct Table<'c> {
    /// Pointers.
    pub pointers: Val<'c>,
    /// Flags.
    pub flags: Val<'c>,
    /// How many memrefs there are.
    pub memrefs: Val<'c>,
    /// How many there are of both.
    pub all: Val<'c>,
}

impl<'c> Table<'c> {
    /// Fills in the flags.
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
                // What was freed before it is done.
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
