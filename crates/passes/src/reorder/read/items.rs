//! Live ranges of buffers in a block, and the operations that touch them.

use crate::{
    coalescing::{self, PackingOptions, Profile},
    reorder::graph::{Item, Node, Takeover, defaults},
};
use memplan_lifetimes::{
    Analysis, in_place,
    live::{Ranges, contains, union},
    program::{BlockId, Position, ScopeId, UseKind, ValueKind},
};
use rustc_hash::FxHashMap;

/// Live ranges of the buffers of a function.
pub struct LiveRanges<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// Alignment of slices, in bytes.
    alignment: u64,
    /// Index of each buffer among the plannable ones.
    places: Vec<Option<usize>>,
    /// For each scope, its live bytes.
    profiles: Vec<Profile>,
    /// Takeovers, wherever the operation is placed, in program order.
    takeovers: Vec<memplan_lifetimes::Takeover>,
}

/// Items of a block.
pub struct Found {
    pub nodes: Vec<Node>,
    pub items: Vec<Item>,
    pub through: u64,
}

/// A buffer in a block.
struct Current {
    item: Option<u32>,
    /// Whether its first live range in the block starts before it.
    before: bool,
    /// Position of the last touch.
    last: Position,
}

/// Largest number of bytes of all items together.
const MOST: u64 = 1 << 60;

impl<'a, 'c> LiveRanges<'a, 'c> {
    pub fn of(analysis: &'a Analysis<'c>, how: &PackingOptions) -> Self {
        let program = &analysis.program;
        let mut places = vec![None; program.buffers.len()];
        for (place, plannable) in analysis.plannable.iter().enumerate() {
            places[plannable.buffer.index()] = Some(place);
        }
        let mut units = vec![Vec::new(); program.scopes.len()];
        for space in coalescing::spaces(analysis, how.alignment) {
            let mut live: FxHashMap<usize, Vec<(Position, Position)>> = FxHashMap::default();
            for (host, member) in space.hosts(analysis).iter().zip(&space.members) {
                let plannable = &analysis.plannable[*member];
                let host = space.members[*host];
                live.entry(host).or_default().extend(&plannable.live);
            }
            for member in &space.members {
                if let Some(live) = live.remove(member) {
                    units[space.scope.index()].push((
                        union(live),
                        coalescing::bytes(analysis, *member, how.alignment),
                    ));
                }
            }
        }
        // A buffer with several slots, or of dynamic size, has no takeovers.
        let anywhere = Ranges::new();
        let joins = |place: &usize| {
            let plannable = &analysis.plannable[*place];
            let fact = &program.buffers[plannable.buffer.index()];
            how.in_place && plannable.carried.is_empty() && fact.dynamic.is_none()
        };
        let takeovers = in_place::takeovers(program, &analysis.aliases, |buffer| {
            places[buffer.index()].filter(joins).map(|_| &anywhere)
        });
        Self {
            analysis,
            alignment: how.alignment,
            places,
            profiles: units
                .into_iter()
                .map(|units| coalescing::profile(units.into_iter()))
                .collect(),
            takeovers,
        }
    }

    /// Items of a block, whose operations have these spans; `None` if nothing is live in it.
    pub fn items(&self, block: BlockId, spans: &[(Position, Position)]) -> Option<Found> {
        let program = &self.analysis.program;
        let (scope, fact) = (program.scope_of(block), &program.blocks[block.index()]);
        let mut found = Found {
            nodes: defaults(spans.len()),
            items: Vec::new(),
            through: 0,
        };
        // A range from before is live after the block's arguments.
        let entry = fact.first + 1;
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
                            && coalescing::bytes(self.analysis, place, self.alignment) > 0
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
                    let before = contains(&self.analysis.plannable[at].live, entry);
                    let last = fact.first;
                    Current {
                        item: None,
                        before,
                        last,
                    }
                });
                // One of several slots may still be needed.
                let plannable = &self.analysis.plannable[at];
                let anew = same.iter().all(|one| one.1)
                    && plannable.carried.is_empty()
                    && (current.last + 1 == start || !contains(&plannable.live, start - 1));
                current.last = end;
                if current.item.is_none() || anew {
                    current.item = Some(found.items.len() as u32);
                    found.items.push(Item {
                        size: coalescing::bytes(self.analysis, at, self.alignment),
                        before: std::mem::take(&mut current.before),
                        after: false,
                    });
                }
                found.nodes[place].touches.extend(current.item);
            }
            let node = &mut found.nodes[place];
            node.touches.sort_unstable();
            if end > start {
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
            // Position of the last operation.
            let after = contains(&self.analysis.plannable[at].live, fact.end - 1);
            found.items[item as usize].after = after;
        }
        let mut sum: u64 = 0;
        for item in &found.items {
            sum = sum.checked_add(item.size)?;
            before += if item.before { item.size } else { 0 };
        }
        let live = self.live(scope, entry);
        found.through = live.saturating_sub(before);
        // Far below an overflow, whatever is added up.
        if found.items.is_empty() || sum.checked_add(found.through)? > MOST {
            return None;
        }
        self.fill_inside(&mut found, spans, scope);
        Some(found)
    }

    /// Whether a buffer is live only within one operation with blocks of its own.
    fn is_within(&self, place: usize, start: Position, end: Position) -> bool {
        let live = &self.analysis.plannable[place].live;
        start < end
            && live.first().is_some_and(|first| start <= first.0)
            && live.last().is_some_and(|last| last.1 <= end + 1)
    }

    /// Bytes that operations with blocks of their own need, besides the items that are live around them.
    fn fill_inside(&self, found: &mut Found, spans: &[(Position, Position)], scope: ScopeId) {
        if spans.iter().all(|(start, end)| start == end) {
            return;
        }
        let size = |item: u32| found.items[item as usize].size as i64;
        let mut last = vec![0; found.items.len()];
        for (place, node) in found.nodes.iter().enumerate() {
            for item in &node.touches {
                last[*item as usize] = place;
            }
        }
        let mut seen: Vec<bool> = found.items.iter().map(|item| item.before).collect();
        let before = (0..).zip(&found.items).filter(|(_, item)| item.before);
        let mut live = found.through as i64 + before.map(|(item, _)| size(item)).sum::<i64>();
        for (place, &(start, end)) in spans.iter().enumerate() {
            let touches = found.nodes[place].touches.clone();
            for item in &touches {
                if !std::mem::replace(&mut seen[*item as usize], true) {
                    live += size(*item);
                }
            }
            if start < end {
                let own: i64 = touches.iter().map(|item| size(*item)).sum();
                let most = i64::try_from(self.most(scope, start, end)).unwrap_or(i64::MAX);
                found.nodes[place].inside = most.saturating_sub(live).max(-own);
            }
            for item in &touches {
                if last[*item as usize] == place && !found.items[*item as usize].after {
                    live -= size(*item);
                }
            }
        }
    }

    /// The most bytes live at once between two positions.
    fn most(&self, scope: ScopeId, start: Position, end: Position) -> u64 {
        let profile = &self.profiles[scope.index()];
        let first = profile.partition_point(|(at, _)| *at <= start).max(1) - 1;
        let within = profile[first..].iter().take_while(|(at, _)| *at <= end);
        within.map(|(_, bytes)| *bytes).max().unwrap_or(0)
    }

    /// Bytes live at a position of a scope.
    fn live(&self, scope: ScopeId, position: Position) -> u64 {
        let profile = &self.profiles[scope.index()];
        let after = profile.partition_point(|(at, _)| *at <= position);
        after.checked_sub(1).map_or(0, |at| profile[at].1)
    }
}
