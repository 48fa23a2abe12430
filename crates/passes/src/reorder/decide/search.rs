//! Searches an order under a limit.
//!
//! The bytes that are live after a set of operations are the sizes of items that some of these operations
//! touch and others do not: the cut of a hypergraph, which is submodular. Suppose the set can execute now,
//! leaves no more bytes live than now, and none of its parts does so. Then it can be executed at once: an
//! order that executes it later is no better. The search goes from one such valley to the next, in order of
//! live bytes, and never exceeds the limit. If nothing is left to try, no order is under the limit, which
//! rises to the least that some operation needs.
//!
//! Finding a valley may take too long. The search then follows the given order to the next one, and proves
//! nothing any more.

use super::{clusters::Clusters, state::State};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Parameters of the search.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Initial limit of live bytes.
    pub limit: u64,
    /// The limit may rise, but stays below this.
    pub under: u64,
    /// Whether the limit rises.
    pub rises: bool,
    /// Number of steps between two valleys.
    pub patience: u64,
}

/// Result of the search.
#[derive(Clone, Debug)]
pub struct Found {
    /// An order of all clusters with a load below the given one.
    pub order: Option<Vec<u32>>,
    /// No order has a load below this, if the first limit was such a bound.
    pub bound: u64,
}

/// Searches for an order. Each step is subtracted from `steps`.
pub fn search(all: &Clusters, terms: &Terms, steps: &mut u64) -> Found {
    let mut search = Search {
        state: State::start(all),
        order: Vec::with_capacity(all.units.len()),
        limit: terms.limit,
        bound: terms.limit,
        exact: terms.rises,
        cursor: 0,
        woken: Vec::new(),
        moved: 0,
    };
    let everything: Vec<u32> = search.state.ready().to_vec();
    search.woken.extend(everything);
    let mut ran = Ran::new();
    search.settle(&mut ran);
    search.order.extend(ran.iter().map(|one| one.0));
    let mut found = true;
    while found && !search.state.is_over() {
        found = search.next_valley(terms, steps);
    }
    Found {
        order: found.then_some(search.order),
        bound: search.bound,
    }
}

/// Executed clusters, each with the live bytes before it.
type Ran = SmallVec<[(u32, u64); 4]>;

/// A set of clusters that was visited.
struct Seen {
    parent: u32,
    depth: u32,
    ran: Ran,
}

struct Search<'u> {
    state: State<'u>,
    order: Vec<u32>,
    limit: u64,
    bound: u64,
    /// Whether all untried sets are known to be no better.
    exact: bool,
    /// All clusters before this one were executed.
    cursor: usize,
    woken: Vec<u32>,
    /// Number of clusters that were executed or undone to get from one set to another.
    moved: u64,
}

/// State of the search between two valleys.
struct Local {
    seen: Vec<Seen>,
    hashes: FxHashSet<u128>,
    /// Sets, by live bytes.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Steps that exceed the limit: bytes, set and cluster.
    over: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// The current set.
    at: u32,
    /// Live bytes at the start.
    valley: u64,
}

impl<'u> Search<'u> {
    fn run(&mut self, unit: u32, ran: &mut Ran) {
        ran.push((unit, self.state.live));
        self.woken.clear();
        self.state.run(unit, Some(&mut self.woken));
    }

    fn take_back(&mut self, ran: &Ran) {
        for (unit, live) in ran.iter().rev() {
            self.state.take_back(*unit, *live);
        }
    }

    /// Executes the woken clusters that are free under the limit.
    fn settle(&mut self, ran: &mut Ran) {
        let mut work = std::mem::take(&mut self.woken);
        while let Some(unit) = work.pop() {
            if !self.state.is_ready(unit) {
                continue;
            }
            let (most, live) = self.state.weigh(unit);
            if live <= self.state.live && most <= self.limit {
                ran.push((unit, self.state.live));
                self.state.run(unit, Some(&mut work));
            }
        }
        self.woken = work;
    }

    /// Goes to the next set that leaves no more bytes live than now.
    fn next_valley(&mut self, terms: &Terms, steps: &mut u64) -> bool {
        let mut local = Local {
            seen: vec![Seen {
                parent: 0,
                depth: 0,
                ran: Ran::new(),
            }],
            hashes: FxHashSet::default(),
            open: BinaryHeap::new(),
            over: BinaryHeap::new(),
            at: 0,
            valley: self.state.live,
        };
        local.open.push(Reverse((self.state.live, 0)));
        let mut patience = terms.patience.min(*steps);
        let enough = patience;
        if patience == 0 {
            self.exact = false;
            return self.follow(&mut local, terms);
        }
        loop {
            let Some(Reverse((_, id))) = local.open.pop() else {
                match self.rise(&mut local, terms, &mut patience) {
                    Some(true) => break,
                    Some(false) => continue,
                    None => return false,
                }
            };
            self.move_to(&mut local, id);
            let mut ready: SmallVec<[u32; 16]> = SmallVec::from_slice(self.state.ready());
            ready.sort_unstable();
            patience = patience.saturating_sub(ready.len() as u64);
            let mut reached = false;
            for unit in ready {
                self.move_to(&mut local, id);
                let cost = 1 + self.state.all.units[unit as usize].items.len() as u64;
                patience = patience.saturating_sub(cost + std::mem::take(&mut self.moved));
                let most = self.state.weigh(unit).0;
                if most > self.limit {
                    local.over.push(Reverse((most, id, unit)));
                } else if self.reach(&mut local, id, unit, &mut patience) {
                    reached = true;
                    break;
                }
                if patience == 0 {
                    break;
                }
            }
            if reached {
                break;
            }
            if patience == 0 {
                *steps -= enough;
                self.exact = false;
                return self.follow(&mut local, terms);
            }
        }
        *steps -= enough - patience;
        self.keep(&local);
        true
    }

