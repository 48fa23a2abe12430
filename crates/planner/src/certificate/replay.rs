//! The bounds of trees: a walk over the nodes of each that keeps one state and undoes what it leaves.

use super::check::CertificateError;
use super::cliques::{conflict, meet};
use super::meetings::{Lists, Presence, meetings};
use super::obstacles::{NOWHERE, Places};
use crate::{Buffer, Forbidden, LiveRange, Node, Problem, Refutation};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The bound in bytes that `refutation` proves for `problem`, which has been checked.
pub fn bound(problem: &Problem, refutation: &Refutation) -> Result<u64, CertificateError> {
    check_names(problem, refutation)?;
    let mut replay = Replay {
        state: State::new(problem, refutation),
        crowds: Crowds::new(problem, refutation),
        lemmas: Vec::new(),
        first: 0,
    };
    for lemma in &refutation.lemmas {
        replay.state.assume(&lemma.least);
        let bound = replay.walk(&lemma.nodes)?;
        let premises = replay.state.forget(&lemma.least);
        replay.lemmas.push(Proven { premises, bound });
    }
    let free = (0u32..).zip(&problem.buffers).filter(|(_, it)| is_free(it));
    let all: Vec<(u32, u64)> = free.map(|(position, _)| (position, 0)).collect();
    replay.state.assume(&all);
    replay.walk(&refutation.nodes)
}

/// A lemma that holds.
struct Proven {
    /// Classes of twins and least offsets of their buffers, the highest first.
    premises: Vec<(u32, u64)>,
    bound: u64,
}

/// What the trees of a refutation are held against.
struct Replay<'a> {
    state: State,
    crowds: Crowds<'a>,
    /// Those of the trees before this one.
    lemmas: Vec<Proven>,
    /// How many nodes there are in the trees before this one.
    first: usize,
}

impl Replay<'_> {
    /// The bound of a tree; leaves the state as it was.
    fn walk(&mut self, nodes: &[Node]) -> Result<u64, CertificateError> {
        let (first, state) = (self.first, &mut self.state);
        self.first += nodes.len();
        let mut open: Vec<Open> = Vec::new();
        let mut bound = NOWHERE;
        for (index, &node) in (first..).zip(nodes) {
            let end = match node {
                Node::Branch(position) => {
                    let buffer = position as usize;
                    let node = index;
                    if state.placed[buffer] {
                        return Err(CertificateError::Placed { node, position });
                    }
                    if !state.present[buffer] {
                        return Err(CertificateError::NothingToPlace { node, position });
                    }
                    open.push(Open {
                        buffer: position,
                        changes: state.changes.len(),
                    });
                    state.raise(buffer);
                    continue;
                }
                Node::Leaf(time) => {
                    let (crowd, taken) = self.crowds.at(time as usize);
                    state.stack(crowd, taken)
                }
                Node::Clique(clique) => {
                    let (crowd, taken) = self.crowds.clique(clique as usize);
                    state.stack(crowd, taken)
                }
                Node::Lemma(number) => {
                    let (node, lemma) = (index, number);
                    let lemmas = self.lemmas.len();
                    let proven = self.lemmas.get(number as usize);
                    let proven = proven.ok_or(CertificateError::UnknownLemma {
                        node,
                        lemma,
                        lemmas,
                    })?;
                    if !state.implies(&proven.premises) {
                        return Err(CertificateError::DoesNotApply { node, lemma });
                    }
                    proven.bound
                }
            };
            bound = bound.min(end);
            if !next_subtree(state, &mut open) {
                return match index + 1 {
                    end if end < self.first => Err(CertificateError::Trailing { node: end }),
                    _ => Ok(bound),
                };
            }
        }
        let nodes = self.first;
        Err(CertificateError::Truncated { nodes })
    }
}

/// A branch whose subtrees are not all done; whether it is at the second is whether its buffer is
/// placed.
struct Open {
    buffer: u32,
    /// How many changes had been made before.
    changes: usize,
}

