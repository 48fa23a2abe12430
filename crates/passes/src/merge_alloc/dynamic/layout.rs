//! Several buffers of dynamic size in one slot at once.

use super::{
    facts::{Names, Size, Term},
    polynomial::{Largest, Polynomial},
    samples::Sample,
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
    /// Orders of the buffers. A run takes the first of those that take least.
    pub orders: Vec<Order>,
}

/// An order of the buffers in a stack.
#[derive(Clone, Debug)]
pub struct Order {
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

/// Where a member of a slot is in it, for reports.
pub struct Place {
    /// Text of the offset, without rounding.
    pub offset: String,
    /// Text of the size.
    pub size: String,
    /// Its alignment, where that is known.
    pub alignment: Option<u64>,
    /// Members that it begins above; none where offsets are multiples.
    pub above: Vec<BufferId>,
}

/// The places of all members of a slot, for reports.
pub struct Places {
    /// Texts of the size of the slot; the largest of these.
    pub size: Vec<String>,
    /// The place of each member.
    pub members: Vec<Place>,
}

impl Layout {
    /// The places of the members of a slot: those of each order of which a run takes one.
    pub fn places(&self, members: &[BufferId], names: &Names) -> Vec<Places> {
        match self {
            Self::Multiples(all) => {
                let places = all.offsets.iter().zip(&all.sizes);
                let places = places.map(|(offset, size)| Place {
                    offset: all.text(*offset, names),
                    size: all.text(*size, names),
                    alignment: None,
                    above: Vec::new(),
                });
                vec![Places {
                    size: vec![all.text(all.units, names)],
                    members: places.collect(),
                }]
            }
            Self::Stack(stack) => {
                let sizes = &stack.sizes;
                let orders = stack.orders.iter();
                let places = orders.map(|order| Places {
                    size: order.size(sizes).texts(names),
                    members: order.places(members, sizes, names),
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
    /// The size of all in an order.
    pub fn size_of(&self, order: usize) -> Largest {
        let order = self.orders.get(order);
        order.map_or_else(Largest::default, |order| order.size(&self.sizes))
    }

    /// Bytes at a sample, `aligned` or as if all alignments were 1.
    pub fn bytes(&self, sample: &Sample, aligned: bool) -> u64 {
        let sizes: Vec<u64> = self
            .sizes
            .iter()
            .map(|term| sample.bytes_if(term))
            .collect();
        let orders = self.orders.iter();
        orders
            .map(|order| order.bytes(&sizes, aligned))
            .min()
            .unwrap_or(0)
    }
}

impl Order {
    /// Whether all groups have the same alignment: sizes are then rounded up, each once, and not starts.
    pub fn is_alike(&self) -> bool {
        let mut alignments = self.groups.iter().map(|group| group.alignment);
        let first = alignments.next();
        alignments.all(|alignment| Some(alignment) == first)
    }

    /// Bytes where the sizes have these values, `aligned` or as if all alignments were 1.
    pub fn bytes(&self, sizes: &[u64], aligned: bool) -> u64 {
        let is_alike = self.is_alike();
        let mut ends: Vec<u64> = Vec::with_capacity(self.groups.len());
        let mut total = 0;
        for group in &self.groups {
            let below = group.below.iter().map(|below| ends[*below]);
            let to = if aligned { group.alignment } else { 1 };
            let start = round_up(below.max().unwrap_or(0), to);
            total = total.max(start.saturating_add(sizes[group.size]));
            let taken = match is_alike {
                true => round_up(sizes[group.size], to),
                false => sizes[group.size],
            };
            ends.push(start.saturating_add(taken));
        }
        total
    }

    /// The end of each group, as if all conditions held.
    fn ends(&self, sizes: &[Term]) -> Vec<Largest> {
        let mut ends: Vec<Largest> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let size = Polynomial::of(&sizes[group.size]);
            let end = start(group, &ends).plus(&size);
            ends.push(end);
        }
        ends
    }

    fn size(&self, sizes: &[Term]) -> Largest {
        let mut size = Largest::default();
        for end in &self.ends(sizes) {
            size.join(end);
        }
        size
    }

    /// For each member, its place for reports.
    fn places(&self, members: &[BufferId], sizes: &[Term], names: &Names) -> Vec<Place> {
        let ends = self.ends(sizes);
        let mut firsts: Vec<Option<BufferId>> = vec![None; self.groups.len()];
        for (member, group) in members.iter().zip(&self.group_of) {
            firsts[*group].get_or_insert(*member);
        }
        let groups = self.group_of.iter().map(|group| &self.groups[*group]);
        let places = groups.map(|group| Place {
            offset: start(group, &ends).text(names),
            size: sizes[group.size].size.text(names),
            alignment: Some(group.alignment),
            above: group
                .below
                .iter()
                .filter_map(|below| firsts[*below])
                .collect(),
        });
        places.collect()
    }
}

fn start(group: &Stacked, ends: &[Largest]) -> Largest {
    let mut start = Largest::default();
    for below in &group.below {
        start.join(&ends[*below]);
    }
    start
}

/// The next multiple; the number itself if there is none.
pub fn round_up(bytes: u64, to: u64) -> u64 {
    bytes.checked_next_multiple_of(to.max(1)).unwrap_or(bytes)
}
