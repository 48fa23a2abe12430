//! The search's view of the problem: flat lists, without fixed buffers.

use super::super::conflicts::Conflicts;
use super::super::{align_up, common};
use crate::timeline::{Item, Span, Timeline};

/// An offset above all offsets of a plan.
pub const OFFSET_LIMIT: u64 = 1 << 52;

/// The bits of an item's number.
pub const ITEM_BITS: u32 = 11;

/// The count of numbers with these bits; the last is no item's.
pub const MOST_ITEMS: usize = 1 << ITEM_BITS;

/// Lists of `u32`, concatenated.
#[derive(Debug, Default)]
pub struct Lists {
    starts: Vec<u32>,
    values: Vec<u32>,
}

impl Lists {
    fn new(lists: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut all = Lists {
            starts: vec![0],
            values: Vec::new(),
        };
        for list in lists {
            all.values.extend(list);
            all.starts.push(all.values.len() as u32);
        }
        all
    }

    /// The list with this number.
    pub fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.values[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// The start of the list with this number among all values.
    pub fn start(&self, list: u32) -> usize {
        self.starts[list as usize] as usize
    }

    /// The total number of values.
    pub fn total(&self) -> usize {
        self.values.len()
    }
}

/// The items to place, numbered from 0, and their obstacles.
#[derive(Debug)]
pub struct Model {
    /// For each item its index in the timeline.
    pub items: Vec<u32>,
    /// Bytes.
    pub size: Vec<u64>,
    /// The bytes that each item takes below another one: its size rounded up to the least alignment
    /// of all.
    pub rounded_size: Vec<u64>,
    /// Bytes.
    pub alignment: Vec<u64>,
    /// From the first section of an item to the last, holes included.
    pub hull: Vec<Span>,
    /// Whether any `rounded_size` is more than the size.
    pub rounds: bool,
    /// For each item the items that conflict with it.
    pub neighbours: Lists,
    /// For each item the sections in which it is live.
    pub sections: Lists,
    /// For each section the items that are live in it.
    pub live: Lists,
    /// For each item the byte ranges that are taken while it is live, sorted by start. Empty for
    /// nearly all problems.
    obstacles: Vec<Vec<(u64, u64)>>,
    /// For each section the offsets and sizes of the fixed buffers, sorted by offset.
    fixed: Vec<Vec<(u64, u64)>>,
    /// For each section the disjoint forbidden byte ranges, sorted by start.
    forbidden: Vec<Vec<(u64, u64)>>,
}

impl Model {
    /// The free items of `timeline`. `None` if they are more than the search takes, or so large
    /// that offsets might not stay below [`OFFSET_LIMIT`].
    pub fn new(timeline: &Timeline, conflicts: &Conflicts) -> Option<Self> {
        let needs = |item: &Item| {
            u128::from(item.fixed.unwrap_or(0)) + u128::from(item.size) + u128::from(item.alignment)
        };
        let counted = timeline.items.iter().filter(|item| !item.reserved);
        let total: u128 = counted.map(needs).sum();
        if timeline.items.len() > MOST_ITEMS - 1 || total >= u128::from(OFFSET_LIMIT) {
            return None;
        }
        let free = |index: u32| timeline.items[index as usize].fixed.is_none();
        let items: Vec<u32> = (0..timeline.items.len() as u32)
            .filter(|&i| free(i))
            .collect();
        let mut number = vec![u32::MAX; timeline.items.len()];
        for (item, &index) in (0..).zip(&items) {
            number[index as usize] = item;
        }
        let item = |index: u32| &timeline.items[index as usize];
        let neighbours = Lists::new(items.iter().map(|&index| {
            let others = conflicts
                .of(index)
                .iter()
                .map(|&other| number[other as usize]);
            others.filter(|&other| other != u32::MAX).collect()
        }));
        let sections_of = |index: u32| {
            timeline
                .spans(item(index))
                .iter()
                .flat_map(|s| s.start..s.end)
        };
        let sections = Lists::new(items.iter().map(|&index| sections_of(index).collect()));
        let mut live = vec![Vec::new(); timeline.sections as usize];
        for number in 0..items.len() as u32 {
            for &section in sections.of(number) {
                live[section as usize].push(number);
            }
        }
        let mut obstacles = Vec::new();
        let (mut fixed, mut forbidden) = (Vec::new(), Vec::new());
        if items.len() < timeline.items.len() {
            let range = |index: u32| {
                let item = item(index);
                item.fixed.map(|offset| (offset, offset + item.size))
            };
            obstacles = items
                .iter()
                .map(|&index| {
                    let mut list: Vec<_> = conflicts
                        .of(index)
                        .iter()
                        .filter_map(|&o| range(o))
                        .collect();
                    list.sort_unstable();
                    list
                })
                .collect();
            fixed = vec![Vec::new(); timeline.sections as usize];
            forbidden = fixed.clone();
            for index in 0..timeline.items.len() as u32 {
                let Some(offset) = item(index).fixed else {
                    continue;
                };
                let size = item(index).size;
                for section in sections_of(index) {
                    match item(index).reserved {
                        true => forbidden[section as usize].push((offset, offset + size)),
                        false => fixed[section as usize].push((offset, size)),
                    }
                }
            }
            for list in fixed.iter_mut().chain(&mut forbidden) {
                list.sort_unstable();
            }
        }
        let size: Vec<u64> = items.iter().map(|&index| item(index).size).collect();
        // Fixed buffers may lie at any offset, and so may the buffers on them.
        let grains = items.iter().map(|&index| item(index).alignment);
        let grain = match fixed.is_empty() {
            true => common(grains),
            false => 1,
        };
        Some(Model {
            rounded_size: size.iter().map(|&size| align_up(size, grain)).collect(),
            rounds: size.iter().any(|&size| size % grain != 0),
            size,
            alignment: items.iter().map(|&index| item(index).alignment).collect(),
            hull: items.iter().map(|&index| item(index).hull).collect(),
            neighbours,
            sections,
            live: Lists::new(live.into_iter()),
            obstacles,
            fixed,
            forbidden,
            items,
        })
    }