/// Goes to the second subtree of the last branch that has not been there; false at the tree's end.
fn next_subtree(state: &mut State, open: &mut Vec<Open>) -> bool {
    while let Some(branch) = open.last() {
        let buffer = branch.buffer as usize;
        state.undo(branch.changes);
        if !state.placed[buffer] {
            state.place(buffer);
            return true;
        }
        state.placed[buffer] = false;
        open.pop();
    }
    false
}

/// Whether the buffer is neither fixed nor aside of all others.
fn is_free(buffer: &Buffer) -> bool {
    buffer.is_active() && buffer.fixed_offset.is_none()
}

/// All nodes, in the order of the certificate.
fn nodes(refutation: &Refutation) -> impl Iterator<Item = Node> + '_ {
    let lemmas = refutation.lemmas.iter().flat_map(|lemma| &lemma.nodes);
    lemmas.chain(&refutation.nodes).copied()
}

/// Every node names a buffer that can be placed, or a time or a clique that is listed; cliques are
/// cliques, and lemmas list buffers that can be placed.
fn check_names(problem: &Problem, refutation: &Refutation) -> Result<(), CertificateError> {
    let (times, cliques) = (refutation.times.len(), refutation.cliques.len());
    let buffer = |position: u32| problem.buffers.get(position as usize);
    let named = |position: u32, keep: fn(&Buffer) -> bool| {
        let buffer = buffer(position).filter(|&it| keep(it));
        buffer.ok_or(CertificateError::NothingThere { position })
    };
    for (node, name) in nodes(refutation).enumerate() {
        match name {
            Node::Branch(position) => {
                if !buffer(position).is_some_and(is_free) {
                    return Err(CertificateError::NothingToPlace { node, position });
                }
            }
            Node::Leaf(time) => {
                if time as usize >= times {
                    return Err(CertificateError::UnknownTime { node, time, times });
                }
            }
            Node::Clique(clique) => {
                if clique as usize >= cliques {
                    return Err(CertificateError::UnknownClique {
                        node,
                        clique,
                        cliques,
                    });
                }
            }
            Node::Lemma(_) => {}
        }
    }
    for clique in &refutation.cliques {
        let members = clique.iter().map(|&it| named(it, Buffer::is_active));
        let members = members.collect::<Result<Vec<&Buffer>, _>>()?;
        for (index, buffer) in members.iter().enumerate() {
            if let Some(other) = members[..index].iter().find(|it| !conflict(it, buffer)) {
                let (first, second) = (other.id, buffer.id);
                return Err(CertificateError::NotAtOnce { first, second });
            }
        }
    }
    for lemma in &refutation.lemmas {
        let mut seen = BTreeSet::new();
        for &(position, _) in &lemma.least {
            named(position, is_free)?;
            if !seen.insert(position) {
                return Err(CertificateError::NothingThere { position });
            }
        }
    }
    Ok(())
}

/// The buffers that no leaf may let share a byte, and the bytes that are not theirs.
struct Crowds<'a> {
    /// For each listed time that a leaf names the buffers that are live then.
    times: Lists,
    cliques: &'a [Vec<u32>],
    /// For times, and for cliques; empty where nothing is forbidden at any time.
    taken: [Vec<Ranges>; 2],
}

/// Bytes from and up to, as ranges that share none, in order.
type Ranges = Vec<(u64, u64)>;

impl<'a> Crowds<'a> {
    fn new(problem: &Problem, refutation: &'a Refutation) -> Self {
        Crowds {
            times: crowds(problem, refutation),
            cliques: &refutation.cliques,
            taken: [
                taken(problem, &refutation.times),
                taken_of(problem, &refutation.cliques),
            ],
        }
    }

    fn at(&self, time: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.taken[0].get(time);
        (self.times.of(time), taken.map_or(&[], Vec::as_slice))
    }

