//! The left-right planarity test: draws a graph in the plane without crossings, or finds that this
//! is impossible. O(n log n), without recursion.
//!
//! A depth-first search orients the edges. A back edge closes a cycle to the left or to the right
//! of the tree, and two cycles that would cross must be on opposite sides. The stack of conflict
//! pairs holds the constraints on the sides. The names follow the source.
//!
//! Source: Brandes, "The left-right planarity test" (2009), after de Fraysseix and Rosenstiehl. The
//! form without recursion is that of NetworkX.

/// The absent edge, half edge or vertex.
const NONE: u32 = u32::MAX;

/// For each half edge the next one clockwise around its vertex. Edge `e` from `a` to `b` has half
/// edge `2 * e` at `a` and `2 * e + 1` at `b`.
pub type Rotation = Vec<u32>;

/// A drawing of the graph; `None` if it is not planar. Parallel edges are allowed, loops are not.
pub fn draw(vertices: usize, edges: &[(u32, u32)]) -> Option<Rotation> {
    let mut test = PlanarityTest::of_planar_graph(vertices, edges)?;
    for edge in 0..edges.len() as u32 {
        let sign = test.sign(edge);
        test.nesting[edge as usize] *= sign;
    }
    test.sort_by_nesting();
    Some(test.embed())
}

/// Whether the graph is planar.
pub fn is_planar(vertices: usize, edges: &[(u32, u32)]) -> bool {
    PlanarityTest::of_planar_graph(vertices, edges).is_some()
}

/// The highest and the lowest of consecutive back edges on one side.
#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    high: u32,
}

const EMPTY: Interval = Interval {
    low: NONE,
    high: NONE,
};

impl Interval {
    fn is_empty(self) -> bool {
        self.low == NONE && self.high == NONE
    }
}

/// Back edges that must be on opposite sides.
#[derive(Clone, Copy)]
struct Pair {
    left: Interval,
    right: Interval,
}

impl Pair {
    fn swap(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
    }
}

struct PlanarityTest<'a> {
    edges: &'a [(u32, u32)],
    /// The start of each vertex's half edges in `around`, and the end of the last.
    first: Vec<u32>,
    around: Vec<u32>,
    roots: Vec<u32>,
    /// Depth in the search tree.
    height: Vec<u32>,
    /// For each edge the half edge that points away from the root.
    forward: Vec<u32>,
    /// For each vertex the edge to its parent.
    parent: Vec<u32>,
    lowpt: Vec<u32>,
    lowpt2: Vec<u32>,
    nesting: Vec<i64>,
    reference: Vec<u32>,
    left: Vec<bool>,
    lowpt_edge: Vec<u32>,
    stack_bottom: Vec<u32>,
    pairs: Vec<Pair>,
}

impl<'a> PlanarityTest<'a> {
    /// The state of the test after it succeeded.
    fn of_planar_graph(vertices: usize, edges: &'a [(u32, u32)]) -> Option<Self> {
        let mut test = PlanarityTest::new(vertices, edges);
        test.orient();
        test.keep_oriented();
        test.sort_by_nesting();
        test.check()?;
        Some(test)
    }