    /// The number of items.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// The number of sections.
    pub fn section_count(&self) -> usize {
        self.live.starts.len() - 1
    }

    /// The least aligned offset from `offset` on at which `item` is clear of its obstacles.
    pub fn fit(&self, item: u32, offset: u64) -> u64 {
        let alignment = self.alignment[item as usize];
        let mut offset = align_up(offset, alignment);
        if let Some(obstacles) = self.obstacles.get(item as usize) {
            let size = self.size[item as usize];
            for &(start, end) in obstacles {
                if offset + size <= start {
                    break;
                }
                if offset < end {
                    offset = align_up(end, alignment);
                }
            }
        }
        offset
    }

    /// The byte ranges that are taken while `item` is live, sorted by start.
    pub fn obstacles(&self, item: u32) -> &[(u64, u64)] {
        self.obstacles.get(item as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether nothing is fixed or forbidden, so that [`fit`](Self::fit) only aligns.
    pub fn is_open(&self) -> bool {
        self.fixed.is_empty()
    }

    /// The lowest possible end in `section` of `size` bytes from `height` on and of the fixed
    /// buffers that lie there.
    pub fn end(&self, section: u32, height: u64, size: u64) -> u64 {
        let mut end = height + size;
        if self.is_open() {
            return end;
        }
        let fixed = self.fixed[section as usize].iter();
        let above = fixed.filter(|(offset, _)| *offset >= height);
        end += above.map(|(_, size)| size).sum::<u64>();
        for &(start, after) in &self.forbidden[section as usize] {
            if start >= end {
                break;
            }
            end += after.saturating_sub(start.max(height));
        }
        end
    }
}
