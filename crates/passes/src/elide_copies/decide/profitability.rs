//! Compares the live bytes with and without a change.

use super::{
    search::{Keep, Rewrite},
    state::State,
};
use crate::{
    coalescing::{Slice, Space, bytes},
    peak_load::{Load, Peak},
};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, contains, union},
    program::{BufferId, Position},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One or more buffers that share bytes by in-place reuse.
#[derive(Clone, Default)]
pub(super) struct CoalescedBuffers {
    pub(super) space: usize,
    pub(super) size: i128,
    /// Its slice in a plan; `None` for a dynamic size.
    pub(super) slice: Option<Slice>,
    pub(super) members: SmallVec<[BufferId; 2]>,
    pub(super) live: Ranges,
}

/// Groups of coalesced buffers of a function, with their live ranges.
#[derive(Clone)]
pub(super) struct Units {
    /// Live ranges of each buffer, with those of its parts.
    pub(super) live: Vec<Ranges>,
    /// Group of each buffer.
    pub(super) of: Vec<usize>,
    pub(super) all: Vec<CoalescedBuffers>,
    /// Load of each space.
    pub(super) loads: Vec<Load>,
}

impl Units {
    pub(super) fn of(analysis: &Analysis<'_>, spaces: &[Space]) -> Self {
        let buffers = analysis.program.buffers.len();
        let mut units = Self {
            live: vec![Ranges::new(); buffers],
            of: vec![usize::MAX; buffers],
            all: Vec::new(),
            loads: Vec::new(),
        };
        for (place, space) in spaces.iter().enumerate() {
            units.add_space(analysis, place, space);
        }
        units
    }

    fn add_space(&mut self, analysis: &Analysis<'_>, place: usize, space: &Space) {
        let start = self.all.len();
        let hosts = space.hosts(analysis);
        let mut numbers = vec![usize::MAX; hosts.len()];
        for (index, host) in hosts.iter().enumerate() {
            let member = space.members[index];
            let plannable = &analysis.plannable[member];
            if numbers[*host] == usize::MAX {
                numbers[*host] = self.all.len();
                self.all.push(CoalescedBuffers {
                    space: place,
                    size: i128::from(bytes(analysis, space.members[*host], space.alignment)),
                    slice: Slice::of(analysis, space.members[*host], space.alignment),
                    ..CoalescedBuffers::default()
                });
            }
            let unit = numbers[*host];
            self.all[unit].members.push(plannable.buffer);
            self.of[plannable.buffer.index()] = unit;
            self.live[plannable.buffer.index()] = plannable.live.clone();
        }
        for unit in start..self.all.len() {
            self.all[unit].live = self.united(&self.all[unit].members);
        }
        let live = self.all[start..].iter().map(|unit| (&unit.live, unit.size));
        self.loads.push(Load::new(analysis.program.end, live));
    }

    fn united(&self, members: &[BufferId]) -> Ranges {
        if let [only] = members {
            return self.live[only.index()].clone();
        }
        let parts = members.iter().flat_map(|one| &self.live[one.index()]);
        union(parts.copied().collect())
    }

    /// Updates a group after its members changed.
    fn refresh(&mut self, unit: usize) {
        let live = self.united(&self.all[unit].members);
        self.set_live(unit, live);
    }

    /// Whether two groups need the same bytes at once only where one takes over from the other, at a position.
    fn may_join(&self, unit: usize, host: usize, position: Position) -> bool {
        let (Some(unit), Some(host)) = (self.all.get(unit), self.all.get(host)) else {
            return false;
        };
        let is_there = |live: &Ranges| contains(live, position);
        unit.space == host.space
            && unit.size == host.size
            && unit.slice.is_some()
            && host.slice.is_some()
            && unit.members.len() + host.members.len() <= MOST_MEMBERS
            && is_there(&unit.live)
            && is_there(&host.live)
            && shared(&unit.live, &host.live) == 1
    }

    /// Merges a group into another one.
    fn join(&mut self, unit: usize, host: usize) {
        let members = std::mem::take(&mut self.all[unit].members);
        self.refresh(unit);
        for member in &members {
            self.of[member.index()] = host;
        }
        self.all[host].members.extend(members);
        self.refresh(host);
    }

