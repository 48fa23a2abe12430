//! The conflict graph as adjacency lists, for timelines with few conflicts.

use crate::timeline::Timeline;

/// The most pairs for each item for which the lists are made. Networks have 2 to 60.
const PAIRS_PER_ITEM: u64 = 64;
/// Pairs that are always listed: 16 MB of lists.
const PAIRS_ALWAYS: u64 = 1 << 21;

/// For each item the items that conflict with it.
#[derive(Debug)]
pub struct Conflicts {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Conflicts {
    /// The conflict graph; `None` if there are too many conflicts.
    pub fn new(timeline: &Timeline) -> Option<Self> {
        if !Conflicts::are_listed(timeline) {
            return None;
        }
        let pairs = pairs(timeline);
        let mut starts = vec![0u32; timeline.items.len() + 1];
        for &(a, b) in &pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut others = vec![0; 2 * pairs.len()];
        for (a, b) in pairs {
            for (item, other) in [(a, b), (b, a)] {
                others[next[item as usize] as usize] = other;
                next[item as usize] += 1;
            }
        }
        Some(Conflicts { starts, others })
    }

    /// Whether the conflicts are few enough to be listed.
    pub fn are_listed(timeline: &Timeline) -> bool {
        let limit = PAIRS_ALWAYS
            .max(PAIRS_PER_ITEM * timeline.items.len() as u64)
            .min(1 << 30);
        timeline.conflicts() <= limit
    }

    /// The number of conflicts, each counted at both of its items.
    pub fn count(&self) -> u64 {
        self.others.len() as u64
    }

    /// The items that conflict with `item`, each once.
    pub fn of(&self, item: u32) -> &[u32] {
        let item = item as usize;
        &self.others[self.starts[item] as usize..self.starts[item + 1] as usize]
    }
}

/// The pairs of items that conflict, each once.
fn pairs(timeline: &Timeline) -> Vec<(u32, u32)> {
    let mut events = Vec::new();
    let mut again = false;
    for (index, item) in (0u32..).zip(&timeline.items) {
        let spans = timeline.spans(item);
        again |= spans.len() > 1;
        for span in spans {
            events.push((span.start, true, index));
            events.push((span.end, false, index));
        }
    }
    events.sort_unstable();
    let mut pairs = Vec::new();
    let mut live: Vec<u32> = Vec::new();
    let mut place = vec![0u32; timeline.items.len()]; // the index of each item in `live`
    for (_, starts, item) in events {
        if starts {
            pairs.extend(live.iter().map(|&other| (other.min(item), other.max(item))));
            place[item as usize] = live.len() as u32;
            live.push(item);
        } else {
            let hole = place[item as usize] as usize;
            live.swap_remove(hole);
            if let Some(&moved) = live.get(hole) {
                place[moved as usize] = hole as u32;
            }
        }
    }
    if again {
        // Items with holes can conflict more than once.
        pairs.sort_unstable();
        pairs.dedup();
    }
    pairs
}
