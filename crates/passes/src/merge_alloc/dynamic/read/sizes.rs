//! Dimensions: their equality, their order, and where they can be computed.

use super::{
    super::{
        facts::{Bounds, DimId, NEVER, SiteId, SitePosition, Size},
        moves::may_move,
        sources::Factors,
    },
    Learnt, SlotReader,
};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::ir::{Identity, Op, Origin, Val, operands, origin, parent_block};
use memplan_semantics::Product;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Largest number of dimensions that are compared: a comparison takes a query for each pair. Others are equal
/// only to themselves.
const MOST_COMPARED: usize = 24;

/// Largest number of queries for one function; after that, dimensions are equal only to themselves. A query
/// takes tens of microseconds.
const MOST_QUERIES: usize = 20_000;

/// Largest depth of computations that are followed.
pub(super) const DEEPEST: usize = 512;

/// Largest constant that a dimension is a multiple of.
const MOST_CONSTANT: u64 = 1 << 32;

/// Largest depth of products of several dimensions: their number is exponential in it.
const MOST_FACTORS: usize = 3;

impl Factors {
    /// A constant.
    pub(super) fn of(constant: u64) -> Self {
        Self {
            constant,
            dims: SmallVec::new(),
        }
    }
}

impl<'c> SlotReader<'_, 'c> {
    /// First position from which a value can be computed.
    pub(super) fn ready(&mut self, value: Val<'c>, site: SiteId, depth: usize) -> SitePosition {
        if let Some(known) = self.learnt.readiness.get(&(site, value.key())) {
            return *known;
        }
        // A value that depends on itself, as in unreachable code, is never ready.
        self.learnt.readiness.insert((site, value.key()), NEVER);
        let ready = match origin(value) {
            Some(Origin::Argument(block, _)) => {
                let first = self.learnt.sources.sites[site.0 as usize].block.key();
                if block.key() == first || !self.is_inside(block, site) {
                    0
                } else {
                    NEVER
                }
            }
            Some(Origin::Result(op, _)) => self.op_ready(op, site, depth),
            None => NEVER,
        };
        self.learnt.readiness.insert((site, value.key()), ready);
        ready
    }

    fn op_ready(&mut self, op: Op<'c>, site: SiteId, depth: usize) -> SitePosition {
        let place = self.learnt.sources.sites[site.0 as usize]
            .places
            .get(&op.key());
        let there = match place {
            Some(place) => place + 1,
            None if !parent_block(op).is_some_and(|block| self.is_inside(block, site)) => {
                return 0;
            }
            None => NEVER,
        };
        if depth == 0 || !may_move(op) {
            return there;
        }
        let mut ready = 0;
        for operand in operands(op) {
            ready = ready.max(self.ready(operand, site, depth - 1));
        }
        ready.min(there)
    }

    /// The size of a candidate, and where it is ready.
    pub(super) fn size(&self, buffer: BufferId) -> (Size, SitePosition) {
        let Learnt {
            sources, dim_ready, ..
        } = &*self.learnt;
        let factors = sources.factors.get(&buffer).cloned();
        let Factors { constant, dims } = factors.unwrap_or_else(|| Factors::of(0));
        let operands = sources.operands.get(&buffer).into_iter().flatten();
        let ready = operands.flatten().chain(&dims);
        let ready = ready.map(|dim| dim_ready[dim.0 as usize]).max();
        let size = Size {
            bytes: constant,
            dims,
        };
        (size, ready.unwrap_or(0))
    }

    /// Multiplies by a number, as a product of constants and dimensions. None of these is negative in programs that make sense: as
    /// numbers without a sign, they are then never less than their product, which may wrap around. Its dimension, if it
    /// is one.
    pub(super) fn multiply(
        &mut self,
        value: Val<'c>,
        site: SiteId,
        factors: &mut Factors,
        depth: usize,
    ) -> Option<DimId> {
        let value = self.learnt.semantics.same_number(value);
        if depth > 0
            && let Some(Product {
                constant,
                factors: numbers,
            }) = self.learnt.semantics.product(value)
            && constant <= MOST_CONSTANT
            && let Some(product) = factors.constant.checked_mul(constant)
        {
            let is_one = numbers.len() < 2;
            let asks = is_one || self.learnt.queries < MOST_QUERIES;
            let semantics = &mut self.learnt.semantics;
            let mut is_size = |one: &Val<'c>| semantics.least(*one).is_some_and(|least| least >= 0);
            if !is_one {
                self.learnt.queries += numbers.len();
            }
            if asks && (is_one || numbers.iter().all(&mut is_size)) {
                factors.constant = product;
                let depth = match is_one {
                    true => depth,
                    false => depth.min(MOST_FACTORS),
                };
                for number in numbers {
                    self.multiply(number, site, factors, depth - 1);
                }
                return None;
            }
        }
        let dim = self.dim(value, site);
        factors.dims.push(dim);
        if depth < DEEPEST {
            self.learnt.factors.insert(dim);
        }
        Some(dim)
    }

    /// The dimension of a value: one that is proven equal, or a new one.
    pub(super) fn dim(&mut self, value: Val<'c>, site: SiteId) -> DimId {
        if let Some(dim) = self.learnt.dims.get(&(site, value.key())) {
            return *dim;
        }
        let ready = self.ready(value, site, DEEPEST);
        // Of the same site: a value that is ready there may not be ready elsewhere.
        let same = self.learnt.dims_of.entry(site).or_default();
        let dims = &mut self.learnt.sources.dims;
        let left = MOST_QUERIES.saturating_sub(self.learnt.queries);
        let compared = same.len().min(MOST_COMPARED).min(left);
        self.learnt.queries += compared;
        let semantics = &mut self.learnt.semantics;
        let equal = same[..compared]
            .iter()
            .find(|dim| semantics.are_equal(dims[dim.0 as usize], value));
        let dim = match equal {
            Some(equal) => *equal,
            None => {
                let dim = DimId(dims.len() as u32);
                same.push(dim);
                dims.push(value);
                self.learnt.dim_ready.push(ready);
                dim
            }
        };
        if ready < self.learnt.dim_ready[dim.0 as usize] {
            self.learnt.dim_ready[dim.0 as usize] = ready;
            self.learnt.sources.dims[dim.0 as usize] = value;
        }
        self.learnt.dims.insert((site, value.key()), dim);
        dim
    }

    pub(super) fn bounds(&mut self) -> Bounds {
        let learnt = &mut *self.learnt;
        let dims = &learnt.sources.dims;
        let clip = |bound: i64| u64::try_from(bound).ok();
        for value in &dims[learnt.constant.len()..] {
            let asks = learnt.queries < MOST_QUERIES;
            learnt.queries += 2;
            let semantics = &mut learnt.semantics;
            let both = match asks {
                true => (semantics.least(*value), semantics.most(*value)),
                false => (None, None),
            };
            let both = (both.0.and_then(clip), both.1.and_then(clip));
            learnt.constant.push(both);
        }
        let mut sites: Vec<_> = learnt.dims_of.iter().collect();
        sites.sort_unstable_by_key(|(site, _)| **site);
        let mut at_most = BTreeSet::new();
        for (_, here) in sites {
            let here = &here[..here.len().min(MOST_COMPARED)];
            for one in here {
                for other in here {
                    let known = learnt.compared.entry((*one, *other)).or_insert_with(|| {
                        let asks = one != other && learnt.queries < MOST_QUERIES;
                        learnt.queries += usize::from(asks);
                        let semantics = &mut learnt.semantics;
                        asks && semantics.is_at_most(dims[one.0 as usize], dims[other.0 as usize])
                    });
                    if *known {
                        at_most.insert((*one, *other));
                    }
                }
            }
        }
        // One that is negative is less than others, but not what it is multiplied to.
        let semantics = &mut learnt.semantics;
        let factors = learnt.factors.iter();
        let open: FxHashSet<DimId> = factors
            .filter(|dim| !semantics.is_certainly_size(dims[dim.0 as usize]))
            .copied()
            .collect();
        at_most.retain(|(one, _)| !open.contains(one));
        let mut constant = learnt.constant.clone();
        for dim in open {
            constant[dim.0 as usize].1 = None;
        }
        Bounds { at_most, constant }
    }
}
