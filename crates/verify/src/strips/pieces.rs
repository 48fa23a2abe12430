//! Reads operations on rows.

use super::{
    body::{Access, Piece, Reader, Result, not_followed, stop},
    chain::has_distinct_elements,
    claim::{Claim, claim},
    fault::Stop,
    numbers::Number,
    operands::matched,
    sum::Sum,
};
use memplan_mlir::ir::{
    Block, Op, Val, blocks, is_memref, operands, ops, regions, results, type_of, users,
};
use memplan_semantics::{Computes, LinearLoops, arithmetic::Binary};
use smallvec::SmallVec;

impl<'c> Reader<'_, 'c> {
    /// Reads an operation with `memplan.rows`.
    pub(super) fn piece(&mut self, op: Op<'c>) -> Result<'c, usize> {
        let Some(claim) = claim(op, self.places.sizes()) else {
            return not_followed(op, "`memplan.rows` is malformed");
        };
        let Some(found) = self.semantics.linear_loops(op) else {
            return not_followed(op, "the loops of an operation are not known");
        };
        let extents = self.extents(op, &found)?;
        let memrefs: Vec<_> = (0..found.places.len()).map(|at| found.memref(at)).collect();
        let matched = matched(&found, &memrefs, &claim);
        let (nest, is_loop) = (found.nest, !found.loops.is_empty());
        let matched = matched.filter(|_| nest.loops.len() == claim.extents.len());
        let Some(matched) = matched.filter(|_| claim.splits.len() == self.strips.len()) else {
            return not_followed(op, "`memplan.rows` is that of another operation");
        };
        let is_parallel = nest.loops.iter().all(|one| one.is_parallel);
        let mut sizes = vec![SmallVec::new(); claim.extents.len()];
        let mut accesses = Vec::new();
        let extents_of_sums = claim.extents_of_sums(self.places.has_lengths());
        for (at, (own, was)) in matched.iter().enumerate() {
            let (one, was) = (&nest.operands[*own], &claim.operands[*was]);
            let Some(chain) = memrefs[*own].and_then(|value| self.chain(value)) else {
                return not_followed(op, "the memory of an operand is not known");
            };
            let original = was.indices.iter();
            let original = original.map(|index| Sum::of_expression(index, &extents_of_sums));
            let Ok(original) = original.collect::<std::result::Result<Vec<_>, _>>() else {
                return stop(op, Stop::Number);
            };
            for (dimension, index) in one.indices.iter().enumerate() {
                if let ([(number, 1)], 0) = (&index.terms[..], index.constant) {
                    sizes[*number as usize].push((at, dimension));
                }
            }
            if one.writes && !has_distinct_elements(chain.root, self.semantics) {
                return not_followed(op, "elements of the memory that it writes may overlap");
            }
            let root = self.root(chain.clone());
            let facts = &mut self.body.roots[root];
            facts.is_whole |= !was.is_between();
            facts.is_of_strips |= was.is_between();
            let uses_strips = claim.splits.iter().any(|split| {
                let set = 1_u64 << split.number;
                original.iter().any(|index| index.loops() & set != 0)
            });
            let reduced = nest.loops.iter().position(|one| !one.is_parallel);
            if one.writes && !uses_strips {
                let [split] = claim.splits[..] else {
                    return not_followed(op, "it adds up over strips of two dimensions");
                };
                if was.is_between() {
                    return not_followed(op, "it adds up in memory of one strip");
                }
                if reduced != Some(split.number as usize) {
                    let text = "it adds up in another order than the operation".to_owned();
                    return stop(op, Stop::Wrong(text));
                }
            }
            accesses.push(Access {
                operand: one.operand,
                chain,
                root,
                buffer: self.buffer(was.buffer),
                is_between: was.is_between(),
                reads: one.reads,
                writes: one.writes,
                is_sum: one.writes && !uses_strips,
                writer: usize::MAX,
                own: one.indices.to_vec(),
                original,
            });
        }
        let seen: Vec<_> = matched.iter().map(|(own, _)| memrefs[*own]).collect();
        let shifts = match is_loop {
            false => self.nested(op, &claim)?,
            true if are_apart(&accesses, &seen) => Vec::new(),
            true => {
                return not_followed(op, "an iteration of a loop may use what another one wrote");
            }
        };
        let number = self.body.pieces.len();
        self.body.pieces.push(Piece {
            op,
            claim,
            accesses,
            strips: self.strips.iter().rev().copied().collect(),
            sizes,
            extents,
            shifts,
            is_parallel,
        });
        Ok(number)
    }

    /// The extents of loops that are operations, each as a number, which is that plus the second one.
    fn extents(
        &mut self,
        op: Op<'c>,
        found: &LinearLoops<'c>,
    ) -> Result<'c, SmallVec<[(Number, i64); 4]>> {
        let mut extents = SmallVec::new();
        for (place, one) in found.loops.iter().zip(&found.nest.loops) {
            let extent = match (place.upper, one.extent) {
                (None, Some(extent)) => {
                    let extent = i64::try_from(extent).ok();
                    extent.map(|extent| (Number::Constant(extent), 0))
                }
                (Some(upper), _) => {
                    let upper = self.places.number(upper, self.semantics);
                    upper.map(|upper| (upper, place.lower))
                }
                (None, None) => None,
            };
            let Some(extent) = extent else {
                return not_followed(op, "a bound of a loop is not known");
            };
            extents.push(extent);
        }
        Ok(extents)
    }

    /// What is in the regions of a piece: numbers of iterations have to be those of the operation, and memory is only read.
    fn nested(&mut self, op: Op<'c>, claim: &Claim) -> Result<'c, Vec<(usize, Number)>> {
        let mut shifts = Vec::new();
        let mut open: Vec<Block<'c>> = regions(op).flat_map(blocks).collect();
        while let Some(block) = open.pop() {
            for nested in ops(block) {
                open.extend(regions(nested).flat_map(blocks));
                for value in operands(nested).filter(|value| is_memref(type_of(*value))) {
                    let memory = self.semantics.of(nested);
                    let is_read = !memory.writes() && memory.opaque.is_none();
                    let Some(chain) = self.chain(value).filter(|_| is_read) else {
                        return not_followed(op, "an operation in its region uses memory");
                    };
                    let root = self.root(chain);
                    self.body.seen.push((op, root));
                }
                let number = self.semantics.loop_index(nested);
                let mut splits = claim.splits.iter();
                let Some(split) = splits.position(|split| Some(split.number) == number) else {
                    continue;
                };
                let Some(value) = results(nested).next() else {
                    continue;
                };
                for user in users(value) {
                    let added = self
                        .semantics
                        .computed(user)
                        .and_then(|computes| match computes {
                            Computes::Binary(Binary::Add, [one, other]) if one == value => {
                                Some(other)
                            }
                            Computes::Binary(Binary::Add, [other, one]) if one == value => {
                                Some(other)
                            }
                            _ => None,
                        });
                    let added = added.and_then(|added| self.places.number(added, self.semantics));
                    let Some(added) = added else {
                        let text = "the number of an iteration of a strip is used as that of the operation";
                        return stop(op, Stop::Wrong(text.to_owned()));
                    };
                    shifts.push((split, added));
                }
            }
        }
        Ok(shifts)
    }
}

/// Whether of each buffer that loops write, they access one element in each iteration.
fn are_apart<'c>(accesses: &[Access<'c>], memrefs: &[Option<Val<'c>>]) -> bool {
    let written = accesses.iter().zip(memrefs);
    let mut written = written.filter(|(access, _)| access.writes);
    written.all(|(written, memref)| {
        let mut others = accesses.iter().zip(memrefs);
        others.all(|(one, other)| {
            one.buffer != written.buffer || (other == memref && one.own == written.own)
        })
    })
}