    fn set(&mut self, unit: usize, members: SmallVec<[BufferId; 2]>, live: Ranges) {
        self.set_live(unit, live);
        self.all[unit].members = members;
    }

    fn set_live(&mut self, unit: usize, live: Ranges) {
        let unit = &mut self.all[unit];
        if unit.live != live {
            self.loads[unit.space].change(&unit.live, &live, unit.size);
            unit.live = live;
        }
    }
}

/// At which operations buffers can reuse the bytes of others.
pub(super) struct Takeovers {
    from: FxHashMap<BufferId, Vec<(BufferId, Position)>>,
    to: FxHashMap<BufferId, Vec<(BufferId, Position)>>,
}

impl Takeovers {
    pub(super) fn of(analysis: &Analysis<'_>) -> Self {
        let mut takeovers = Self {
            from: FxHashMap::default(),
            to: FxHashMap::default(),
        };
        for one in &analysis.takeovers {
            let from = takeovers.from.entry(one.from).or_default();
            from.push((one.to, one.position));
            let to = takeovers.to.entry(one.to).or_default();
            to.push((one.from, one.position));
        }
        takeovers
    }

    /// Buffers that can reuse the bytes of a buffer.
    fn from(&self, buffer: BufferId) -> &[(BufferId, Position)] {
        self.from.get(&buffer).map_or(&[], Vec::as_slice)
    }

    /// Buffers whose bytes a buffer can reuse.
    fn to(&self, buffer: BufferId) -> &[(BufferId, Position)] {
        self.to.get(&buffer).map_or(&[], Vec::as_slice)
    }
}

/// Largest number of members of a group: each step visits all of them, so that a chain of n copies would take
/// n² steps.
const MOST_MEMBERS: usize = 256;

impl State<'_, '_> {
    /// Whether a change concerns a group with too many members.
    pub(super) fn are_too_many(&self, made: &[Rewrite]) -> bool {
        made.iter().any(|step| {
            let (gone, into, _) = self.effect(*step);
            let root = into.map(|into| self.root(into));
            let mut units = std::iter::once(gone)
                .chain(root)
                .map(|buffer| self.units.of[buffer.index()]);
            units.any(|unit| {
                let unit = self.units.all.get(unit);
                unit.is_some_and(|unit| unit.members.len() > MOST_MEMBERS)
            })
        })
    }

    pub(super) fn peaks(&self) -> Vec<Peak> {
        self.units.loads.iter().map(Load::peak).collect()
    }

    /// Keeps the changes if they are profitable.
    pub(super) fn settle(&mut self, made: &[Rewrite], keep: Keep) -> bool {
        let before = self.peaks();
        let mut was: SmallVec<[(usize, CoalescedBuffers); 4]> = SmallVec::new();
        let mut lived: SmallVec<[(BufferId, Ranges); 4]> = SmallVec::new();
        let units = self.units.all.len();
        let mut left: SmallVec<[BufferId; 4]> = SmallVec::new();
        let mut root = None;
        let mut ranges: Vec<(Position, Position)> = Vec::new();
        for step in made {
            let (gone, into, range) = self.effect(*step);
            root = into.map(|into| self.root(into));
            ranges.push(range);
            let unit = self.units.of[gone.index()];
            if unit != usize::MAX {
                was.push((unit, self.units.all[unit].clone()));
                self.units.all[unit]
                    .members
                    .retain(|member| *member != gone);
                self.units.refresh(unit);
                left.push(gone);
            }
        }
        let root = root.filter(|root| self.units.of[root.index()] != usize::MAX);
        let mut is_longer = false;
        if let Some(root) = root {
            let unit = self.units.of[root.index()];
            was.push((unit, self.units.all[unit].clone()));
            lived.push((root, self.units.live[root.index()].clone()));
            ranges.extend(&self.units.live[root.index()]);
            let live = union(ranges);
            is_longer = live != self.units.live[root.index()];
            self.extend(root, live);
            left.push(root);
        }
        for buffer in left {
            self.regroup(buffer, &mut was);
        }
        let after = self.peaks();
        let no_worse = after
            .iter()
            .zip(&before)
            .all(|(after, before)| after <= before);
        let is_free = !is_longer && made.iter().all(|step| self.is_around(*step));
        let is_kept = match keep {
            Keep::Free => no_worse && is_free,
            Keep::Better => no_worse && (after != before || is_free),
            Keep::NoWorse => no_worse,
            Keep::Any => true,
        };
        if is_kept {
            for step in made {
                let (gone, ..) = self.effect(*step);
                self.units.of[gone.index()] = usize::MAX;
            }
            return true;
        }
        for (buffer, live) in lived {
            self.units.live[buffer.index()] = live;
        }
        for (unit, before) in was.into_iter().rev() {
            for member in &before.members {
                self.units.of[member.index()] = unit;
            }
            self.units.set(unit, before.members, before.live);
        }
        for unit in units..self.units.all.len() {
            self.units.set(unit, SmallVec::new(), Ranges::new());
        }
        self.units.all.truncate(units);
        false
    }

