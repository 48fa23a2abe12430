//! The plan of a function: its arenas, and the slices of each.

use super::{
    dynamic::decide::Part,
    memory_needs::MemoryNeeds,
    nested_arenas::{NestedArena, NestedArenaKind},
};
use memplan_lifetimes::{
    Analysis, Reason,
    live::Ranges,
    program::{BufferId, ScopeId},
};
use memplan_planner::Bounds;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A slice of an arena.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Index in [`Analysis::plannable`]; nested arenas have the indices after these.
    pub plannable: usize,
    /// Bytes from the start of the arena to the first slot.
    pub offset: u64,
    /// Bytes from one slot to the next.
    pub stride: u64,
    /// Number of slots: more than one if older instances are needed.
    pub slots: u64,
    /// Bytes of all slots together.
    pub size: u64,
    /// Alignment of each slot.
    pub alignment: u64,
    /// Index of the slice whose bytes it uses: another one if it was coalesced with that.
    pub host: usize,
}

/// One arena.
#[derive(Clone, Debug)]
pub struct Arena {
    /// The scope.
    pub scope: ScopeId,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// Slices of its static part, in program order.
    pub slices: Vec<Slice>,
    /// Bytes of the static part.
    pub size: u64,
    /// Slots of dynamic size, which follow the static part.
    pub dynamic: Option<Part>,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Bounds of the plan.
    pub bounds: Bounds,
    /// Kind of the certificate of the lower bound.
    pub proof: &'static str,
    /// The planner of the best plan.
    pub planner: &'static str,
    /// Whether no plan has a lower peak.
    pub optimal: bool,
    /// If it is one of several in place of one: the lower bound of that.
    pub together: Option<u64>,
    /// Whether each iteration of a loop that has all of its uses allocates it.
    pub is_of_iteration: bool,
    /// Whether its allocations are left alone, as the function could hold more with it.
    pub is_left: bool,
    /// If the arena is placed in the enclosing one: its index among the nested arenas.
    pub hoisted: Option<usize>,
}

/// The plan of a function.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Arenas, in the order of the first allocation in each.
    pub arenas: Vec<Arena>,
    /// Nested arenas.
    pub guests: Vec<NestedArena>,
    /// Copies whose source and destination have the same bytes, by index in the analysis.
    pub idle_copies: Vec<u32>,
    /// The bytes that the scopes need.
    pub needs: MemoryNeeds,
}

/// Arenas, each with its number in a given plan and its index.
pub type Numbered = SmallVec<[(u64, usize); 1]>;

/// Index of each arena of a plan.
pub struct Seats {
    /// The arenas of a scope and memory space, each with its number in a given plan.
    pub places: FxHashMap<(ScopeId, String), Numbered>,
    /// The arenas of each scope.
    pub by_scope: Vec<Vec<usize>>,
}

impl Plan {
    /// Puts arenas, with the copies that each makes redundant, in the place of one.
    pub fn add_all(&mut self, place: usize, arenas: Vec<(Arena, Vec<u32>)>) {
        for (number, (arena, copies)) in arenas.into_iter().enumerate() {
            self.needs.add(arena.scope, &arena.memory_space, arena.size);
            self.idle_copies.extend(copies);
            match number {
                0 => self.arenas[place] = arena,
                _ => self.arenas.push(arena),
            }
        }
    }

    /// The arena of a scope and a memory space, created on first use: that with a number of a given plan, or the first.
    pub fn arena(
        &mut self,
        seats: &mut Seats,
        scope: ScopeId,
        memory_space: String,
        number: Option<u64>,
    ) -> &mut Arena {
        let key = (scope, memory_space.clone());
        let own = seats.places.entry(key).or_default();
        let is_own = |(other, _): &&(u64, usize)| number.is_none_or(|number| number == *other);
        let place = match own.iter().find(is_own) {
            Some((_, place)) => *place,
            None => {
                let place = self.arenas.len();
                own.push((number.unwrap_or(0), place));
                seats.by_scope[scope.index()].push(place);
                self.arenas.push(Arena::empty(scope, memory_space));
                place
            }
        };
        &mut self.arenas[place]
    }

    /// Puts the arenas in the order of the first allocation in each.
    pub fn sort_arenas(&mut self) {
        let first = |arena: &Arena| arena.slices.iter().map(|slice| slice.plannable).min();
        let mut order: Vec<usize> = (0..self.arenas.len()).collect();
        order.sort_by_key(|index| first(&self.arenas[*index]).unwrap_or(usize::MAX));
        let mut places = vec![0; order.len()];
        for (place, index) in order.iter().enumerate() {
            places[*index] = place;
        }
        self.arenas = order
            .iter()
            .map(|index| self.arenas[*index].clone())
            .collect();
        for guest in &mut self.guests {
            if let NestedArenaKind::Bodies { arena, .. } = &mut guest.what {
                *arena = places[*arena];
            }
        }
    }

