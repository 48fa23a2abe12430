//! The lives of buffers in a block, and which operations need them.

use crate::{
    reorder::graph::{Item, Node, Takeover},
    units::{self, Profile},
};
use memplan_lifetimes::{
    Analysis, in_place,
    live::{Ranges, contains, union},
    program::{BlockId, Position, ScopeId, UseKind, ValueKind},
};
use rustc_hash::FxHashMap;

/// When buffers are live, by their numbers.
pub struct Lives<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// The place of each buffer among what can be planned.
    places: Vec<Option<usize>>,
    /// The buffer that each is one with.
    hosts: Vec<u32>,
    /// For each scope, how many bytes are live.
    profiles: Vec<Profile>,
    /// Where a buffer may take over from another, wherever the operation stands; in the order of the text.
    takeovers: Vec<memplan_lifetimes::Takeover>,
}

/// What was found of a block.
pub struct Found {
    pub nodes: Vec<Node>,
    pub items: Vec<Item>,
    pub through: u64,
}

/// A buffer in a block.
struct Current {
    item: Option<u32>,
    /// What its first life in the block has, if that is from before.
    before: bool,
}

impl<'a, 'c> Lives<'a, 'c> {
    pub fn of(analysis: &'a Analysis<'c>) -> Self {
        let program = &analysis.program;
        let mut places = vec![None; program.buffers.len()];
        for (place, plannable) in analysis.plannable.iter().enumerate() {
            places[plannable.buffer.index()] = Some(place);
        }
        let mut hosts: Vec<u32> = (0..program.buffers.len() as u32).collect();
        let mut units = vec![Vec::new(); program.scopes.len()];
        for space in units::spaces(analysis) {
            let mut live: FxHashMap<usize, Vec<(Position, Position)>> = FxHashMap::default();
            for (host, member) in space.hosts(analysis).into_iter().zip(&space.members) {
                let plannable = &analysis.plannable[*member];
                let host = space.members[host];
                hosts[plannable.buffer.index()] = analysis.plannable[host].buffer.0;
                live.entry(host).or_default().extend(&plannable.live);
            }
            for member in &space.members {
                if let Some(live) = live.remove(member) {
                    units[space.scope.index()].push((union(live), units::bytes(analysis, *member)));
                }
            }
        }
        let anywhere = Ranges::new();
        let takeovers = in_place::takeovers(program, &analysis.aliases, |buffer| {
            places[buffer.index()].map(|_| &anywhere)
        });
        Self {
            analysis,
            places,
            hosts,
            profiles: units
                .into_iter()
                .map(|units| units::profile(units.into_iter()))
                .collect(),
            takeovers,
        }
    }

