//! Facts about allocations of dynamic size, as plain data.

use memplan_flow::ids;
use memplan_lifetimes::{
    live::Ranges,
    program::{BufferId, Position, ScopeId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{collections::BTreeSet, sync::Arc};

ids! {
    /// A dimension: an index value. Values that are proven equal share an id.
    pub DimId,
    /// A block in which arenas may be allocated: the entry block of a scope, or the only block of a region.
    pub SiteId,
    /// A condition. Equal values share an id.
    pub GuardId,
}

/// The numbers by which reports name dimensions.
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// By id.
    pub numbers: Arc<[u32]>,
    /// Those that are no dimensions of arguments, by number.
    pub others: Arc<[OtherName]>,
}

/// The size and the alignment of each buffer, for reports.
pub type Extents = Arc<FxHashMap<BufferId, (Size, u64)>>;

/// A number that sizes depend on, and that is no dimension of an argument.
#[derive(Clone, Debug)]
pub struct OtherName {
    /// Its number.
    pub number: u32,
    /// The argument that it is.
    pub argument: Option<u64>,
    /// Where it is computed.
    pub location: String,
}

impl Names {
    /// The number of a dimension: its id, if it has none.
    pub fn of(&self, dim: DimId) -> u32 {
        let number = self.numbers.get(dim.0 as usize);
        number.copied().unwrap_or(dim.0)
    }
}

/// A size in bytes: a constant times a product of dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// The constant.
    pub bytes: u64,
    /// The dimensions, sorted.
    pub dims: SmallVec<[DimId; 2]>,
}

impl Size {
    /// A size that is known.
    pub fn fixed(bytes: u64) -> Self {
        Self {
            bytes,
            dims: SmallVec::new(),
        }
    }

    /// Text for reports, such as `16*d0*d1`.
    pub fn text(&self, names: &Names) -> String {
        let mut dims: Vec<u32> = self.dims.iter().map(|dim| names.of(*dim)).collect();
        dims.sort_unstable();
        let mut text = self.bytes.to_string();
        for dim in dims {
            text += &format!("*d{dim}");
        }
        text
    }
}

/// Index of an operation in a site. A value that is ready at n can be computed before operation n.
pub type SitePosition = u32;

/// The value cannot be computed in the site.
pub const NEVER: SitePosition = SitePosition::MAX;

/// The memory is held until the scope ends.
pub const TO_THE_END: Position = Position::MAX;

/// An allocation of dynamic size.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The buffer.
    pub buffer: BufferId,
    /// Live ranges.
    pub live: Ranges,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Its size.
    pub size: Size,
    /// Site of its arena.
    pub site: SiteId,
    /// Positions of the site, between which the arena is held.
    pub range: (Position, Position),
    /// The operation of the site that is or contains the allocation.
    pub at: SitePosition,
    /// First operation before which its size can be computed.
    pub ready: SitePosition,
    /// Conditions under which it executes, sorted.
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    /// First operation before which these can be computed.
    pub guards_ready: SitePosition,
    /// Whether it executes in every execution of the site in which the conditions hold.
    pub certain: bool,
    /// Whether it may execute more than once.
    pub repeats: bool,
    /// Positions between which the program certainly holds it, if it executes.
    pub held: (Position, Position),
}

/// A size that counts where conditions hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The size.
    pub size: Size,
    /// Conditions without which it is zero.
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    /// Interval in which its allocation is held.
    pub held: (Position, Position),
}

impl Candidate {
    /// Its size, with the conditions for it.
    pub fn term(&self) -> Term {
        Term {
            size: self.size.clone(),
            guards: self.guards.clone(),
            held: self.held,
        }
    }

    /// Whether it is known at `place` if it executes.
    pub fn counts(&self, place: SitePosition) -> bool {
        self.certain && self.guards_ready <= place
    }
}

/// Candidates of a scope and memory space, with other allocations.
#[derive(Clone, Debug, Default)]
pub struct SlotProblem {
    /// The scope.
    pub scope: Option<ScopeId>,
    /// The memory space.
    pub space: String,
    /// Candidates, in program order.
    pub candidates: Vec<Candidate>,
    /// The operation of the scope's site that is or contains the first allocation of static size.
    pub first_static: Option<SitePosition>,
    /// The buffers of static size.
    pub fixed: Vec<Candidate>,
    /// Whether the arena is an argument.
    pub is_given: bool,
    /// Last start and first end of the intervals in which skipped allocations are held.
    pub alone: (Position, Position),
    /// Arenas of callees: where they are left alone, they are what the callees would allocate themselves, which no plan
    /// counts either.
    pub of_callees: FxHashSet<BufferId>,
    /// Buffers that another one of the same size may take over, each with that and the position.
    pub handovers: FxHashSet<(BufferId, BufferId, Position)>,
}

/// Relations of dimensions.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Pairs of which the first is proven to be at most the second.
    pub at_most: BTreeSet<(DimId, DimId)>,
    /// Constant bounds, inclusive.
    pub constant: Vec<(Option<u64>, Option<u64>)>,
}

/// Facts about a function.
#[derive(Default)]
pub struct DynamicFacts {
    /// Scopes and memory spaces with candidates, in program order.
    pub companies: Vec<SlotProblem>,
    /// Relations of dimensions.
    pub bounds: Bounds,
}

impl DynamicFacts {
    /// The problem of a scope and memory space.
    pub fn company(&self, scope: ScopeId, space: &str) -> Option<&SlotProblem> {
        let mut all = self.companies.iter();
        all.find(|one| one.scope == Some(scope) && one.space == space)
    }
}
