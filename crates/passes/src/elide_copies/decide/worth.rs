//! Whether what is done is worth it: the bytes that are live with it, and without.

use super::{
    search::{Keep, Step},
    state::State,
};
use crate::{
    elide_copies::load::{Load, Peak},
    units::{Slice, Space, bytes},
};
use memplan_lifetimes::{
    live::{Ranges, union},
    program::{BufferId, Position},
};
use smallvec::SmallVec;

/// What shares bytes: one or more buffers, joined in place.
#[derive(Clone, Default)]
pub(super) struct Unit {
    pub(super) space: usize,
    pub(super) size: i128,
    /// What a plan takes for it; none where only the run knows its size.
    pub(super) slice: Option<Slice>,
    pub(super) members: SmallVec<[BufferId; 2]>,
    pub(super) live: Ranges,
}

impl State<'_, '_> {
    pub(super) fn add_space(&mut self, place: usize, space: &Space) {
        let analysis = self.analysis;
        let start = self.units.len();
        let hosts = space.hosts(analysis);
        let mut numbers = vec![usize::MAX; hosts.len()];
        for (index, host) in hosts.iter().enumerate() {
            let member = space.members[index];
            let plannable = &analysis.plannable[member];
            if numbers[*host] == usize::MAX {
                numbers[*host] = self.units.len();
                self.units.push(Unit {
                    space: place,
                    size: i128::from(bytes(analysis, space.members[*host], space.alignment)),
                    slice: Slice::of(analysis, space.members[*host], space.alignment),
                    ..Unit::default()
                });
            }
            let unit = numbers[*host];
            self.units[unit].members.push(plannable.buffer);
            self.unit[plannable.buffer.index()] = unit;
            self.live[plannable.buffer.index()] = plannable.live.clone();
        }
        let mut load = Load::new(analysis.program.end);
        for unit in start..self.units.len() {
            let live = self.united(&self.units[unit].members);
            load.add(&live, self.units[unit].size);
            self.units[unit].live = live;
        }
        self.loads.push(load);
    }

    fn united(&self, members: &[BufferId]) -> Ranges {
        let parts = members.iter().flat_map(|one| &self.live[one.index()]);
        union(parts.copied().collect())
    }

    pub(super) fn peaks(&self) -> Vec<Peak> {
        self.loads.iter().map(Load::peak).collect()
    }

    /// Keeps what has been done, if it is worth it.
    pub(super) fn settle(&mut self, made: &[Step], keep: Keep) -> bool {
        let before = self.peaks();
        let mut was: SmallVec<[(usize, Unit); 4]> = SmallVec::new();
        let mut lived: SmallVec<[(BufferId, Ranges); 4]> = SmallVec::new();
        let units = self.units.len();
        let mut root = None;
        let mut ranges: Vec<(Position, Position)> = Vec::new();
        for step in made {
            let (gone, into, range) = self.effect(*step);
            root = into.map(|into| self.root(into));
            ranges.push(range);
            let unit = self.unit[gone.index()];
            if unit != usize::MAX {
                was.push((unit, self.units[unit].clone()));
                self.units[unit].members.retain(|member| *member != gone);
                self.refresh(unit);
            }
        }
        let root = root.filter(|root| self.unit[root.index()] != usize::MAX);
        let root_unit = root.map_or(usize::MAX, |root| self.unit[root.index()]);
        if let Some(root) = root {
            was.push((root_unit, self.units[root_unit].clone()));
            lived.push((root, self.live[root.index()].clone()));
            ranges.extend(&self.live[root.index()]);
            self.extend(root, union(ranges));
        }
        let after = self.peaks();
        let no_worse = after
            .iter()
            .zip(&before)
            .all(|(after, before)| after <= before);
        let better = no_worse && after != before;
        if better || (no_worse && keep == Keep::NoWorse) || keep == Keep::Any {
            for step in made {
                let (gone, ..) = self.effect(*step);
                self.unit[gone.index()] = usize::MAX;
            }
            return true;
        }
        if let Some(root) = root {
            self.unit[root.index()] = root_unit;
        }
        for (buffer, live) in lived {
            self.live[buffer.index()] = live;
        }
        for unit in units..self.units.len() {
            self.set(unit, SmallVec::new(), Ranges::new());
        }
        self.units.truncate(units);
        for (unit, before) in was.into_iter().rev() {
            self.set(unit, before.members, before.live);
        }
        false
    }

    /// The buffer that goes, what it becomes a part of, and for how long that is needed.
    fn effect(&self, step: Step) -> (BufferId, Option<BufferId>, (Position, Position)) {
        match step {
            Step::Move(place) => {
                let one = &self.facts.moves[place];
                let first = self.first[one.from.index()];
                (one.from, Some(one.into), (first, one.position + 1))
            }
            Step::Lend(place) => {
                let one = &self.facts.lends[place];
                (one.to, one.buffer, (one.position, one.end))
            }
        }
    }

    /// Makes a buffer live in these ranges; what it is joined with is left if it is in the way now.
    fn extend(&mut self, buffer: BufferId, live: Ranges) {
        let unit = self.unit[buffer.index()];
        let others: SmallVec<[BufferId; 2]> = {
            let members = self.units[unit].members.iter().copied();
            members.filter(|member| *member != buffer).collect()
        };
        let theirs = self.united(&others);
        let shared = |own: &Ranges| {
            let all = union(own.iter().chain(&theirs).copied().collect());
            length(own) + length(&theirs) - length(&all)
        };
        let fits = shared(&live) <= shared(&self.live[buffer.index()]);
        self.live[buffer.index()] = live.clone();
        if fits {
            return self.refresh(unit);
        }
        self.units[unit].members = others;
        self.refresh(unit);
        self.unit[buffer.index()] = self.units.len();
        self.units.push(Unit {
            space: self.units[unit].space,
            size: self.units[unit].size,
            slice: self.units[unit].slice,
            ..Unit::default()
        });
        self.set(self.units.len() - 1, SmallVec::from_slice(&[buffer]), live);
    }

    /// Brings a unit in line with its members.
    fn refresh(&mut self, unit: usize) {
        let members = self.units[unit].members.clone();
        let live = self.united(&members);
        self.set(unit, members, live);
    }

    fn set(&mut self, unit: usize, members: SmallVec<[BufferId; 2]>, live: Ranges) {
        let unit = &mut self.units[unit];
        let load = &mut self.loads[unit.space];
        load.add(&unit.live, -unit.size);
        load.add(&live, unit.size);
        (unit.members, unit.live) = (members, live);
    }
}

fn length(ranges: &Ranges) -> u64 {
    ranges
        .iter()
        .map(|(first, end)| u64::from(end - first))
        .sum()
}
