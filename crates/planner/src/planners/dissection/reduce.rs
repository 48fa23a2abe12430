//! Reduces the graph of a dissection. Consecutive boxes of equal height become one (a series join),
//! and so do stacked boxes with equal live ranges (a parallel join). A packing of the reduced graph
//! gives one of all boxes. Guillotine cuts reduce to a single box.
//!
//! Lines that coincide in time are one vertex at first, and sizes can be equal by chance, so a join
//! can be wrong. The most certain joins come first, because they make larger boxes, which are less
//! alike. `split_lines` splits vertices.

use super::network::{Edge, Network, Side};
use super::split_lines::{self, Split, SplitLimits};

/// The most edges searched for a partner, so that crowded vertices cost no more than others.
const LOOKS: usize = 64;

/// The degrees up to which a vertex takes part in uncertain joins, in increasing order. Vertices
/// with fewer edges can then be split with certainty.
const DEGREES: [u32; 6] = [12, 18, 28, 48, 96, u32::MAX];

/// Passes over all edges for uncertain joins.
const PASSES: usize = 4;

/// Limits for splitting vertices: if all sums can be compared; for lines of few boxes among many;
/// as a last resort; and for vertices that are known to have several lines.
const ALL_SUMS: SplitLimits = SplitLimits {
    sums: 1 << 8,
    confidence: 20,
    uneven: false,
};
const FEW_BOXES: SplitLimits = SplitLimits {
    sums: 1 << 9,
    confidence: 18,
    uneven: false,
};
const LAST_RESORT: SplitLimits = SplitLimits {
    sums: 1 << 12,
    confidence: 8,
    uneven: false,
};
const SEVERAL_LINES: SplitLimits = SplitLimits {
    sums: 1 << 12,
    confidence: 12,
    uneven: true,
};

/// A join of two boxes into one, which keeps the number `kept`.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    pub kept: u32,
    pub gone: u32,
    /// The height of the removed box above the kept one, in bytes; 0 for a series join.
    pub above: u64,
}

/// Joins boxes, and returns the joins in order.
pub fn reduce(network: &mut Network) -> Vec<Join> {
    let vertices = network.vertices() as usize;
    let mut reduction = Reduction {
        joins: Vec::with_capacity(network.edges.len()),
        changed: Vec::new(),
        touched: Vec::new(),
        is_touched: vec![false; vertices],
        is_one_line: vec![false; vertices],
        has_several: vec![false; vertices],
        tried: Vec::new(),
        allowed: UncertainJoins::Nothing,
        limits: ALL_SUMS,
        max_degree: 0,
        network,
    };
    reduction.join_equal_sizes();
    reduction.mark_all();
    reduction.reduce_certain();
    reduction.limits.confidence = LAST_RESORT.confidence;
    reduction.mark_all();
    reduction.reduce_certain();
    for max_degree in DEGREES {
        reduction.max_degree = max_degree;
        reduction.split_all(FEW_BOXES);
        reduction.join_uncertain(UncertainJoins::OneLine);
    }
    for _ in 0..PASSES {
        let before = reduction.joins.len();
        reduction.split_all(LAST_RESORT);
        reduction.split_crowded();
        for allowed in [
            UncertainJoins::OneLine,
            UncertainJoins::InSeries,
            UncertainJoins::InParallel,
        ] {
            reduction.join_uncertain(allowed);
        }
        if reduction.joins.len() == before {
            break;
        }
    }
    reduction.joins
}

/// Computes the offset of each removed box from that of the kept one, except for undone joins, in
/// which both boxes have offsets.
pub fn expand(joins: &[Join], undone: &[bool], offsets: &mut [u64]) {
    for (join, &undone) in joins.iter().zip(undone).rev() {
        if !undone {
            offsets[join.gone as usize] = offsets[join.kept as usize] + join.above;
        }
    }
}

/// The uncertain joins that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum UncertainJoins {
    Nothing,
    /// Parallel joins of boxes with a certain line at the start or at the end.
    OneLine,
    /// Series joins of boxes of equal size that meet at one time.
    InSeries,
    /// All parallel joins.
    InParallel,
}

struct Reduction<'a> {
    network: &'a mut Network,
    joins: Vec<Join>,
    /// Edges that may have a partner.
    changed: Vec<u32>,
    /// Vertices that may be split.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Vertices that are known to be one line.
    is_one_line: Vec<bool>,
    /// Vertices from which a line was split off.
    has_several: Vec<bool>,
    /// The degrees of the vertices at the last attempt to split them with the weakest limits.
    tried: Vec<[u32; 2]>,
    allowed: UncertainJoins,
    limits: SplitLimits,
    /// The largest degree of a vertex in uncertain joins.
    max_degree: u32,
}

