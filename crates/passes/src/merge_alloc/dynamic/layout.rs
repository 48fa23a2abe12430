//! Several buffers of dynamic size in one slot at once.

use super::{
    facts::{Names, Size, Term},
    polynomial::{Largest, Polynomial},
};
use memplan_lifetimes::program::BufferId;

/// Where the buffers of a slot are in it.
#[derive(Clone, Debug)]
pub enum Layout {
    /// At multiples of one size.
    Multiples(Multiples),
    /// One above the other.
    Stack(Stack),
}

/// Buffers at multiples of one size.
#[derive(Clone, Debug)]
pub struct Multiples {
    /// The size that all numbers are multiples of.
    pub unit: Size,
    /// The power of two that the unit is rounded up to at run time.
    pub rounding: u64,
    /// For each member of the slot, the number of units before it.
    pub offsets: Vec<u64>,
    /// For each member, the number of units that it takes.
    pub sizes: Vec<u64>,
    /// Units of the slot.
    pub units: u64,
}

/// Buffers of which each begins where the last one below it ends.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The sizes.
    pub sizes: Vec<Term>,
    /// Groups of buffers that share bytes. Those below another one come before it.
    pub groups: Vec<Stacked>,
    /// For each member of the slot, its group.
    pub group_of: Vec<usize>,
}

/// A group of buffers in a stack.
#[derive(Clone, Debug)]
pub struct Stacked {
    /// Index of its size.
    pub size: usize,
    /// Alignment in bytes.
    pub alignment: u64,
    /// The groups below it; without those that are below one of these.
    pub below: Vec<usize>,
}

impl Layout {
    /// Text for reports of the offset in the slot and the size of a member, without rounding.
    pub fn texts(&self, names: &Names) -> Vec<(String, String)> {
        match self {
            Self::Multiples(all) => all
                .offsets
                .iter()
                .zip(&all.sizes)
                .map(|(offset, size)| (all.text(*offset, names), all.text(*size, names)))
                .collect(),
            Self::Stack(stack) => {
                let ends = stack.ends();
                let places = stack.group_of.iter().map(|group| {
                    let group = &stack.groups[*group];
                    let offset = stack.start(group, &ends).text(names);
                    (offset, stack.sizes[group.size].size.text(names))
                });
                places.collect()
            }
        }
    }

    /// Text for reports of what offsets and sizes are multiples of, if it is rounded up at run time.
    pub fn unit_text(&self, names: &Names) -> Option<String> {
        match self {
            Self::Multiples(all) if all.rounding > 1 => Some(all.unit.text(names)),
            Self::Multiples(_) | Self::Stack(_) => None,
        }
    }

    /// For each member, its alignment, and members that it begins above; nothing where offsets are multiples.
    pub fn above(&self, members: &[BufferId]) -> Vec<(u64, Vec<BufferId>)> {
        let Self::Stack(stack) = self else {
            return Vec::new();
        };
        let mut firsts: Vec<Option<BufferId>> = vec![None; stack.groups.len()];
        for (member, group) in members.iter().zip(&stack.group_of) {
            firsts[*group].get_or_insert(*member);
        }
        let groups = stack.group_of.iter().map(|group| &stack.groups[*group]);
        let places = groups.map(|group| {
            let below = group.below.iter().filter_map(|below| firsts[*below]);
            (group.alignment, below.collect())
        });
        places.collect()
    }

    /// Text for reports of the size of the slot; the largest of these.
    pub fn size_texts(&self, names: &Names) -> Vec<String> {
        match self {
            Self::Multiples(all) => vec![all.text(all.units, names)],
            Self::Stack(stack) => stack.size().texts(names),
        }
    }
}

impl Multiples {
    fn text(&self, units: u64, names: &Names) -> String {
        Size {
            bytes: self.unit.bytes.saturating_mul(units),
            dims: self.unit.dims.clone(),
        }
        .text(names)
    }
}

impl Stack {
    /// Whether all groups have the same alignment: sizes are then rounded up, each once, and not starts.
    pub fn is_alike(&self) -> bool {
        let mut alignments = self.groups.iter().map(|group| group.alignment);
        let first = alignments.next();
        alignments.all(|alignment| Some(alignment) == first)
    }

    /// The end of each group, as if all conditions held.
    pub fn ends(&self) -> Vec<Largest> {
        let mut ends: Vec<Largest> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let size = Polynomial::of(&self.sizes[group.size]);
            let end = self.start(group, &ends).plus(&size);
            ends.push(end);
        }
        ends
    }

    /// The size of all.
    pub fn size(&self) -> Largest {
        let mut size = Largest::default();
        for end in &self.ends() {
            size.join(end);
        }
        size
    }

    fn start(&self, group: &Stacked, ends: &[Largest]) -> Largest {
        let mut start = Largest::default();
        for below in &group.below {
            start.join(&ends[*below]);
        }
        start
    }
}