    fn new(vertices: usize, edges: &'a [(u32, u32)]) -> Self {
        let mut first = vec![0u32; vertices + 1];
        for &(a, b) in edges {
            first[a as usize + 1] += 1;
            first[b as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut around = vec![0; 2 * edges.len()];
        for (edge, &(a, b)) in (0u32..).zip(edges) {
            for (half, vertex) in [(2 * edge, a), (2 * edge + 1, b)] {
                around[next[vertex as usize] as usize] = half;
                next[vertex as usize] += 1;
            }
        }
        let count = edges.len();
        PlanarityTest {
            edges,
            first,
            around,
            roots: Vec::new(),
            height: vec![NONE; vertices],
            forward: vec![NONE; count],
            parent: vec![NONE; vertices],
            lowpt: vec![0; count],
            lowpt2: vec![0; count],
            nesting: vec![0; count],
            reference: vec![NONE; count],
            left: vec![false; count],
            lowpt_edge: vec![NONE; count],
            stack_bottom: vec![0; count],
            pairs: Vec::new(),
        }
    }

    fn origin(&self, half: u32) -> u32 {
        let (a, b) = self.edges[half as usize / 2];
        if half.is_multiple_of(2) { a } else { b }
    }

    fn target(&self, half: u32) -> u32 {
        self.origin(half ^ 1)
    }

    fn vertices(&self) -> usize {
        self.height.len()
    }

    /// Orients the edges away from the roots and computes their return points.
    fn orient(&mut self) {
        let mut next = self.first.clone();
        for root in 0..self.vertices() as u32 {
            if self.height[root as usize] != NONE {
                continue;
            }
            self.height[root as usize] = 0;
            self.roots.push(root);
            let mut stack = vec![root];
            while let Some(vertex) = stack.pop() {
                if let Some(child) = self.orient_from(vertex, &mut next) {
                    stack.extend([vertex, child]);
                }
            }
        }
    }

    /// Orients the edges of `vertex` up to one that leads to a new vertex, which is returned. The
    /// search continues there.
    fn orient_from(&mut self, vertex: u32, next: &mut [u32]) -> Option<u32> {
        let v = vertex as usize;
        while next[v] < self.first[v + 1] {
            let half = self.around[next[v] as usize];
            let edge = half as usize / 2;
            if self.forward[edge] == NONE {
                let target = self.target(half) as usize;
                self.forward[edge] = half;
                self.lowpt[edge] = self.height[v];
                self.lowpt2[edge] = self.height[v];
                if self.height[target] == NONE {
                    self.parent[target] = edge as u32;
                    self.height[target] = self.height[v] + 1;
                    return Some(target as u32);
                }
                self.lowpt[edge] = self.height[target];
            }
            if self.forward[edge] == half {
                self.finish_orientation(vertex, edge);
            }
            next[v] += 1;
        }
        None
    }

    /// Computes the nesting depth of an edge whose return points are all known, and updates its
    /// parent edge.
    fn finish_orientation(&mut self, vertex: u32, edge: usize) {
        let chordal = self.lowpt2[edge] < self.height[vertex as usize];
        self.nesting[edge] = 2 * i64::from(self.lowpt[edge]) + i64::from(chordal) + 1; // never 0, because it gets a sign
        let parent = self.parent[vertex as usize];
        if parent == NONE {
            return;
        }
        let parent = parent as usize;
        let (low, low2) = (self.lowpt[edge], self.lowpt2[edge]);
        if low < self.lowpt[parent] {
            self.lowpt2[parent] = self.lowpt[parent].min(low2);
            self.lowpt[parent] = low;
        } else if low > self.lowpt[parent] {
            self.lowpt2[parent] = self.lowpt2[parent].min(low);
        } else {
            self.lowpt2[parent] = self.lowpt2[parent].min(low2);
        }
    }

    /// Keeps each edge only in the list of its source.
    fn keep_oriented(&mut self) {
        let mut kept = Vec::with_capacity(self.edges.len());
        let mut first = vec![0u32];
        for v in 0..self.vertices() {
            let around = &self.around[self.first[v] as usize..self.first[v + 1] as usize];
            let forward = &self.forward;
            kept.extend(
                around
                    .iter()
                    .filter(|&&half| forward[half as usize / 2] == half),
            );
            first.push(kept.len() as u32);
        }
        self.around = kept;
        self.first = first;
    }

    fn sort_by_nesting(&mut self) {
        for v in 0..self.vertices() {
            let nesting = &self.nesting;
            self.around[self.first[v] as usize..self.first[v + 1] as usize]
                .sort_unstable_by_key(|&half| (nesting[half as usize / 2], half));
        }
    }

    /// Builds the constraints on sides; `None` if they contradict each other.
    fn check(&mut self) -> Option<()> {
        let mut next = self.first.clone();
        let mut entered = vec![false; self.edges.len()];
        let mut stack = self.roots.clone();
        while let Some(vertex) = stack.pop() {
            match self.check_from(vertex, &mut next, &mut entered)? {
                Some(child) => stack.extend([vertex, child]),
                None => {
                    let parent = self.parent[vertex as usize];
                    if parent != NONE {
                        self.remove_back_edges(parent);
                    }
                }
            }
        }
        Some(())
    }

    /// Handles the edges of `vertex` up to one that leads to a child, which is returned. The walk
    /// continues there.
    fn check_from(
        &mut self,
        vertex: u32,
        next: &mut [u32],
        entered: &mut [bool],
    ) -> Option<Option<u32>> {
        let v = vertex as usize;
        while next[v] < self.first[v + 1] {
            let half = self.around[next[v] as usize];
            let edge = half / 2;
            let target = self.target(half);
            if !std::mem::replace(&mut entered[edge as usize], true) {
                self.stack_bottom[edge as usize] = self.pairs.len() as u32;
                if self.parent[target as usize] == edge {
                    return Some(Some(target));
                }
                self.lowpt_edge[edge as usize] = edge;
                self.pairs.push(Pair {
                    left: EMPTY,
                    right: Interval {
                        low: edge,
                        high: edge,
                    },
                });
            }
            if self.lowpt[edge as usize] < self.height[v] {
                let parent = self.parent[v];
                if next[v] == self.first[v] {
                    self.lowpt_edge[parent as usize] = self.lowpt_edge[edge as usize];
                } else {
                    self.add_constraints(edge, parent)?;
                }
            }
            next[v] += 1;
        }
        Some(None)
    }

    fn conflicting(&self, interval: Interval, edge: u32) -> bool {
        interval.high != NONE && self.lowpt[interval.high as usize] > self.lowpt[edge as usize]
    }

    /// Sets the reference of an edge, which may be absent.
    fn set_reference(&mut self, edge: u32, to: u32) {
        if edge != NONE {
            self.reference[edge as usize] = to;
        }
    }

    fn add_constraints(&mut self, edge: u32, parent: u32) -> Option<()> {
        let mut merged = Pair {
            left: EMPTY,
            right: EMPTY,
        };
        // Return edges of `edge` go to the right.
        loop {
            let mut pair = self.pairs.pop()?;
            if !pair.left.is_empty() {
                pair.swap();
            }
            if !pair.left.is_empty() {
                return None;
            }
            if self.lowpt[pair.right.low as usize] > self.lowpt[parent as usize] {
                if merged.right.is_empty() {
                    merged.right.high = pair.right.high;
                } else {
                    self.set_reference(merged.right.low, pair.right.high);
                }
                merged.right.low = pair.right.low;
            } else {
                self.set_reference(pair.right.low, self.lowpt_edge[parent as usize]);
            }
            if self.pairs.len() as u32 <= self.stack_bottom[edge as usize] {
                break;
            }
        }
        // Conflicting return edges of earlier siblings go to the left.
        while let Some(&top) = self.pairs.last()
            && (self.conflicting(top.left, edge) || self.conflicting(top.right, edge))
        {
            let mut pair = top;
            self.pairs.pop();
            if self.conflicting(pair.right, edge) {
                pair.swap();
            }
            if self.conflicting(pair.right, edge) {
                return None;
            }
            self.set_reference(merged.right.low, pair.right.high);
            if pair.right.low != NONE {
                merged.right.low = pair.right.low;
            }
            if merged.left.is_empty() {
                merged.left.high = pair.left.high;
            } else {
                self.set_reference(merged.left.low, pair.left.high);
            }
            merged.left.low = pair.left.low;
        }
        if !(merged.left.is_empty() && merged.right.is_empty()) {
            self.pairs.push(merged);
        }
        Some(())
    }

    /// The lowest return point of a pair.
    fn lowest(&self, pair: Pair) -> u32 {
        let low = |interval: Interval| match interval.low {
            NONE => u32::MAX,
            edge => self.lowpt[edge as usize],
        };
        low(pair.left).min(low(pair.right))
    }

    /// Removes the back edges that end at the source of `edge`.
    fn remove_back_edges(&mut self, edge: u32) {
        let start = self.origin(self.forward[edge as usize]);
        let height = self.height[start as usize];
        while let Some(&pair) = self.pairs.last()
            && self.lowest(pair) == height
        {
            self.pairs.pop();
            if pair.left.low != NONE {
                self.left[pair.left.low as usize] = true;
            }
        }
        if let Some(mut pair) = self.pairs.pop() {
            pair.left = self.trim(pair.left, pair.right, start);
            pair.right = self.trim(pair.right, pair.left, start);
            self.pairs.push(pair);
        }
        if self.lowpt[edge as usize] < height
            && let Some(&top) = self.pairs.last()
        {
            let (left, right) = (top.left.high, top.right.high);
            let higher =
                |a: u32, b: u32| b == NONE || self.lowpt[a as usize] > self.lowpt[b as usize];
            let highest = if left != NONE && higher(left, right) {
                left
            } else {
                right
            };
            self.reference[edge as usize] = highest;
        }
    }

    /// An interval without the back edges that end at `start`.
    fn trim(&mut self, mut interval: Interval, other: Interval, start: u32) -> Interval {
        while interval.high != NONE && self.target(self.forward[interval.high as usize]) == start {
            interval.high = self.reference[interval.high as usize];
        }
        if interval.high == NONE && interval.low != NONE {
            self.reference[interval.low as usize] = other.low;
            self.left[interval.low as usize] = true;
            interval.low = NONE;
        }
        interval
    }

    /// -1 for an edge on the left, else 1. Follows the references and resolves them.
    fn sign(&mut self, edge: u32) -> i64 {
        let mut chain = vec![edge];
        let mut end = edge;
        while self.reference[end as usize] != NONE {
            end = std::mem::replace(&mut self.reference[end as usize], NONE);
            chain.push(end);
        }
        while let Some(end) = chain.pop() {
            if let Some(&before) = chain.last() {
                self.left[before as usize] ^= self.left[end as usize];
            }
        }
        if self.left[edge as usize] { -1 } else { 1 }
    }

    /// Computes the rotation from the order of outgoing edges and the sides of back edges.
    fn embed(&mut self) -> Rotation {
        let mut lists = CircularLists::new(self.edges.len());
        let mut first_half = vec![NONE; self.vertices()];
        for (v, first) in first_half.iter_mut().enumerate() {
            let out = &self.around[self.first[v] as usize..self.first[v + 1] as usize];
            *first = out.first().copied().unwrap_or(NONE);
            for pair in out.windows(2) {
                lists.insert_after(pair[1], pair[0]);
            }
        }
        let mut left = vec![NONE; self.vertices()];
        let mut right = left.clone();
        let mut next = self.first.clone();
        let mut stack = self.roots.clone();
        {
            'vertices: while let Some(vertex) = stack.pop() {
                let v = vertex as usize;
                while next[v] < self.first[v + 1] {
                    let half = self.around[next[v] as usize];
                    next[v] += 1;
                    let target = self.target(half);
                    let w = target as usize;
                    if self.parent[w] == half / 2 {
                        if first_half[w] != NONE {
                            lists.insert_before(half ^ 1, first_half[w]);
                        }
                        first_half[w] = half ^ 1;
                        (left[v], right[v]) = (half, half);
                        stack.extend([vertex, target]);
                        continue 'vertices;
                    }
                    if self.left[half as usize / 2] {
                        lists.insert_before(half ^ 1, left[w]);
                        left[w] = half ^ 1;
                    } else {
                        lists.insert_after(half ^ 1, right[w]);
                    }
                }
            }
        }
        lists.next
    }
}

/// Half edges in circular lists.
struct CircularLists {
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl CircularLists {
    /// Each half edge in a list of its own.
    fn new(edges: usize) -> Self {
        let alone: Vec<u32> = (0..2 * edges as u32).collect();
        CircularLists {
            next: alone.clone(),
            previous: alone,
        }
    }

    fn insert_after(&mut self, half: u32, before: u32) {
        let after = self.next[before as usize];
        self.next[before as usize] = half;
        self.next[half as usize] = after;
        self.previous[after as usize] = half;
        self.previous[half as usize] = before;
    }

    fn insert_before(&mut self, half: u32, after: u32) {
        self.insert_after(half, self.previous[after as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of a vertex below `split` and a vertex from `from` on.
    fn pairs(split: u32, from: u32, vertices: u32) -> Vec<(u32, u32)> {
        let firsts = 0..split;
        firsts
            .flat_map(|a| (from.max(a + 1)..vertices).map(move |b| (a, b)))
            .collect()
    }

    fn faces(rotation: &Rotation) -> usize {
        let mut seen = vec![false; rotation.len()];
        let mut faces = 0;
        for start in 0..rotation.len() {
            let mut half = start;
            faces += usize::from(!seen[start]);
            while !std::mem::replace(&mut seen[half], true) {
                half = rotation[half ^ 1] as usize;
            }
        }
        faces
    }

    #[test]
    fn five_vertices_and_three_by_three_cannot_be_drawn() {
        assert!(!is_planar(5, &pairs(5, 0, 5)));
        assert!(!is_planar(6, &pairs(3, 3, 6)));
    }

    #[test]
    fn without_one_edge_they_can_and_have_as_many_faces_as_euler_says() {
        for (vertices, mut edges) in [
            (5, pairs(5, 0, 5)),
            (6, pairs(3, 3, 6)),
            (4, pairs(4, 0, 4)),
        ] {
            if vertices > 4 {
                edges.pop();
            }
            edges.push(edges[0]); // twice
            let rotation = draw(vertices, &edges).expect("planar");
            assert_eq!(vertices + faces(&rotation), edges.len() + 2);
        }
    }

    #[test]
    fn a_rotation_goes_around_each_vertex_once() {
        let edges = pairs(4, 0, 4);
        let rotation = draw(4, &edges).expect("planar");
        let vertex = |half: u32| {
            let (a, b) = edges[half as usize / 2];
            if half.is_multiple_of(2) { a } else { b }
        };
        for start in 0..rotation.len() as u32 {
            let mut half = rotation[start as usize];
            let mut count = 1;
            while half != start {
                assert_eq!(vertex(half), vertex(start));
                half = rotation[half as usize];
                count += 1;
            }
            assert_eq!(count, 3);
        }
    }
}