    /// Removes the arenas whose allocations are left alone, and skips these.
    pub fn leave(&mut self, analysis: &mut Analysis<'_>) {
        if !self.arenas.iter().any(|arena| arena.is_left) {
            return;
        }
        let before: Vec<BufferId> = analysis.plannable.iter().map(|own| own.buffer).collect();
        let left = self.arenas.iter().filter(|arena| arena.is_left);
        let left: Vec<_> = left
            .flat_map(|arena| &arena.slices)
            .map(|slice| (before[slice.plannable], Reason::RaisesHeap))
            .collect();
        analysis.skip(left);
        let places: FxHashMap<BufferId, usize> = analysis
            .plannable
            .iter()
            .enumerate()
            .map(|(place, own)| (own.buffer, place))
            .collect();
        let now = |place: usize| match before.get(place) {
            Some(buffer) => places.get(buffer).copied(),
            None => Some(place - before.len() + analysis.plannable.len()),
        };
        let mut index = 0;
        let mut indices = Vec::new();
        self.arenas.retain_mut(|arena| {
            arena.slices.retain_mut(|slice| {
                let place = now(slice.plannable);
                slice.plannable = place.unwrap_or(slice.plannable);
                place.is_some()
            });
            let stays = !arena.slices.is_empty() || arena.dynamic.is_some();
            indices.push(index);
            index += usize::from(stays);
            stays
        });
        for guest in &mut self.guests {
            if let NestedArenaKind::Bodies { arena, .. } = &mut guest.what {
                *arena = indices[*arena];
            }
        }
    }

    /// Adds a slice for a nested arena to the arena of its scope with a number, or to the first one.
    pub fn seat(
        &mut self,
        seats: &mut Seats,
        index: usize,
        analysis: &Analysis<'_>,
        number: Option<u64>,
    ) {
        let guest = self.guests[index].clone();
        let slice = Slice {
            plannable: analysis.plannable.len() + index,
            offset: 0,
            stride: guest.size,
            slots: 1,
            size: guest.size,
            alignment: guest.alignment,
            host: 0,
        };
        self.arena(seats, guest.scope, guest.memory_space, number)
            .slices
            .push(slice);
    }

    /// The scope of the parallel body whose arenas are nested.
    pub fn body(&self, guest: &NestedArena) -> Option<ScopeId> {
        match guest.what {
            NestedArenaKind::Bodies { arena, .. } => Some(self.arenas[arena].scope),
            NestedArenaKind::Callee { .. } => None,
        }
    }

    /// The nested arena of a slice, with its index.
    pub fn guest(&self, analysis: &Analysis<'_>, slice: &Slice) -> Option<(usize, &NestedArena)> {
        let index = slice.plannable.checked_sub(analysis.plannable.len())?;
        self.guests.get(index).map(|guest| (index, guest))
    }

    /// Id of the contents of a slice: that of the buffer; nested arenas follow.
    pub fn id(&self, analysis: &Analysis<'_>, slice: &Slice) -> u64 {
        match self.guest(analysis, slice) {
            Some((index, _)) => (analysis.program.buffers.len() + index) as u64,
            None => u64::from(analysis.plannable[slice.plannable].buffer.0),
        }
    }

    /// Live ranges of the contents of a slice.
    pub fn live<'a>(&'a self, analysis: &'a Analysis<'_>, slice: &Slice) -> &'a Ranges {
        match self.guest(analysis, slice) {
            Some((_, guest)) => &guest.live,
            None => &analysis.plannable[slice.plannable].live,
        }
    }
}

impl Arena {
    pub fn empty(scope: ScopeId, memory_space: String) -> Self {
        Self {
            scope,
            memory_space,
            slices: Vec::new(),
            size: 0,
            dynamic: None,
            alignment: 1,
            bounds: Bounds::default(),
            proof: "nothing",
            planner: "",
            optimal: true,
            together: None,
            is_of_iteration: false,
            is_left: false,
            hoisted: None,
        }
    }

    /// The first buffer in its slots.
    pub fn first_buffer(&self) -> Option<BufferId> {
        let slots = &self.dynamic.as_ref()?.slots;
        slots.first()?.members.first().copied()
    }
}