    /// Coalesces buffers that reused the bytes of a buffer which left their group with others whose bytes they can
    /// reuse instead. `was` receives the groups that change.
    fn regroup(&mut self, left: BufferId, was: &mut SmallVec<[(usize, CoalescedBuffers); 4]>) {
        let takeovers = self.takeovers;
        for &(to, position) in takeovers.from(left) {
            let unit = self.units.of[to.index()];
            if unit == usize::MAX || self.units.all[unit].members.contains(&left) {
                continue;
            }
            let others = takeovers.to(to).iter();
            let others = others.filter(|(from, at)| *from != left && *at == position);
            let hosts = others.map(|(from, _)| self.units.of[from.index()]);
            let mut hosts = hosts.filter(|host| self.units.may_join(unit, *host, position));
            if let Some(host) = hosts.next() {
                was.extend([unit, host].map(|unit| (unit, self.units.all[unit].clone())));
                self.units.join(unit, host);
            }
        }
    }

    /// Whether a change makes a buffer part of one that is allocated in a block around its own.
    fn is_around(&self, step: Rewrite) -> bool {
        match step {
            Rewrite::Move(place) => self.facts.moves[place].is_around,
            Rewrite::View(_) => false,
        }
    }

    /// The buffer that is removed, the buffer that contains it then, and the positions between which that is
    /// needed.
    fn effect(&self, step: Rewrite) -> (BufferId, Option<BufferId>, (Position, Position)) {
        match step {
            Rewrite::Move(place) => {
                let one = &self.facts.moves[place];
                let first = self.first[one.from.index()];
                (one.from, Some(one.into), (first, one.end))
            }
            Rewrite::View(place) => {
                let one = &self.facts.view_candidates[place];
                (one.to, one.buffer, (one.position, one.end))
            }
        }
    }

    /// Sets the live ranges of a buffer; members of its group that now conflict leave the group.
    fn extend(&mut self, buffer: BufferId, live: Ranges) {
        let unit = self.units.of[buffer.index()];
        let others: SmallVec<[BufferId; 2]> = {
            let members = self.units.all[unit].members.iter().copied();
            members.filter(|member| *member != buffer).collect()
        };
        let theirs = self.units.united(&others);
        let fits = shared(&live, &theirs) <= shared(&self.units.live[buffer.index()], &theirs);
        self.units.live[buffer.index()] = live.clone();
        if fits {
            return self.units.refresh(unit);
        }
        self.units.all[unit].members = others;
        self.units.refresh(unit);
        self.units.of[buffer.index()] = self.units.all.len();
        self.units.all.push(CoalescedBuffers {
            space: self.units.all[unit].space,
            size: self.units.all[unit].size,
            slice: self.units.all[unit].slice,
            ..CoalescedBuffers::default()
        });
        self.units.set(
            self.units.all.len() - 1,
            SmallVec::from_slice(&[buffer]),
            live,
        );
    }
}

/// Number of positions in both.
fn shared(one: &Ranges, other: &Ranges) -> u64 {
    let all = union(one.iter().chain(other).copied().collect());
    length(one) + length(other) - length(&all)
}

fn length(ranges: &Ranges) -> u64 {
    ranges
        .iter()
        .map(|(first, end)| u64::from(end - first))
        .sum()
}
