//! Looks for an order under a limit.
//!
//! What is live behind a set of operations is the number of bytes in items that some of them touch and others do not:
//! the cut of a hypergraph, which is submodular. So if a set of operations that may be run now leaves no more live than
//! there is now, and no part of it does so, it may be run at once: an order that runs it later is no better for that.
//! From one such valley the search goes to the next, in the order of what is live, and never over the limit. If nothing
//! is left to try under the limit, there is no order under it; it rises to the least that some operation asked for.
//!
//! Looking for a valley may take too long. Then the way there is that of the order given, and nothing is proven any more.

use super::{clusters::Clusters, state::State};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::{cmp::Reverse, collections::BinaryHeap};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// No bytes more than that are live at first.
    pub limit: u64,
    /// The limit may rise, but stays under this.
    pub under: u64,
    /// The limit rises at all.
    pub rises: bool,
    /// Steps from one valley to the next.
    pub patience: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// An order of all units with a load under what was asked for.
    pub order: Option<Vec<u32>>,
    /// No order has a load under this, as far as the first limit was such a bound.
    pub bound: u64,
}

/// Looks for an order; each step that is taken is taken from `steps`.
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

/// Units that were run, each with what was live before.
type Ran = SmallVec<[(u32, u64); 4]>;

/// A set of units that has been come across.
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
    /// Whatever was not tried is known to be no better.
    exact: bool,
    /// All units in front of this one have been run.
    cursor: usize,
    woken: Vec<u32>,
    /// Units that were run or taken back to come from one set to another.
    moved: u64,
}

/// What is known between two valleys.
struct Local {
    seen: Vec<Seen>,
    hashes: FxHashSet<u128>,
    /// By what is live.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// What asks for more than the limit: how much, from which set, which unit.
    over: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// Where the state is.
    at: u32,
    /// What was live at the start.
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

    /// Runs what is free under the limit, of what has been woken.
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

    /// Goes to the next set that leaves no more live than now.
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

    /// Raises the limit to the least that was asked for, and tries that; whether that reached a valley.
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

    /// Runs a unit, and what is free behind it; whether that is a valley.
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

    /// Brings the state to another set.
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

    /// Stays where the state is.
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

    /// Goes to a valley as the order given does, from where the search began or from where little was live.
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
            // The rest is tried only if there is nothing else.
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

    /// Runs what is next in the order given until no more is live than in a valley; the limit rises with that, up to
    /// `highest`.
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
