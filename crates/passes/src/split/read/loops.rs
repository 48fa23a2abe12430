//! Loops of operations, and what they access.

use super::{Operands, Reader};
use memplan_mlir::{
    ir::{Op, Val, type_of},
    layout::static_dimension,
    structured_ops::{IndexedOperand, LinearIndex},
};
use memplan_semantics::LinearLoops;
use memplan_strips::program::{Access, Linear, Loop, Node};
use smallvec::SmallVec;

/// Which nests of loops over elements have strips.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nests {
    /// None.
    None,
    /// Those that run in order.
    InOrder,
    /// All, so that a dimension may be split that only threads use.
    All,
}

impl Nests {
    /// Those of a block. `in_parallel`: of bodies that run in parallel, too.
    pub const fn of(in_parallel: bool) -> Self {
        match in_parallel {
            true => Self::All,
            false => Self::InOrder,
        }
    }
}

/// Most operations of a nest of loops. Strips repeat them.
const MOST_OPERATIONS: usize = 1024;
/// Most loops of an operation: `memplan-verify` follows as many.
const MOST_LOOPS: usize = 32;
/// Most numbers of an index. Arithmetic in place of an affine map has up to four for each.
const MOST_NUMBERS: usize = 60;

/// Loops, accesses, and the memrefs.
type Found<'c> = (SmallVec<[Loop; 6]>, SmallVec<[Access; 3]>, Given<'c>);

/// The memrefs of an operation with loops and accesses that are known.
#[derive(Default)]
pub struct Given<'c> {
    /// Those of the accesses.
    pub memrefs: Vec<Val<'c>>,
    /// Its operands.
    pub operands: Operands,
    /// Whether it is a loop, so that the accesses are all that is accessed in it.
    pub are_loops: bool,
}

impl<'c> Reader<'_, 'c> {
    /// Reads loops and accesses. Nothing is changed if they are not known.
    pub(super) fn structured(&mut self, op: Op<'c>, node: &mut Node) -> Given<'c> {
        let found = self.semantics.linear_loops(op);
        let found = found.filter(|found| {
            let is_wanted = match self.nests {
                Nests::None => found.loops.is_empty(),
                Nests::InOrder => !found.is_concurrent,
                Nests::All => true,
            };
            is_wanted && found.size <= MOST_OPERATIONS && found.numbers <= MOST_NUMBERS
        });
        self.reading.has_loops |= found.is_some();
        let known = found.and_then(|found| self.accesses(&found));
        let Some((loops, accesses, given)) = known else {
            return Given::default();
        };
        node.loops = loops;
        node.accesses = accesses;
        given
    }

    fn accesses(&mut self, found: &LinearLoops<'c>) -> Option<Found<'c>> {
        let nest = &found.nest;
        if nest.loops.len() > MOST_LOOPS {
            return None;
        }
        let memrefs = (0..found.places.len()).map(|at| found.memref(at));
        let memrefs: Vec<Val<'c>> = memrefs.collect::<Option<_>>()?;
        let are_loops = !found.loops.is_empty();
        let mut loops: SmallVec<[Loop; 6]> = SmallVec::new();
        for (number, one) in nest.loops.iter().enumerate() {
            let extent = match one.extent {
                Some(extent) => i64::try_from(extent).ok(),
                // Nothing says that the bound is a size.
                None if are_loops => None,
                None => self.extent((&nest.operands, &memrefs), number as u32),
            };
            loops.push(Loop {
                extent: extent?,
                is_parallel: one.is_parallel,
            });
        }
        let mut given = Given {
            are_loops,
            ..Given::default()
        };
        let mut accesses: SmallVec<[Access; 3]> = SmallVec::new();
        for (one, memref) in nest.operands.iter().zip(memrefs) {
            let (buffer, view) = self.followed(memref)?;
            let indices = one.indices.iter().map(linear).collect();
            // What a loop loads and stores is one access, as what a structured operation adds to.
            let same = |(access, known): (&Access, &Val<'c>)| {
                *known == memref && access.indices == indices
            };
            let known = accesses.iter().zip(&given.memrefs).position(same);
            let known = known.filter(|_| are_loops);
            given
                .operands
                .push((one.operand, known.unwrap_or(accesses.len())));
            if let Some(known) = known {
                accesses[known].reads |= one.reads;
                accesses[known].writes |= one.writes;
                continue;
            }
            accesses.push(Access {
                buffer,
                view,
                indices,
                reads: one.reads,
                writes: one.writes,
                moved: self.layout.element_bytes(type_of(memref)),
            });
            given.memrefs.push(memref);
        }
        let is_known = !are_loops || self.is_like_structured(&loops, &accesses, &given.memrefs);
        is_known.then_some((loops, accesses, given))
    }

    /// Whether loops access memory as structured operations do: inside of its bounds, all elements of what they write, and these in
    /// one way only.
    fn is_like_structured(
        &mut self,
        loops: &[Loop],
        accesses: &[Access],
        memrefs: &[Val<'c>],
    ) -> bool {
        // Otherwise they write nothing.
        let run = loops.iter().all(|one| one.extent > 0);
        // Loops run in their order, so that one iteration could read what another one has written.
        let is_apart = |access: &Access| {
            let mut same = accesses.iter().filter(|one| one.buffer == access.buffer);
            !access.writes || same.nth(1).is_none()
        };
        run && accesses.iter().zip(memrefs).all(|(access, memref)| {
            let shape = self.shape(*memref).unwrap_or_default();
            let mut indices = access.indices.iter().zip(shape);
            is_apart(access)
                && indices.all(|(index, size)| match access.writes {
                    true => index.covers(loops, size),
                    false => index.is_inside(loops, size),
                })
        })
    }

    /// Whether an operation does not trap, as its sizes are proven to fit: those that are not static are each walked along by
    /// one loop, index by index.
    pub(super) fn fits(&mut self, op: Op<'c>, node: &Node, memrefs: &[Val<'c>]) -> bool {
        let accesses = node.accesses.iter().zip(memrefs);
        let mut are_walked = accesses.map(|(access, memref)| {
            let memref = *memref;
            let shape = self.shape(memref);
            let mut indices = access.indices.iter().enumerate();
            indices.all(|(at, index)| {
                let is_static = static_dimension(type_of(memref), at as i64).is_some();
                let size = shape.as_ref().map(|shape| shape[at]);
                let extent = index
                    .as_loop()
                    .map(|walks| node.loops[walks as usize].extent);
                is_static || (extent.is_some() && extent == size)
            })
        });
        are_walked.all(|is_walked| is_walked) && self.semantics.traps_by_sizes_only(op)
    }

    /// A loop's number of iterations, by the dimensions that it walks along.
    fn extent(
        &mut self,
        (accesses, memrefs): (&[IndexedOperand], &[Val<'c>]),
        number: u32,
    ) -> Option<i64> {
        let mut sizes: SmallVec<[Option<i64>; 8]> = SmallVec::new();
        for (one, memref) in accesses.iter().zip(memrefs) {
            let shape = self.shape(*memref);
            for (dimension, index) in one.indices.iter().enumerate() {
                if index.terms[..] == [(number, 1)] && index.constant == 0 {
                    sizes.push(shape.as_ref().map(|shape| shape[dimension]));
                }
            }
        }
        self.shapes.extent(&sizes)
    }
}

fn linear(index: &LinearIndex) -> Linear {
    let mut terms = index.terms.clone();
    terms.sort_unstable();
    Linear {
        terms,
        constant: index.constant,
    }
}