    /// Raises the limit to the least that is needed, and tries that. Returns whether it reached a valley.
    fn rise(&mut self, local: &mut Local, terms: &Terms, patience: &mut u64) -> Option<bool> {
        let least = local.over.peek().map_or(u64::MAX, |least| least.0.0);
        if self.exact {
            self.bound = self.bound.max(least.min(terms.under));
        }
        if least >= terms.under || !terms.rises {
            return None;
        }
        self.limit = least;
        while let Some(Reverse((_, id, unit))) =
            local.over.peek().copied().filter(|next| next.0.0 <= least)
        {
            local.over.pop();
            self.move_to(local, id);
            if self.reach(local, id, unit, patience) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Executes a cluster, and those that are free after it. Returns whether that is a valley.
    fn reach(&mut self, local: &mut Local, from: u32, unit: u32, patience: &mut u64) -> bool {
        let mut ran = Ran::new();
        self.run(unit, &mut ran);
        self.settle(&mut ran);
        *patience = patience.saturating_sub(2 * ran.len() as u64);
        if !local.hashes.insert(self.state.hash) {
            self.take_back(&ran);
            return false;
        }
        let id = local.seen.len() as u32;
        local.seen.push(Seen {
            parent: from,
            depth: local.seen[from as usize].depth + 1,
            ran,
        });
        local.at = id;
        if self.state.live <= local.valley || self.state.is_over() {
            return true;
        }
        local.open.push(Reverse((self.state.live, id)));
        false
    }

    /// Changes the state to another set.
    fn move_to(&mut self, local: &mut Local, target: u32) {
        if local.at == target {
            return;
        }
        let mut down = SmallVec::<[u32; 32]>::new();
        let (mut from, mut to) = (local.at, target);
        while from != to {
            if local.seen[from as usize].depth >= local.seen[to as usize].depth {
                self.take_back(&local.seen[from as usize].ran);
                self.moved += local.seen[from as usize].ran.len() as u64;
                from = local.seen[from as usize].parent;
            } else {
                down.push(to);
                to = local.seen[to as usize].parent;
            }
        }
        for id in down.iter().rev() {
            self.moved += local.seen[*id as usize].ran.len() as u64;
            for (unit, _) in &local.seen[*id as usize].ran {
                self.state.run(*unit, None);
            }
        }
        local.at = target;
    }

    /// Keeps the current state.
    fn keep(&mut self, local: &Local) {
        let mut path = Vec::new();
        let mut at = local.at;
        while at != 0 {
            path.push(at);
            at = local.seen[at as usize].parent;
        }
        for id in path.iter().rev() {
            let ran = &local.seen[*id as usize].ran;
            self.order.extend(ran.iter().map(|one| one.0));
        }
    }

    /// Follows the given order to a valley, from the start of the search or from the set with the fewest live
    /// bytes.
    fn follow(&mut self, local: &mut Local, terms: &Terms) -> bool {
        let highest = if terms.rises {
            terms.under - 1
        } else {
            self.limit
        };
        let mut starts: SmallVec<[u32; 10]> = SmallVec::from_slice(&[0]);
        while let Some(Reverse((_, id))) = local.open.pop().filter(|_| starts.len() < 9) {
            starts.push(id);
        }
        for (place, start) in starts.iter().enumerate() {
            // The others are tried only if nothing else is left.
            let limits: &[u64] = match place {
                0 => &[self.limit, highest],
                _ => &[highest],
            };
            for limit in limits {
                self.move_to(local, *start);
                let (before, mut ran) = (self.limit, Ran::new());
                if self.given(local.valley, *limit, &mut ran) {
                    self.keep(local);
                    self.order.extend(ran.iter().map(|one| one.0));
                    return true;
                }
                self.take_back(&ran);
                self.limit = before;
            }
        }
        false
    }

    /// Executes clusters in the given order until no more bytes are live than in a valley. The limit rises
    /// with that, up to `highest`.
    fn given(&mut self, valley: u64, highest: u64, ran: &mut Ran) -> bool {
        let mut cursor = self.cursor;
        while !self.state.is_over() {
            while self.state.is_done(cursor as u32) {
                cursor += 1;
            }
            let most = self.state.weigh(cursor as u32).0;
            if most > highest {
                return false;
            }
            self.limit = self.limit.max(most);
            self.run(cursor as u32, ran);
            self.settle(ran);
            if self.state.live <= valley {
                break;
            }
        }
        self.cursor = cursor;
        true
    }
}