    /// The items of a block, whose operations span these positions; none where nothing is live in it.
    pub fn items(&self, block: BlockId, spans: &[(Position, Position)]) -> Option<Found> {
        let program = &self.analysis.program;
        let (scope, fact) = (program.scope_of(block), &program.blocks[block.index()]);
        let mut found = Found {
            nodes: vec![Node::default(); spans.len()],
            items: Vec::new(),
            through: 0,
        };
        let mut known: FxHashMap<u32, Current> = FxHashMap::default();
        // In the order of the first touch.
        let mut order = Vec::new();
        let mut next = program
            .uses
            .partition_point(|used| used.position < fact.first);
        let mut takeover = self
            .takeovers
            .partition_point(|takeover| takeover.position < fact.first);
        for (place, &(start, end)) in spans.iter().enumerate() {
            let mut touched: Vec<(u32, bool)> = Vec::new();
            while let Some(used) = program.uses.get(next).filter(|used| used.position <= end) {
                next += 1;
                if used.position < start
                    || !matches!(used.kind, UseKind::Touch | UseKind::Overwrite)
                {
                    continue;
                }
                let base = self.analysis.aliases.base(used.value);
                let whole = matches!(program.values[base.index()].kind, ValueKind::Alloc(_))
                    && program.is_all_of(used.value, base);
                let anew = used.kind == UseKind::Overwrite && whole && start == end;
                for buffer in self.analysis.aliases.buffers(used.value) {
                    let counts = self.places[buffer.index()].is_some_and(|place| {
                        program.buffers[buffer.index()].scope == scope
                            && !self.is_within(place, start, end)
                            && units::bytes(self.analysis, place) > 0
                    });
                    if counts {
                        touched.push((buffer.0, anew));
                    }
                }
            }
            touched.sort_unstable();
            for same in touched.chunk_by(|one, other| one.0 == other.0) {
                let buffer = same[0].0;
                let Some(at) = self.places[buffer as usize] else {
                    continue;
                };
                let current = known.entry(buffer).or_insert_with(|| {
                    order.push(buffer);
                    let before = contains(&self.analysis.plannable[at].live, fact.first);
                    Current { item: None, before }
                });
                let anew = same.iter().all(|one| one.1);
                if current.item.is_none() || anew {
                    current.item = Some(found.items.len() as u32);
                    found.items.push(Item {
                        size: units::bytes(self.analysis, at),
                        before: std::mem::take(&mut current.before),
                        after: false,
                    });
                }
                found.nodes[place].touches.extend(current.item);
            }
            let node = &mut found.nodes[place];
            node.touches.sort_unstable();
            if end > start {
                node.inside = self.inside(start, end, scope);
                continue;
            }
            let at = |buffer: u32| {
                let item = known.get(&buffer)?.item?;
                node.touches.binary_search(&item).is_ok().then_some(item)
            };
            while let Some(one) = self
                .takeovers
                .get(takeover)
                .filter(|one| one.position <= end)
            {
                takeover += 1;
                if one.position == start
                    && let (Some(from), Some(to)) = (at(one.from.0), at(one.to.0))
                {
                    node.takeovers.push(Takeover { from, to });
                }
            }
        }
        let mut before = 0;
        for buffer in order {
            let (Some(at), Some(item)) = (self.places[buffer as usize], known[&buffer].item) else {
                continue;
            };
            // The position of the last operation.
            let after = contains(&self.analysis.plannable[at].live, fact.end - 1);
            found.items[item as usize].after = after;
        }
        let mut sum: u64 = 0;
        for item in &found.items {
            sum = sum.checked_add(item.size)?;
            before += if item.before { item.size } else { 0 };
        }
        let live = self.live(scope, fact.first);
        found.through = live.saturating_sub(before);
        let inside = found.nodes.iter().map(|node| node.inside).max();
        sum.checked_add(found.through)?.checked_add(inside?)?;
        (!found.items.is_empty()).then_some(found)
    }

    /// Does a buffer live only in an operation that has blocks of its own?
    fn is_within(&self, place: usize, start: Position, end: Position) -> bool {
        let live = &self.analysis.plannable[place].live;
        start < end
            && live.first().is_some_and(|first| start <= first.0)
            && live.last().is_some_and(|last| last.1 <= end + 1)
    }

    /// The most bytes live at once of buffers that live only in there.
    fn inside(&self, start: Position, end: Position, scope: ScopeId) -> u64 {
        let buffers = &self.analysis.program.buffers;
        let first = buffers.partition_point(|buffer| buffer.position < start);
        let mut live: Vec<Vec<(Position, Position)>> = Vec::new();
        let mut sizes = Vec::new();
        let mut units: FxHashMap<u32, usize> = FxHashMap::default();
        for (index, buffer) in buffers.iter().enumerate().skip(first) {
            if buffer.position > end {
                break;
            }
            let Some(place) = self.places[index].filter(|_| buffer.scope == scope) else {
                continue;
            };
            if self.is_within(place, start, end) {
                let unit = *units.entry(self.hosts[index]).or_insert(live.len());
                if unit == live.len() {
                    live.push(Vec::new());
                    sizes.push(units::bytes(self.analysis, place));
                }
                live[unit].extend(&self.analysis.plannable[place].live);
            }
        }
        let units = live.into_iter().map(union).zip(sizes);
        units::most(&units::profile(units))
    }

    /// Bytes live at a position of a scope.
    fn live(&self, scope: ScopeId, position: Position) -> u64 {
        let profile = &self.profiles[scope.index()];
        let after = profile.partition_point(|(at, _)| *at <= position);
        after.checked_sub(1).map_or(0, |at| profile[at].1)
    }
}
