//! State of a partial order, and the live bytes.

use super::clusters::Clusters;
use smallvec::SmallVec;

/// The state after some clusters were executed.
pub struct State<'u> {
    pub all: &'u Clusters,
    /// For each cluster, the number of its predecessors that were not executed.
    waiting: Vec<u32>,
    /// For each item, the number of touching clusters that were not executed, and the xor of their indices.
    left: Vec<(u32, u32)>,
    /// Live bytes.
    pub live: u64,
    /// Clusters that are ready, in no particular order, and the index of each cluster in that list.
    ready: Vec<u32>,
    places: Vec<u32>,
    /// Number of executed clusters.
    pub done: usize,
    /// Hash of the set of executed clusters.
    pub hash: u128,
}

const NOT_READY: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

impl<'u> State<'u> {
    /// The initial state.
    pub fn start(all: &'u Clusters) -> Self {
        let units = all.units.len();
        let mut state = Self {
            all,
            waiting: all.units.iter().map(|unit| unit.before).collect(),
            left: Vec::with_capacity(all.items.len()),
            live: all.through,
            ready: Vec::new(),
            places: vec![NOT_READY; units],
            done: 0,
            hash: 0,
        };
        for (item, touching) in all.items.iter().zip(&all.touching) {
            let xored = touching.iter().fold(0, |xored, unit| xored ^ unit);
            state.left.push((touching.len() as u32, xored));
            state.live += if item.before { item.size } else { 0 };
        }
        for unit in 0..units {
            if state.waiting[unit] == 0 {
                state.make_ready(unit as u32);
            }
        }
        state
    }

    fn make_ready(&mut self, unit: u32) {
        self.places[unit as usize] = self.ready.len() as u32;
        self.ready.push(unit);
    }

    fn take_ready(&mut self, unit: u32, mark: u32) {
        let place = self.places[unit as usize] as usize;
        self.ready.swap_remove(place);
        if let Some(moved) = self.ready.get(place) {
            self.places[*moved as usize] = place as u32;
        }
        self.places[unit as usize] = mark;
    }

    pub fn is_ready(&self, unit: u32) -> bool {
        self.places[unit as usize] < DONE
    }

    pub fn is_done(&self, unit: u32) -> bool {
        self.places[unit as usize] == DONE
    }

    /// Clusters that are ready.
    pub fn ready(&self) -> &[u32] {
        &self.ready
    }

    /// Whether all clusters were executed.
    pub fn is_over(&self) -> bool {
        self.done == self.places.len()
    }

    /// Whether no cluster has touched the item yet, and it is not live.
    fn is_new(&self, item: u32) -> bool {
        let fact = &self.all.items[item as usize];
        !fact.before && self.left[item as usize].0 == self.all.touching[item as usize].len() as u32
    }

    /// Whether one touching cluster is left, and the item ends with that.
    fn is_ending(&self, item: u32) -> bool {
        self.left[item as usize].0 == 1 && !self.all.items[item as usize].after
    }

    fn size(&self, item: u32) -> u64 {
        self.all.items[item as usize].size
    }

    /// The most bytes live while a cluster executes now, and the live bytes after it.
    pub fn weigh(&self, unit: u32) -> (u64, u64) {
        let (mut most, mut live) = (0, self.live);
        for step in &self.all.units[unit as usize].steps {
            for item in step.first.iter().filter(|item| self.is_new(**item)) {
                live += self.size(*item);
            }
            let mut taken = 0;
            let mut used: SmallVec<[u32; 4]> = SmallVec::new();
            for takeover in &step.takeovers {
                let both = [takeover.from, takeover.to];
                if self.is_ending(takeover.from)
                    && self.is_new(takeover.to)
                    && !both.iter().any(|item| used.contains(item))
                {
                    used.extend(both);
                    taken += self.size(takeover.to);
                }
            }
            most = most.max((live - taken).saturating_add_signed(step.inside));
            for item in step.last.iter().filter(|item| self.is_ending(**item)) {
                live -= self.size(*item);
            }
        }
        (most, live)
    }

    /// Executes a cluster. `woken` receives clusters that may be cheaper now, or are ready for the first
    /// time.
    pub fn run(&mut self, unit: u32, mut woken: Option<&mut Vec<u32>>) {
        self.live = self.weigh(unit).1;
        self.take_ready(unit, DONE);
        self.done += 1;
        self.hash ^= number(unit);
        let all = self.all;
        let this = &all.units[unit as usize];
        for item in &this.items {
            let is_first = self.is_new(*item);
            let left = &mut self.left[*item as usize];
            *left = (left.0 - 1, left.1 ^ unit);
            let left = *left;
            let Some(woken) = woken.as_deref_mut() else {
                continue;
            };
            if left.0 == 1 {
                woken.push(left.1);
            } else if is_first {
                woken.extend(&all.touching[*item as usize]);
            }
        }
        for after in &this.after {
            self.waiting[*after as usize] -= 1;
            if self.waiting[*after as usize] == 0 {
                self.make_ready(*after);
                if let Some(woken) = woken.as_deref_mut() {
                    woken.push(*after);
                }
            }
        }
    }

    /// Undoes the last cluster; `live` bytes were live before it.
    pub fn take_back(&mut self, unit: u32, live: u64) {
        let all = self.all;
        let this = &all.units[unit as usize];
        for after in &this.after {
            if self.waiting[*after as usize] == 0 {
                self.take_ready(*after, NOT_READY);
            }
            self.waiting[*after as usize] += 1;
        }
        for item in &this.items {
            let left = &mut self.left[*item as usize];
            *left = (left.0 + 1, left.1 ^ unit);
        }
        self.live = live;
        self.hash ^= number(unit);
        self.done -= 1;
        self.make_ready(unit);
    }
}

/// A fixed pseudo-random number for each cluster.
fn number(unit: u32) -> u128 {
    let mix = |seed: u64| {
        let mut number = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ (number >> 31)
    };
    let unit = u64::from(unit);
    (u128::from(mix(unit)) << 64) | u128::from(mix(!unit))
}

/// The most bytes live at once in an order of all clusters.
pub fn load(all: &Clusters, order: impl IntoIterator<Item = u32>) -> u64 {
    let mut state = State::start(all);
    let mut most = state.live;
    for unit in order {
        most = most.max(state.weigh(unit).0);
        state.run(unit, None);
    }
    most.max(state.live)
}