impl Reduction<'_> {
    /// Joins boxes with equal live ranges.
    fn join_parallel(&mut self, lower: u32, upper: u32) {
        let above = self.network.edge(lower).size;
        let Edge { from, to, size } = self.network.edge(upper);
        self.network.remove(upper);
        self.network.edges[lower as usize].size = above + size;
        self.joins.push(Join {
            kept: lower,
            gone: upper,
            above,
        });
        self.mark_touched(from);
        self.mark_touched(to);
    }

    /// Joins a box and one of equal size that starts where it ends.
    fn join_series(&mut self, earlier: u32, later: u32) {
        let Edge {
            from: between, to, ..
        } = self.network.edge(later);
        self.network.remove(later);
        self.network.move_end(earlier, Side::In, to);
        self.joins.push(Join {
            kept: earlier,
            gone: later,
            above: 0,
        });
        self.has_several[between as usize] = true;
        self.mark_touched(between);
    }

    fn mark_touched(&mut self, vertex: u32) {
        if !std::mem::replace(&mut self.is_touched[vertex as usize], true) {
            self.touched.push(vertex);
        }
    }

    fn live_edges(&self) -> Vec<u32> {
        (0..)
            .zip(&self.network.edges)
            .filter(|(_, edge)| edge.size > 0)
            .map(|(index, _)| index)
            .collect()
    }

    fn mark_all(&mut self) {
        self.changed = self.live_edges();
        for vertex in 0..self.network.vertices() {
            self.mark_touched(vertex);
        }
    }

    /// Joins and splits until nothing certain is left. Splits come last, when the boxes are large,
    /// and only if all sums can be compared.
    fn reduce_certain(&mut self) {
        self.join_changed();
        while !self.touched.is_empty() {
            for vertex in std::mem::take(&mut self.touched) {
                self.is_touched[vertex as usize] = false;
                let limits = self.limits;
                if split_lines::are_few(self.network, vertex, limits) {
                    self.split(vertex, |network| {
                        split_lines::split_by_edges(network, vertex, limits)
                    });
                }
            }
            self.join_changed();
        }
    }

    /// Searches all vertices for lines.
    fn split_all(&mut self, limits: SplitLimits) {
        let last = limits.confidence < ALL_SUMS.confidence;
        for vertex in 0..self.network.vertices() {
            let degrees = [Side::In, Side::Out].map(|side| self.network.degree(vertex, side));
            let again = last && self.tried.get(vertex as usize) == Some(&degrees);
            if !again && (last || !split_lines::are_few(self.network, vertex, ALL_SUMS)) {
                self.split(vertex, |network| {
                    split_lines::split_by_edges(network, vertex, limits)
                });
            }
        }
        if last {
            let degrees =
                |vertex| [Side::In, Side::Out].map(|side| self.network.degree(vertex, side));
            self.tried = (0..self.network.vertices()).map(degrees).collect();
        }
        self.reduce_certain();
    }

    fn join_changed(&mut self) {
        while let Some(edge) = self.changed.pop() {
            let mut edge = edge;
            while let Some(joined) = self.join_one(edge) {
                edge = joined;
            }
        }
    }

    /// Joins `edge` with another one. Returns the joined edge.
    fn join_one(&mut self, edge: u32) -> Option<u32> {
        let Edge { from, to, size } = self.network.edge(edge);
        if size == 0 {
            return None;
        }
        let pair = self.pair_at(to, size);
        if let Some((earlier, later)) = pair.or_else(|| self.pair_at(from, size)) {
            self.join_series(earlier, later);
            return Some(earlier);
        }
        if !self.may_be_parallel(from, to) {
            return None;
        }
        let same = |other: u32, of: Edge| other != edge && of.from == from && of.to == to;
        let other = self.find_near(from, Side::Out, same)?;
        self.join_parallel(edge, other);
        Some(edge)
    }

    /// Whether parallel joins between two vertices are allowed.
    fn may_be_parallel(&self, from: u32, to: u32) -> bool {
        match self.allowed {
            UncertainJoins::Nothing => self.is_line(from) && self.is_line(to),
            // All boxes start at the first line or end at the last one, so these lines are no
            // evidence.
            UncertainJoins::OneLine | UncertainJoins::InSeries => {
                let crowded = |vertex| {
                    let degree = |side| self.network.degree(vertex, side);
                    degree(Side::In).max(degree(Side::Out)) > self.max_degree
                };
                if crowded(from) || crowded(to) {
                    return false;
                }
                (self.is_line(from) && self.network.degree(from, Side::In) > 0)
                    || (self.is_line(to) && self.network.degree(to, Side::Out) > 0)
            }
            UncertainJoins::InParallel => true,
        }
    }

    /// Whether a vertex is one line with certainty.
    fn is_line(&self, vertex: u32) -> bool {
        self.is_one_line[vertex as usize]
            || self.network.degree(vertex, Side::In) <= 1
            || self.network.degree(vertex, Side::Out) <= 1
    }

    /// An edge of this size into `vertex` and one out of it. They must be the only ones unless
    /// uncertain joins are allowed.
    fn pair_at(&self, vertex: u32, size: u64) -> Option<(u32, u32)> {
        let alike = |side| {
            let mut edges = self.network.around(vertex, side).take(LOOKS);
            let mut next = || edges.find(|&edge| self.network.edge(edge).size == size);
            (next(), next())
        };
        let ((earlier, second), (later, third)) = (alike(Side::In), alike(Side::Out));
        let certain = second.is_none() && third.is_none();
        earlier
            .zip(later)
            .filter(|_| self.allowed >= UncertainJoins::InSeries || certain)
    }

    /// The first edge of a vertex that satisfies `wanted`, among the first few.
    fn find_near(
        &self,
        vertex: u32,
        side: Side,
        wanted: impl Fn(u32, Edge) -> bool,
    ) -> Option<u32> {
        let mut around = self.network.around(vertex, side).take(LOOKS);
        around.find(|&edge| wanted(edge, self.network.edge(edge)))
    }

    /// Joins the unique pairs of equal size at every vertex, by sorting: `pair_at` misses some at
    /// crowded vertices.
    fn join_equal_sizes(&mut self) {
        let mut ends = Vec::new();
        for (edge, &Edge { from, to, size }) in (0u32..).zip(&self.network.edges) {
            ends.push((to, size, false, edge));
            ends.push((from, size, true, edge));
        }
        ends.sort_unstable();
        let mut became: Vec<u32> = (0..self.network.edges.len() as u32).collect();
        for group in ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let &[(.., false, earlier), (.., true, later)] = group {
                // The groups are in order of time, so `earlier` may be the result of an earlier
                // join.
                let earlier = became[earlier as usize];
                self.join_series(earlier, later);
                became[later as usize] = earlier;
            }
        }
    }

    /// Makes uncertain joins, one at a time: each may make others certain.
    fn join_uncertain(&mut self, allowed: UncertainJoins) {
        for edge in self.live_edges() {
            self.allowed = allowed;
            let joined = self.join_one(edge);
            self.allowed = UncertainJoins::Nothing;
            if let Some(joined) = joined {
                self.changed.push(joined);
                self.reduce_certain();
            }
        }
    }

    /// Splits vertices that have several lines by the components that their edges connect.
    fn split_crowded(&mut self) {
        let crowds: Vec<bool> = (0..self.network.vertices())
            .map(|vertex| self.has_several[vertex as usize] && !self.is_line(vertex))
            .collect();
        if !crowds.contains(&true) {
            return;
        }
        let parts = split_lines::components(self.network, &crowds);
        for vertex in (0..crowds.len() as u32).filter(|&vertex| crowds[vertex as usize]) {
            self.split(vertex, |network| {
                split_lines::split_by_bundles(network, vertex, &parts, SEVERAL_LINES)
            });
        }
        self.reduce_certain();
    }

    /// Moves lines that are found at a vertex to vertices of their own.
    fn split(&mut self, vertex: u32, find: impl Fn(&Network) -> Split) {
        while !self.is_line(vertex) {
            match find(self.network) {
                Split::Line => self.is_one_line[vertex as usize] = true,
                Split::Unknown => return,
                Split::Apart(edges, confidence) => {
                    self.has_several[vertex as usize] = true;
                    let line = self.network.add_vertex(vertex, confidence);
                    self.is_one_line.push(true);
                    self.has_several.push(false);
                    self.is_touched.push(false);
                    for (side, edges) in [Side::In, Side::Out].into_iter().zip(edges) {
                        for edge in edges {
                            self.network.move_end(edge, side, line);
                            self.changed.push(edge);
                        }
                    }
                }
            }
        }
    }
}
