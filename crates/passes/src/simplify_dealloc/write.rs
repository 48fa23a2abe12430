//! Writes the decisions into the IR. No decision is taken here.

use super::decide::Decision;
use crate::origins::{DeallocOperand, DeallocSite, Reading, dead_views};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Val, erase, is_unused, replace_all_uses, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    dealloc::Disjunction,
    simplify::{Piece, Simplified},
};

/// Writes a decision.
pub fn write(reading: &mut Reading<'_>, decision: &Decision) -> Result<(), BuildError> {
    let mut named = dead_views::NamedViews::default();
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

/// Inserts the pieces before a dealloc. Returns the replacement of each used result.
fn replace<'c>(
    reading: &Reading<'c>,
    site: &DeallocSite<'c>,
    simple: &Simplified,
) -> Result<Vec<Option<Val<'c>>>, BuildError> {
    let builder =
        Builder::before(site.op, site.op.location()).ok_or_else(BuildError::unexpected)?;
    let mut writer = Writer {
        reading,
        builder,
        truths: [None; 2],
        piece_results: Vec::with_capacity(simple.pieces.len()),
    };
    for piece in &simple.pieces {
        writer.write_piece(site, piece)?;
    }
    let mut replaced = Vec::with_capacity(simple.results.len());
    for (result, disjunction) in results(site.op).zip(&simple.results) {
        if is_unused(result) {
            replaced.push(None);
            continue;
        }
        let val = writer.write_disjunction(disjunction)?;
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
    piece_results: Vec<Vec<Val<'c>>>,
}

impl<'c> Writer<'c, '_> {
    fn boolean(&mut self, value: bool) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.truths[usize::from(value)] {
            return Ok(known);
        }
        let constant = self.builder.boolean(value)?;
        self.truths[usize::from(value)] = Some(constant);
        Ok(constant)
    }

    fn write_disjunction(&mut self, any: &Disjunction) -> Result<Val<'c>, BuildError> {
        if any.is_true {
            return self.boolean(true);
        }
        let flags = any
            .flags
            .iter()
            .map(|flag| self.reading.flags[*flag as usize]);
        let found = any
            .piece_results
            .iter()
            .map(|(piece, slot)| self.piece_results[*piece as usize][*slot as usize]);
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
            None => self.boolean(false),
        }
    }

    fn write_piece(&mut self, site: &DeallocSite<'c>, piece: &Piece) -> Result<(), BuildError> {
        let root = |operand: &DeallocOperand<'c>| self.reading.root(operand);
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
            conditions.push(self.write_disjunction(when)?);
        }
        let found = self.builder.deallocs(&memrefs, &conditions, &retained)?;
        self.piece_results.push(found);
        Ok(())
    }
}
