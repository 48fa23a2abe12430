//! The graph of a dissection: boxes as edges between lines.

use crate::timeline::Timeline;
use std::collections::BTreeMap;

/// The absent edge.
pub const NONE: u32 = u32::MAX;

/// The least average part of the bytes that is used for which a search for a dissection is
/// worthwhile.
const FLAT: (u128, u128) = (19, 20);

/// The direction of edges at a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The boxes that start at a line.
    Out,
    /// The boxes that end at a line.
    In,
}

/// A box from the line where it starts to the line where it ends.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// The size in bytes; 0 after the edge was removed.
    pub size: u64,
}

/// The edges of each vertex in one direction, as linked lists.
#[derive(Debug)]
struct Lists {
    first: Vec<u32>,
    length: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Lists {
    fn new(vertices: usize, edges: usize) -> Self {
        Lists {
            first: vec![NONE; vertices],
            length: vec![0; vertices],
            next: vec![NONE; edges],
            previous: vec![NONE; edges],
        }
    }

    fn push(&mut self, vertex: u32, edge: u32) {
        let first = std::mem::replace(&mut self.first[vertex as usize], edge);
        self.length[vertex as usize] += 1;
        self.previous[edge as usize] = NONE;
        self.next[edge as usize] = first;
        if first != NONE {
            self.previous[first as usize] = edge;
        }
    }

    fn remove(&mut self, vertex: u32, edge: u32) {
        let (next, previous) = (self.next[edge as usize], self.previous[edge as usize]);
        self.length[vertex as usize] -= 1;
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        if previous == NONE {
            self.first[vertex as usize] = next;
        } else {
            self.next[previous as usize] = next;
        }
    }
}

/// The graph of boxes and lines. The boxes of the items come first, in the order of the items.
#[derive(Debug)]
pub struct Network {
    pub edges: Vec<Edge>,
    /// The section that starts at each vertex.
    times: Vec<u32>,
    /// The confidence that each vertex is a line of its own: the probability of the contrary is one
    /// in 2 to the power of this.
    confidences: Vec<u32>,
    out: Lists,
    into: Lists,
}

impl Network {
    /// The graph of the items and of the free bytes below the load, with one vertex for each time
    /// at which boxes start or end. `None` if an item is fixed or has a hole, or if too many bytes
    /// are free.
    pub fn new(timeline: &Timeline) -> Option<Self> {
        let mut edges = Vec::with_capacity(timeline.items.len());
        for item in &timeline.items {
            if item.fixed.is_some() || timeline.spans(item).len() > 1 {
                return None;
            }
            edges.push(Edge {
                from: item.hull.start,
                to: item.hull.end,
                size: item.size,
            });
        }
        free(timeline, &mut edges)?;
        let vertices = timeline.sections as usize + 1;
        let mut network = Network {
            times: (0..vertices as u32).collect(),
            confidences: vec![u32::MAX; vertices],
            out: Lists::new(vertices, edges.len()),
            into: Lists::new(vertices, edges.len()),
            edges,
        };
        for edge in (0..network.edges.len() as u32).rev() {
            network.link(edge);
        }
        Some(network)
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.out.first.len() as u32
    }

    pub fn edge(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    fn lists(&self, side: Side) -> &Lists {
        match side {
            Side::Out => &self.out,
            Side::In => &self.into,
        }
    }

    /// The number of edges of a vertex on a side.
    pub fn degree(&self, vertex: u32, side: Side) -> u32 {
        self.lists(side).length[vertex as usize]
    }

    /// The edges of a vertex on a side.
    pub fn around(&self, vertex: u32, side: Side) -> impl Iterator<Item = u32> {
        let lists = self.lists(side);
        let present = |edge: u32| (edge != NONE).then_some(edge);
        std::iter::successors(present(lists.first[vertex as usize]), move |&edge| {
            present(lists.next[edge as usize])
        })
    }

    fn link(&mut self, edge: u32) {
        let Edge { from, to, .. } = self.edge(edge);
        self.out.push(from, edge);
        self.into.push(to, edge);
    }

    /// Removes an edge.
    pub fn remove(&mut self, edge: u32) {
        let Edge { from, to, .. } = self.edge(edge);
        self.out.remove(from, edge);
        self.into.remove(to, edge);
        self.edges[edge as usize].size = 0;
    }

    /// Moves one end of an edge to another vertex.
    pub fn move_end(&mut self, edge: u32, side: Side, vertex: u32) {
        let Edge { from, to, .. } = self.edge(edge);
        match side {
            Side::Out => {
                self.out.remove(from, edge);
                self.edges[edge as usize].from = vertex;
                self.out.push(vertex, edge);
            }
            Side::In => {
                self.into.remove(to, edge);
                self.edges[edge as usize].to = vertex;
                self.into.push(vertex, edge);
            }
        }
    }

    /// The section in which an edge starts; for a removed edge, the one in which it started.
    pub fn started(&self, edge: u32) -> u32 {
        self.time(self.edge(edge).from)
    }

    /// The section that starts at a vertex.
    pub fn time(&self, vertex: u32) -> u32 {
        self.times[vertex as usize]
    }

    /// The confidence that a vertex is a line of its own, in bits.
    pub fn confidence(&self, vertex: u32) -> u32 {
        self.confidences[vertex as usize]
    }

    /// Adds a vertex without edges at the time of `other`, with this confidence.
    pub fn add_vertex(&mut self, other: u32, confidence: u32) -> u32 {
        self.confidences.push(confidence);
        self.times.push(self.time(other));
        for lists in [&mut self.out, &mut self.into] {
            lists.first.push(NONE);
            lists.length.push(0);
        }
        self.vertices() - 1
    }
}

/// Adds boxes for the free bytes. The bytes that become free at a time form one box, which ends
/// when as many bytes are used again. If no open box has exactly that size, the last one is split.
fn free(timeline: &Timeline, edges: &mut Vec<Edge>) -> Option<()> {
    let most = edges.len() + edges.len() / 2 + 4;
    let loads = timeline.sums(|_, item| item.size);
    let height = loads.iter().copied().max().unwrap_or(0);
    let total: u128 = loads.iter().map(|&load| u128::from(load)).sum();
    if total * FLAT.1 < u128::from(height) * loads.len() as u128 * FLAT.0 {
        return None;
    }
    let mut open: BTreeMap<(u64, u32), u32> = BTreeMap::new(); // size, start -> count
    let mut last = 0;
    for (section, load) in (0u32..).zip(loads.into_iter().chain([height])) {
        let gap = height - load;
        if gap > last {
            *open.entry((gap - last, section)).or_default() += 1;
        }
        let mut taken = last.saturating_sub(gap);
        while taken > 0 {
            let exact = open.range((taken, 0)..=(taken, u32::MAX)).next_back();
            let (&(size, from), _) = match exact {
                Some(entry) => entry,
                None => open.last_key_value()?,
            };
            let count = open.entry((size, from)).or_default();
            *count -= 1;
            if *count == 0 {
                open.remove(&(size, from));
            }
            let part = size.min(taken);
            if size > part {
                *open.entry((size - part, from)).or_default() += 1;
            }
            edges.push(Edge {
                from,
                to: section,
                size: part,
            });
            taken -= part;
        }
        if edges.len() > most {
            return None;
        }
        last = gap;
    }
    Some(())
}
