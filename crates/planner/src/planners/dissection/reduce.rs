//! Makes the graph of a dissection smaller: boxes that lie one after the other and are equally high,
//! and boxes on top of each other that are live equally long, become one; a packing of fewer boxes
//! gives one of all. What guillotine cuts have made vanishes altogether.
//!
//! Lines that happen to be at the same time are one vertex at first, and sizes can be equal by
//! chance, so that a join can be wrong. Joins that are hardly in doubt come first, because they make
//! larger boxes, which are less alike; `lines` parts what is at one time.

use super::lines::{self, Care, Parting};
use super::network::{Edge, Network, Side};

/// Edges looked at for one that fits, at most, so that crowded vertices cost no more than others.
const LOOKS: usize = 64;

/// Edges of a vertex on one side, up to which it takes part in joins that are in doubt: what becomes
/// small can then be parted for certain.
const CROWDS: [u32; 6] = [12, 18, 28, 48, 96, u32::MAX];

/// Passes over all edges for joins that are in doubt.
const PASSES: usize = 4;

/// The care with which vertices are parted: where all sums can be compared; where lines of few boxes
/// are looked for among many; where nothing else helps; and where several lines are known to be.
const ALL: Care = Care {
    sums: 1 << 8,
    doubt: 20,
    uneven: false,
};
const FEW: Care = Care {
    sums: 1 << 9,
    doubt: 18,
    uneven: false,
};
const LAST: Care = Care {
    sums: 1 << 12,
    doubt: 8,
    uneven: false,
};
const CROWD: Care = Care {
    sums: 1 << 12,
    doubt: 12,
    uneven: true,
};

/// Two boxes that became one, which keeps the number `kept`.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    pub kept: u32,
    pub gone: u32,
    /// How far above the kept box the other one lies, in bytes; 0 if it lies after that.
    pub above: u64,
}

/// Joins what can be joined. The last join comes last.
pub fn reduce(network: &mut Network) -> Vec<Join> {
    let vertices = network.vertices() as usize;
    let mut reduction = Reduction {
        joins: Vec::with_capacity(network.edges.len()),
        changed: Vec::new(),
        touched: Vec::new(),
        is_touched: vec![false; vertices],
        line: vec![false; vertices],
        several: vec![false; vertices],
        tried: Vec::new(),
        trust: Trust::Nothing,
        care: ALL,
        crowd: 0,
        network,
    };
    reduction.join_alike();
    reduction.look_at_all();
    reduction.settle();
    reduction.care.doubt = LAST.doubt;
    reduction.look_at_all();
    reduction.settle();
    for crowd in CROWDS {
        reduction.crowd = crowd;
        reduction.part_all(FEW);
        reduction.dare(Trust::OneLine);
    }
    for _ in 0..PASSES {
        let before = reduction.joins.len();
        reduction.part_all(LAST);
        reduction.part_crowds();
        for trust in [Trust::OneLine, Trust::InSeries, Trust::InParallel] {
            reduction.dare(trust);
        }
        if reduction.joins.len() == before {
            break;
        }
    }
    reduction.joins
}

/// Gives every box that was joined its offset, from those of the boxes that were left. Where a join
/// was undone both have theirs.
pub fn expand(joins: &[Join], undone: &[bool], offsets: &mut [u64]) {
    for (join, &undone) in joins.iter().zip(undone).rev() {
        if !undone {
            offsets[join.gone as usize] = offsets[join.kept as usize] + join.above;
        }
    }
}

/// Which boxes are joined that may be alike by chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trust {
    Nothing,
    /// Those that are live equally long and lie at one line, for certain, at the start or the end.
    OneLine,
    /// Those of one size that meet at one time.
    InSeries,
    /// Those that are live equally long.
    InParallel,
}

struct Reduction<'a> {
    network: &'a mut Network,
    joins: Vec<Join>,
    /// Edges that may have a partner.
    changed: Vec<u32>,
    /// Vertices that may be parted.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Vertices that were found to be one line.
    line: Vec<bool>,
    /// Vertices at which a line was found beside what is left of them.
    several: Vec<bool>,
    /// Degrees of the vertices when it was last tried to part them with the least care.
    tried: Vec<[u32; 2]>,
    trust: Trust,
    care: Care,
    /// Vertices with more edges on a side wait.
    crowd: u32,
}