    fn clique(&self, clique: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.taken[1].get(clique);
        (&self.cliques[clique], taken.map_or(&[], Vec::as_slice))
    }
}

/// For each listed time that a leaf names the buffers that are live then.
///
/// As large as all these together; a proof names few times, each for many leaves.
fn crowds(problem: &Problem, refutation: &Refutation) -> Lists {
    let times = &refutation.times;
    let mut named = vec![false; times.len()];
    for node in nodes(refutation) {
        if let Node::Leaf(time) = node {
            named[time as usize] = true;
        }
    }
    let points: Vec<[LiveRange; 1]> = times
        .iter()
        .map(|&time| [LiveRange::from((time, time.saturating_add(1)))])
        .collect();
    let subjects: Vec<Presence> = (0u32..)
        .zip(&points)
        .filter(|&(time, point)| named[time as usize] && point[0].start < point[0].end)
        .map(|(time, point)| (time, point.as_slice()))
        .collect();
    meetings(
        times.len(),
        &subjects,
        &presences(problem, Buffer::is_active),
    )
}

/// The buffers that `keep` keeps, by position.
fn presences(problem: &Problem, keep: impl Fn(&Buffer) -> bool) -> Vec<Presence<'_>> {
    (0u32..)
        .zip(&problem.buffers)
        .filter(|(_, buffer)| keep(buffer))
        .map(|(position, buffer)| (position, buffer.live.as_slice()))
        .collect()
}

fn in_force(range: &Forbidden, time: u64) -> bool {
    let during = range.time();
    during.start <= time && time < during.end
}

/// For each listed time the bytes that are forbidden then; empty where nothing is forbidden at any
/// time. Forbidden ranges are few.
fn taken(problem: &Problem, times: &[u64]) -> Vec<Ranges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let at = |&time: &u64| {
        let ranges = problem.forbidden.iter();
        melted(ranges.filter(|range| in_force(range, time)))
    };
    times.iter().map(at).collect()
}

/// For each clique the bytes that are forbidden at some time of each of its buffers.
fn taken_of(problem: &Problem, cliques: &[Vec<u32>]) -> Vec<Ranges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let of = |clique: &Vec<u32>| {
        let for_all = |range: &&Forbidden| {
            let live = |&it: &u32| &problem.buffers[it as usize].live;
            let mut members = clique.iter().map(live);
            members.all(|live| meet(live, &[range.time()]))
        };
        melted(problem.forbidden.iter().filter(for_all))
    };
    cliques.iter().map(of).collect()
}

fn melted<'a>(ranges: impl Iterator<Item = &'a Forbidden>) -> Ranges {
    let mut ranges: Ranges = ranges.map(|range| (range.start, range.end)).collect();
    ranges.sort_unstable();
    let mut melted: Ranges = Vec::new();
    for (start, after) in ranges {
        match melted.last_mut() {
            Some((_, end)) if start <= *end => *end = after.max(*end),
            _ => melted.push((start, after)),
        }
    }
    melted
}

/// What is known of the buffers, by position, at one node.
struct State {
    sizes: Vec<u64>,
    places: Places,
    /// For each buffer that a node branches on or a lemma lists, those that are not fixed and live
    /// at once, with itself.
    neighbours: Lists,
    /// For each buffer that a lemma lists, and its twins, the number of their class.
    class: Vec<u32>,
    /// For each class its buffers.
    twins: Vec<Vec<u32>>,
    /// Whether the tree is about the buffer, or it is fixed. What is not present counts nowhere.
    present: Vec<bool>,
    /// The least offset of each; [`NOWHERE`] where there is no such plan.
    low: Vec<u64>,
    placed: Vec<bool>,
    /// Buffers whose `low` was changed, and what it was, in order.
    changes: Vec<(u32, u64)>,
    /// `low`, size and grain of the buffers of a stack.
    stack: Vec<(u64, u64, u64)>,
    /// The grains in a stack that are more than 1.
    coarse: Vec<u64>,
    /// Of what the offset of each is known to be a multiple, in bytes: its alignment, or 1 if it is
    /// fixed.
    grains: Vec<u64>,
    /// The `low` of the buffers of a class.
    lows: Vec<u64>,
}

