//! Writes what has been decided. No decision is taken here.

use super::decide::Decision;
use crate::origins::{Operand, Reading, Site, dead_views};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Val, erase, is_unused, replace_all_uses, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    dealloc::AnyOf,
    simplify::{Piece, Simplified},
};

/// Writes a decision.
pub fn write(reading: &mut Reading<'_>, decision: &Decision) -> Result<(), BuildError> {
    let mut named = dead_views::Named::default();
    for (site, simple) in reading.sites.iter().zip(&decision.sites) {
        let Some(simple) = simple else { continue };
        named.add(site);
        let replaced = replace(reading, site, simple)?;
        for (flag, val) in site.results.iter().zip(replaced) {
            if let Some(val) = val {
                reading.flags[*flag as usize] = val;
            }
        }
        erase(site.op);
    }
    named.erase(reading, |id| decision.unused.binary_search(&id).is_ok());
    for allocation in &reading.allocations {
        if decision.unused.binary_search(&allocation.id).is_ok()
            && results(allocation.op).all(is_unused)
        {
            erase(allocation.op);
        }
    }
    Ok(())
}

/// Puts the pieces in front of a dealloc; returns what its results are now, for those that somebody uses.
fn replace<'c>(
    reading: &Reading<'c>,
    site: &Site<'c>,
    simple: &Simplified,
) -> Result<Vec<Option<Val<'c>>>, BuildError> {
    let builder = Builder::before(site.op, site.op.location()).ok_or_else(BuildError::signature)?;
    let mut writer = Writer {
        reading,
        builder,
        truths: [None; 2],
        found: Vec::with_capacity(simple.pieces.len()),
    };
    for piece in &simple.pieces {
        writer.piece(site, piece)?;
    }
    let mut replaced = Vec::with_capacity(simple.results.len());
    for (result, is) in results(site.op).zip(&simple.results) {
        if is_unused(result) {
            replaced.push(None);
            continue;
        }
        let val = writer.any(is)?;
        replace_all_uses(result, val);
        replaced.push(Some(val));
    }
    Ok(replaced)
}

struct Writer<'c, 'r> {
    reading: &'r Reading<'c>,
    builder: Builder<'c>,
    truths: [Option<Val<'c>>; 2],
    /// The results of the pieces.
    found: Vec<Vec<Val<'c>>>,
}

impl<'c> Writer<'c, '_> {
    fn truth(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths[usize::from(value)] {
            return Ok(known);
        }
        let made = self.builder.boolean(value)?;
        self.truths[usize::from(value)] = Some(made);
        Ok(made)
    }

    fn any(&mut self, any: &AnyOf) -> Result<Val<'c>, BuildError> {
        if any.certain {
            return self.truth(true);
        }
        let flags = any
            .flags
            .iter()
            .map(|flag| self.reading.flags[*flag as usize]);
        let found = any
            .found
            .iter()
            .map(|(piece, slot)| self.found[*piece as usize][*slot as usize]);
        let all: Vec<Val<'c>> = flags.chain(found).collect();
        let mut joined: Option<Val<'c>> = None;
        for one in all {
            joined = Some(match joined {
                None => one,
                Some(before) => self.builder.or(before, one)?,
            });
        }
        match joined {
            Some(joined) => Ok(joined),
            None => self.truth(false),
        }
    }

    fn piece(&mut self, site: &Site<'c>, piece: &Piece) -> Result<(), BuildError> {
        let root = |operand: &Operand<'c>| self.reading.root(operand);
        let memrefs = piece.memrefs.iter();
        let memrefs: Vec<Val<'c>> = memrefs
            .map(|(at, _)| root(&site.memrefs[*at as usize]))
            .collect();
        let retained = piece.retained.iter();
        let retained: Vec<Val<'c>> = retained
            .map(|at| root(&site.retained[*at as usize]))
            .collect();
        let mut conditions = Vec::with_capacity(piece.memrefs.len());
        for (_, when) in &piece.memrefs {
            conditions.push(self.any(when)?);
        }
        let found = self.builder.deallocs(&memrefs, &conditions, &retained)?;
        self.found.push(found);
        Ok(())
    }
}