impl Reduction<'_> {
    /// `upper` lives as long as `lower`.
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
        self.touch(from);
        self.touch(to);
    }

    /// `later` starts where `earlier` ends and is as high.
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
        self.several[between as usize] = true;
        self.touch(between);
    }

    fn touch(&mut self, vertex: u32) {
        if !std::mem::replace(&mut self.is_touched[vertex as usize], true) {
            self.touched.push(vertex);
        }
    }

    fn alive(&self) -> Vec<u32> {
        (0..)
            .zip(&self.network.edges)
            .filter(|(_, edge)| edge.size > 0)
            .map(|(index, _)| index)
            .collect()
    }

    fn look_at_all(&mut self) {
        self.changed = self.alive();
        for vertex in 0..self.network.vertices() {
            self.touch(vertex);
        }
    }

    /// Joins and parts until there is nothing more to do that is certain. Vertices are parted last,
    /// when the boxes around them are large, and where all sums can be compared.
    fn settle(&mut self) {
        self.join_changed();
        while !self.touched.is_empty() {
            for vertex in std::mem::take(&mut self.touched) {
                self.is_touched[vertex as usize] = false;
                let care = self.care;
                if lines::are_few(self.network, vertex, care) {
                    self.part(vertex, |network| lines::part_edges(network, vertex, care));
                }
            }
            self.join_changed();
        }
    }

    /// Looks for lines at all vertices.
    fn part_all(&mut self, care: Care) {
        let last = care.doubt < ALL.doubt;
        for vertex in 0..self.network.vertices() {
            let degrees = [Side::In, Side::Out].map(|side| self.network.degree(vertex, side));
            let again = last && self.tried.get(vertex as usize) == Some(&degrees);
            if !again && (last || !lines::are_few(self.network, vertex, ALL)) {
                self.part(vertex, |network| lines::part_edges(network, vertex, care));
            }
        }
        if last {
            let degrees =
                |vertex| [Side::In, Side::Out].map(|side| self.network.degree(vertex, side));
            self.tried = (0..self.network.vertices()).map(degrees).collect();
        }
        self.settle();
    }

    fn join_changed(&mut self) {
        while let Some(edge) = self.changed.pop() {
            let mut edge = edge;
            while let Some(joined) = self.join_one(edge) {
                edge = joined;
            }
        }
    }

    /// Joins `edge` with some other; the edge that both have become.
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
        let other = self.near(from, Side::Out, same)?;
        self.join_parallel(edge, other);
        Some(edge)
    }

    /// Whether boxes between two vertices are joined.
    fn may_be_parallel(&self, from: u32, to: u32) -> bool {
        match self.trust {
            Trust::Nothing => self.is_line(from) && self.is_line(to),
            // Everything starts at the first line or ends at the last one: that says nothing.
            Trust::OneLine | Trust::InSeries => {
                let crowded = |vertex| {
                    let degree = |side| self.network.degree(vertex, side);
                    degree(Side::In).max(degree(Side::Out)) > self.crowd
                };
                if crowded(from) || crowded(to) {
                    return false;
                }
                (self.is_line(from) && self.network.degree(from, Side::In) > 0)
                    || (self.is_line(to) && self.network.degree(to, Side::Out) > 0)
            }
            Trust::InParallel => true,
        }
    }

    /// Whether a vertex is one line for certain.
    fn is_line(&self, vertex: u32) -> bool {
        self.line[vertex as usize]
            || self.network.degree(vertex, Side::In) <= 1
            || self.network.degree(vertex, Side::Out) <= 1
    }

    /// An edge of this size into `vertex` and one out of it; the only ones unless trusted.
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
            .filter(|_| self.trust >= Trust::InSeries || certain)
    }

    /// One of the first edges of a vertex that is `wanted`.
    fn near(&self, vertex: u32, side: Side, wanted: impl Fn(u32, Edge) -> bool) -> Option<u32> {
        let mut around = self.network.around(vertex, side).take(LOOKS);
        around.find(|&edge| wanted(edge, self.network.edge(edge)))
    }

    /// Joins the pairs of one size at every vertex, by sorting: in a crowd `pair_at` overlooks some.
    fn join_alike(&mut self) {
        let mut ends = Vec::new();
        for (edge, &Edge { from, to, size }) in (0u32..).zip(&self.network.edges) {
            ends.push((to, size, false, edge));
            ends.push((from, size, true, edge));
        }
        ends.sort_unstable();
        let mut became: Vec<u32> = (0..self.network.edges.len() as u32).collect();
        for group in ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let &[(.., false, earlier), (.., true, later)] = group {
                // The groups come in order of time, so `earlier` may have joined others before.
                let earlier = became[earlier as usize];
                self.join_series(earlier, later);
                became[later as usize] = earlier;
            }
        }
    }

    /// Joins what may be alike by chance, one pair at a time: each may settle what others are.
    fn dare(&mut self, trust: Trust) {
        for edge in self.alive() {
            self.trust = trust;
            let joined = self.join_one(edge);
            self.trust = Trust::Nothing;
            if let Some(joined) = joined {
                self.changed.push(joined);
                self.settle();
            }
        }
    }

    /// Parts vertices at which several lines are known to meet, by what they connect.
    fn part_crowds(&mut self) {
        let crowds: Vec<bool> = (0..self.network.vertices())
            .map(|vertex| self.several[vertex as usize] && !self.is_line(vertex))
            .collect();
        if !crowds.contains(&true) {
            return;
        }
        let parts = lines::parts(self.network, &crowds);
        for vertex in (0..crowds.len() as u32).filter(|&vertex| crowds[vertex as usize]) {
            self.part(vertex, |network| {
                lines::part_bundles(network, vertex, &parts, CROWD)
            });
        }
        self.settle();
    }

    /// Gives lines that are found at a vertex vertices of their own.
    fn part(&mut self, vertex: u32, find: impl Fn(&Network) -> Parting) {
        while !self.is_line(vertex) {
            match find(self.network) {
                Parting::Line => self.line[vertex as usize] = true,
                Parting::Unknown => return,
                Parting::Apart(edges, doubt) => {
                    self.several[vertex as usize] = true;
                    let line = self.network.add_vertex(vertex, doubt);
                    self.line.push(true);
                    self.several.push(false);
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