impl State {
    /// Nothing is present but what is fixed.
    fn new(problem: &Problem, refutation: &Refutation) -> Self {
        let count = problem.buffers.len();
        let mut named = vec![false; count];
        for node in nodes(refutation) {
            if let Node::Branch(position) = node {
                named[position as usize] = true;
            }
        }
        // Any buffer may be the twin of one that is listed.
        let with_twins = !refutation.lemmas.is_empty();
        let free = presences(problem, is_free);
        let mut subjects = free.clone();
        subjects.retain(|&(position, _)| named[position as usize] || with_twins);
        let places = Places::new(problem);
        let grain = |buffer: &Buffer| match buffer.fixed_offset {
            Some(_) => 1,
            None => buffer.alignment,
        };
        let mut state = State {
            grains: problem.buffers.iter().map(grain).collect(),
            sizes: problem.buffers.iter().map(|buffer| buffer.size).collect(),
            low: (0..count)
                .map(|buffer| places.least_from(buffer, 0))
                .collect(),
            present: problem.buffers.iter().map(|it| !is_free(it)).collect(),
            neighbours: meetings(count, &subjects, &free),
            class: vec![u32::MAX; count],
            twins: Vec::new(),
            places,
            placed: vec![false; count],
            changes: Vec::new(),
            stack: Vec::new(),
            coarse: Vec::new(),
            lows: Vec::new(),
        };
        if with_twins {
            state.find_twins(problem);
        }
        state
    }

    fn find_twins(&mut self, problem: &Problem) {
        let mut classes = BTreeMap::new();
        for (position, buffer) in problem.buffers.iter().enumerate() {
            if !is_free(buffer) {
                continue;
            }
            let others = self.neighbours.of(position);
            let gaps = self.places.gaps(position);
            let key = (buffer.size, buffer.alignment, gaps, others);
            let class = *classes.entry(key).or_insert(self.twins.len());
            if class == self.twins.len() {
                self.twins.push(Vec::new());
            }
            self.twins[class].push(position as u32);
            self.class[position] = class as u32;
        }
    }

    /// A tree begins, about these buffers: each lies at the offset or higher.
    fn assume(&mut self, least: &[(u32, u64)]) {
        for &(position, offset) in least {
            let buffer = position as usize;
            self.present[buffer] = true;
            self.low[buffer] = self.places.least_from(buffer, offset);
        }
    }

    /// The tree has ended; returns what it assumed of each class, ordered.
    fn forget(&mut self, least: &[(u32, u64)]) -> Vec<(u32, u64)> {
        for &(position, _) in least {
            self.present[position as usize] = false;
        }
        let class = |&(position, offset): &(u32, u64)| (self.class[position as usize], offset);
        let mut premises: Vec<(u32, u64)> = least.iter().map(class).collect();
        premises.sort_unstable_by_key(|&(class, offset)| (class, Reverse(offset)));
        premises
    }

    /// Whether each premise has a buffer of its own, of its class, that lies so high: the highest
    /// serve the highest.
    fn implies(&mut self, premises: &[(u32, u64)]) -> bool {
        premises
            .chunk_by(|a, b| a.0 == b.0)
            .all(|premises| self.implies_of(premises))
    }

    /// The same where all are of one class.
    fn implies_of(&mut self, premises: &[(u32, u64)]) -> bool {
        self.lows.clear();
        for &position in &self.twins[premises[0].0 as usize] {
            if self.present[position as usize] {
                self.lows.push(self.low[position as usize]);
            }
        }
        self.lows.sort_unstable_by_key(|&low| Reverse(low));
        let mut pairs = premises.iter().zip(&self.lows);
        premises.len() <= self.lows.len() && pairs.all(|((_, least), low)| low >= least)
    }

