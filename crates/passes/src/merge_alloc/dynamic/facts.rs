//! What is known of allocations whose size only the run knows, as plain data.

use memplan_flow::ids;
use memplan_lifetimes::{
    live::Ranges,
    program::{BufferId, Position, ScopeId},
};
use smallvec::SmallVec;
use std::collections::BTreeSet;

ids! {
    /// A dimension: an index value, one for all that are proven to be equal.
    pub DimId,
    /// A block that arenas may stand in: the first one of a scope, or the only one of a region.
    pub SiteId,
    /// A condition, one for all that are the same value.
    pub GuardId,
}

/// A size in bytes: a constant times dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// The constant.
    pub bytes: u64,
    /// The dimensions, sorted.
    pub dims: SmallVec<[DimId; 2]>,
}

impl Size {
    /// For people: `16*d0*d1`.
    pub fn text(&self) -> String {
        let mut text = self.bytes.to_string();
        for dim in &self.dims {
            text += &format!("*d{}", dim.0);
        }
        text
    }
}

/// A place in a site: that of an operation there. What is ready at n can be
/// computed in front of operation n.
pub type SitePosition = u32;

/// Cannot be computed in the site.
pub const NEVER: SitePosition = SitePosition::MAX;

/// Held until the scope ends.
pub const TO_THE_END: Position = Position::MAX;

/// An allocation with a size that only the run knows.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which one.
    pub buffer: BufferId,
    /// When it is live.
    pub live: Ranges,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Its size.
    pub size: Size,
    /// Where its arena would stand.
    pub site: SiteId,
    /// The positions of the site, within which the arena is held.
    pub range: (Position, Position),
    /// The operation of the site that it is, or is in.
    pub at: SitePosition,
    /// From where on its size can be computed.
    pub ready: SitePosition,
    /// It runs only if these hold, sorted.
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    /// From where on they can be computed.
    pub guards_ready: SitePosition,
    /// It runs in every run of the site in which the guards hold.
    pub certain: bool,
    /// May run more than once.
    pub repeats: bool,
    /// Positions between which the program holds it for certain, if it runs.
    pub held: (Position, Position),
}

/// The candidates of a scope and memory space, and what stands beside them.
#[derive(Clone, Debug, Default)]
pub struct SlotProblem {
    /// The scope.
    pub scope: Option<ScopeId>,
    /// The memory space.
    pub space: String,
    /// In the order of the text.
    pub candidates: Vec<Candidate>,
    /// The operation of the scope's site that is, or holds, the first allocation of known size.
    pub first_static: Option<SitePosition>,
    /// Allocations that are left alone: the last start and the first end of their being held.
    pub alone: (Position, Position),
}

/// What is known of two dimensions, and of one.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Pairs that are proven to be in this order.
    pub at_most: BTreeSet<(DimId, DimId)>,
    /// Constant bounds, both included.
    pub constant: Vec<(Option<u64>, Option<u64>)>,
}

/// All facts.
#[derive(Default)]
pub struct DynamicFacts {
    /// Scopes and memory spaces with candidates, in the order of the text.
    pub companies: Vec<SlotProblem>,
    /// Relations of dimensions.
    pub bounds: Bounds,
}