    /// Where a buffer ends at the least.
    fn top(&self, buffer: usize) -> u64 {
        self.low[buffer].saturating_add(self.sizes[buffer])
    }

    fn lift(&mut self, buffer: usize, low: u64) {
        if low > self.low[buffer] {
            self.changes.push((buffer as u32, self.low[buffer]));
            self.low[buffer] = low;
        }
    }

    /// `buffer` lies higher than at `low`: on one of its neighbours.
    fn raise(&mut self, buffer: usize) {
        let low = self.low[buffer];
        let mut least = NOWHERE;
        for &neighbour in self.neighbours.of(buffer) {
            let neighbour = neighbour as usize;
            if neighbour == buffer || !self.present[neighbour] {
                continue;
            }
            let top = self.top(neighbour);
            if top > low {
                least = least.min(top);
            } else if !self.placed[neighbour] {
                least = least.min(low.saturating_add(1)); // it may lie higher yet
            }
        }
        self.lift(buffer, self.places.least_from(buffer, least));
    }

    /// `buffer` lies at `low`: neighbours that cannot be below are above.
    fn place(&mut self, buffer: usize) {
        let (low, top) = (self.low[buffer], self.top(buffer));
        self.placed[buffer] = true;
        for index in 0..self.neighbours.of(buffer).len() {
            let neighbour = self.neighbours.of(buffer)[index] as usize;
            let open = self.present[neighbour] && !self.placed[neighbour];
            if open && self.top(neighbour) > low {
                self.lift(neighbour, self.places.least_from(neighbour, top));
            }
        }
    }

    /// Takes back all changes but the first `keep`.
    fn undo(&mut self, keep: usize) {
        for (buffer, low) in self.changes.drain(keep..).rev() {
            self.low[buffer as usize] = low;
        }
    }

    /// Where `crowd`, which is live at one time, ends at the least: stacked in order of `low`, with
    /// the bytes of `taken` left out.
    fn stack(&mut self, crowd: &[u32], mut taken: &[(u64, u64)]) -> u64 {
        self.stack.clear();
        self.coarse.clear();
        for &buffer in crowd {
            let buffer = buffer as usize;
            if !self.present[buffer] {
                continue;
            }
            let grain = self.grains[buffer];
            self.stack
                .push((self.low[buffer], self.sizes[buffer], grain));
            if grain > 1 && !self.coarse.contains(&grain) {
                self.coarse.push(grain); // at most 64
            }
        }
        self.stack.sort_unstable();
        let mut top = 0u64;
        for &(low, size, _) in &self.stack {
            top = top.max(low);
            let mut end = top.saturating_add(size);
            while let Some((&(first, after), rest)) = taken.split_first() {
                if first >= end {
                    break;
                }
                if after > top {
                    end = end.saturating_add(after - first.max(top));
                }
                taken = rest;
            }
            top = end;
        }
        let rounded = self.coarse.iter().map(|&grain| self.stack_rounded(grain));
        top.max(rounded.max().unwrap_or(0))
    }

    /// The same for a stack that is in order, by what alignment adds: of those aligned at least so,
    /// each but the topmost takes its size rounded up to `grain`, of which all their offsets are
    /// multiples.
    fn stack_rounded(&self, grain: u64) -> u64 {
        let (mut sum, mut most, mut best) = (0u64, 0, 0);
        for &(low, size, own) in self.stack.iter().rev() {
            if own < grain {
                continue;
            }
            let rounded = size.checked_next_multiple_of(grain).unwrap_or(NOWHERE);
            sum = sum.saturating_add(rounded);
            most = most.max(rounded - size);
            best = best.max(low.saturating_add(sum - most));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, Strategy, any, proptest};

    /// A buffer of a few bytes, live for a few points in time, maybe with a hole.
    fn buffer() -> impl Strategy<Value = Buffer> {
        let times = (0u64..6, 1u64..4, 0u64..3, 1u64..3);
        (1u64..6, 0u32..8, times).prop_map(|(size, alignment, (start, length, hole, rest))| {
            let end = start + length;
            let mut live = vec![(start, end)];
            if hole > 0 {
                live.push((end + hole, end + hole + rest));
            }
            Buffer::new(0, size, live).aligned(1 << alignment.saturating_sub(5))
        })
    }

    /// Addresses that are forbidden for some time or always.
    fn forbidden() -> impl Strategy<Value = Forbidden> {
        let during = proptest::option::of((0u64..6, 1u64..4));
        (0u64..20, 1u64..5, during).prop_map(|(start, length, during)| {
            let range = Forbidden::new(start, start + length);
            match during {
                Some((time, length)) => range.during(time, time + length),
                None => range,
            }
        })
    }

    /// Some of the buffers with fixed offsets.
    fn problem() -> impl Strategy<Value = Problem> {
        let forbidden = vec(forbidden(), 0..3);
        (vec((buffer(), 0u64..24), 1..8), forbidden).prop_map(|(raw, forbidden)| {
            let mut buffers: Vec<Buffer> = Vec::new();
            for (id, (free, fixed)) in (0..).zip(raw) {
                let offset = fixed * free.alignment;
                buffers.push(Buffer { id, ..free });
                let last = buffers.len() - 1;
                if fixed < 8 {
                    buffers[last].fixed_offset = Some(offset);
                    if Problem::new(buffers.clone()).is_err() {
                        buffers[last].fixed_offset = None;
                    }
                }
            }
            let mut problem = Problem::new(buffers).expect("a valid problem");
            for range in forbidden {
                problem.forbidden.push(range);
                if problem.check().is_err() {
                    problem.forbidden.pop();
                }
            }
            problem
        })
    }

    /// Places the buffers in order of their `ranks`, each at the lowest offset that is free.
    fn plan(problem: &Problem, ranks: &[u8]) -> Vec<u64> {
        plan_from(problem, ranks, &vec![0; problem.buffers.len()])
    }

    /// The same, but each at its `least` offset or higher: so none can be moved down to that.
    fn plan_from(problem: &Problem, ranks: &[u8], least: &[u64]) -> Vec<u64> {
        let buffers = &problem.buffers;
        let mut offsets: Vec<Option<u64>> = buffers.iter().map(|it| it.fixed_offset).collect();
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.sort_by_key(|&position| ranks[position]);
        for position in order {
            let subject = &buffers[position];
            let allowed = |at| {
                let mut ranges = problem.forbidden.iter();
                ranges.all(|range| !range.holds_some_of(subject, at))
            };
            let clear = |&at: &u64| {
                allowed(at)
                    && buffers.iter().zip(&offsets).all(|(other, offset)| {
                        !meet(&subject.live, &other.live)
                            || offset.is_none_or(|o| at + subject.size <= o || o + other.size <= at)
                    })
            };
            let aligned = (0..).map(|index| index * subject.alignment);
            let mut aligned = aligned.skip_while(|&at| at < least[position]);
            offsets[position] = offsets[position].or_else(|| aligned.find(clear));
        }
        offsets.into_iter().map(Option::unwrap_or_default).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// Whatever is branched on, a plan stays in one of the subtrees, and no leaf says more than
        /// it needs.
        #[test]
        fn no_plan_gets_lost(
            problem in problem(),
            ranks in vec(any::<u8>(), 8),
            picks in vec(any::<u8>(), 1..60),
        ) {
            let plan = plan(&problem, &ranks);
            let peak = crate::Solution::new(&problem, plan.clone()).peak;
            let times: Vec<u64> = (0..16).collect();
            let leaves = (0..16).map(Node::Leaf);
            let count = problem.buffers.len();
            let branches = (0..count as u32).map(Node::Branch);
            let nodes = leaves.chain(branches).collect();
            let refutation = Refutation { times, nodes, ..Refutation::default() };
            let crowds = Crowds::new(&problem, &refutation);
            let mut state = State::new(&problem, &refutation);
            state.present.fill(true);
            let mut open: Vec<usize> =
                (0..count).filter(|&position| is_free(&problem.buffers[position])).collect();
            for pick in picks {
                for (position, &offset) in plan.iter().enumerate() {
                    let low = state.low[position];
                    assert!(low == offset || low < offset && !state.placed[position]);
                }
                for time in 0..refutation.times.len() {
                    let (crowd, taken) = crowds.at(time);
                    assert!(state.stack(crowd, taken) <= peak);
                }
                if open.is_empty() {
                    break;
                }
                let index = usize::from(pick) % open.len();
                let position = open[index];
                if plan[position] > state.low[position] {
                    state.raise(position);
                } else {
                    state.place(position);
                    open.swap_remove(index);
                }
            }
        }

        /// Whatever is branched on, a tree over some of the buffers says no more than they need where
        /// they lie no lower than it assumes.
        #[test]
        fn a_lemma_holds_wherever_its_buffers_lie(
            problem in problem(),
            ranks in vec(any::<u8>(), 8),
            floors in vec(0u64..12, 8),
            less in vec(0u64..4, 8),
            listed in vec(any::<bool>(), 8),
            picks in vec(any::<u8>(), 1..40),
        ) {
            let plan = plan_from(&problem, &ranks, &floors);
            let count = problem.buffers.len();
            let is_listed = |position: usize| listed[position] && is_free(&problem.buffers[position]);
            let least: Vec<(u32, u64)> = (0..count)
                .filter(|&position| is_listed(position))
                .map(|position| (position as u32, plan[position].saturating_sub(less[position])))
                .collect();
            let counts = |position: usize| is_listed(position) || !is_free(&problem.buffers[position]);
            let ends = (0..count).filter(|&it| counts(it)).map(|it| plan[it] + problem.buffers[it].size);
            let peak = ends.max().unwrap_or(0);
            let times: Vec<u64> = (0..16).collect();
            let leaves = (0..16).map(Node::Leaf);
            let branches = (0..count as u32).map(Node::Branch);
            let nodes = leaves.chain(branches).collect();
            let refutation = Refutation { times, nodes, ..Refutation::default() };
            let crowds = Crowds::new(&problem, &refutation);
            let mut state = State::new(&problem, &refutation);
            state.assume(&least);
            let open: Vec<usize> = least.iter().map(|&(position, _)| position as usize).collect();
            let mut picks = picks.into_iter();
            assert!(tree(&mut state, &crowds, open, &mut picks) <= peak);
        }
    }

    /// The bound of a tree that branches on what is picked, with all times at each leaf.
    fn tree(
        state: &mut State,
        crowds: &Crowds,
        mut open: Vec<usize>,
        picks: &mut impl Iterator<Item = u8>,
    ) -> u64 {
        let Some(pick) = picks.next().filter(|_| !open.is_empty()) else {
            let mut ends = (0..16).map(|time| {
                let (crowd, taken) = crowds.at(time);
                state.stack(crowd, taken)
            });
            return ends.by_ref().max().unwrap_or(0);
        };
        let index = usize::from(pick) % open.len();
        let (buffer, changes) = (open[index], state.changes.len());
        state.raise(buffer);
        let raised = tree(state, crowds, open.clone(), picks);
        state.undo(changes);
        state.place(buffer);
        open.swap_remove(index);
        let placed = tree(state, crowds, open, picks);
        state.undo(changes);
        state.placed[buffer] = false;
        raised.min(placed)
    }
}
