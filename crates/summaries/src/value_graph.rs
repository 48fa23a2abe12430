//! Flow of addresses as a graph. Each query is a reachability query.
//!
//! A value has four nodes: its address (or itself, if it is a number or pointer), the numbers in its
//! descriptor (sizes, strides, offset), the contents of its memory, and the contents of memory that these
//! refer to, at any depth. An edge leads from a source to a value that may be it. All names of one memory
//! have the same contents, so edges between contents are bidirectional.

use memplan_mlir::ir::{Identity, Key, Val};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

impl Node {
    /// Values in use after the function returns, other than by results.
    pub const CAPTURED: Self = Self(0);
    /// Values that are freed.
    pub const FREED: Self = Self(1);
    /// Values that are freed unless a flag says that they are an argument that a callee returned.
    pub const FREED_IF_OWNED: Self = Self(2);
    /// Memory that is neither an argument's nor the function's.
    pub const ELSEWHERE: Self = Self(3);
    /// Memory that the function has not received, allocated or captured: a global.
    pub const FOREIGN: Self = Self(4);
    /// Memrefs whose data may start at another address than their memory.
    pub const MOVED: Self = Self(5);
    const FIRST_FREE: usize = 6;

    /// Index of the node.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The nodes of a value.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    /// The address, or the value itself.
    pub address: Node,
    /// Numbers in the descriptor.
    pub numbers: Node,
    /// Contents of the memory.
    pub contents: Node,
    /// Contents of memory that the contents refer to, at any depth.
    pub deep: Node,
}

impl Nodes {
    const fn at(first: u32) -> Self {
        Self {
            address: Node(first),
            numbers: Node(first + 1),
            contents: Node(first + 2),
            deep: Node(first + 3),
        }
    }
}

/// A source. The highest bit marks an edge along which only a callee's argument is returned.
#[derive(Clone, Copy)]
struct Source(u32);

const COMES_BACK: u32 = 1 << 31;

/// The graph.
pub struct ValueGraph {
    first: FxHashMap<Key, u32>,
    sources: Vec<SmallVec<[Source; 2]>>,
}

/// Roots from which a node is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Nothing.
    None,
    /// Exactly one root.
    Sole(u32),
    /// No root, but other sources.
    Others,
    /// Several roots.
    Many,
}

/// Roots from which each node is reachable.
pub struct Roots(Vec<Root>);

impl Roots {
    /// Roots from which a node is reachable.
    pub fn of(&self, node: Node) -> Root {
        self.0.get(node.index()).copied().unwrap_or(Root::Many)
    }
}

/// Nodes from which one of the queried sinks is reachable.
pub struct Reached(Vec<bool>);

impl Reached {
    /// Whether a sink is reachable from a node.
    pub fn has(&self, node: Node) -> bool {
        self.0[node.index()]
    }
}

impl Default for ValueGraph {
    fn default() -> Self {
        Self {
            first: FxHashMap::default(),
            sources: vec![SmallVec::new(); Node::FIRST_FREE],
        }
    }
}

impl ValueGraph {
    /// Creates a node without a value.
    pub fn node(&mut self) -> Node {
        self.sources.push(SmallVec::new());
        Node(self.sources.len() as u32 - 1)
    }

    /// Nodes of a value, created on first use.
    pub fn of(&mut self, value: Val<'_>) -> Nodes {
        let next = self.sources.len() as u32;
        let first = *self.first.entry(value.key()).or_insert(next);
        if first == next {
            self.sources.resize_with(next as usize + 4, SmallVec::new);
        }
        Nodes::at(first)
    }

    /// Nodes of a value, if it was used before.
    pub fn find(&self, value: Val<'_>) -> Option<Nodes> {
        self.first.get(&value.key()).map(|first| Nodes::at(*first))
    }

    /// Records that `to` may be `from`.
    pub fn edge(&mut self, from: Node, to: Node) {
        if from != to {
            self.sources[to.index()].push(Source(from.0));
        }
    }

    /// Records that `to` may be another name of the memory of `from`, or the same number.
    pub fn alias(&mut self, from: Val<'_>, to: Val<'_>) {
        let (from, to) = (self.of(from), self.of(to));
        self.edge(from.address, to.address);
        self.edge(from.numbers, to.numbers);
        self.same_contents(from, to);
    }

    /// As [`alias`](Self::alias), for a callee that returns its argument with a flag that says that it is not
    /// new.
    pub fn comes_back(&mut self, from: Val<'_>, to: Val<'_>) {
        let (from, to) = (self.of(from), self.of(to));
        let marked = Source(from.address.0 | COMES_BACK);
        self.sources[to.address.index()].push(marked);
        self.edge(from.numbers, to.numbers);
        self.same_contents(from, to);
    }

    /// Records that `to` may hold the address of `from`, or numbers of its descriptor.
    pub fn address(&mut self, from: Val<'_>, to: Val<'_>) {
        self.alias(from, to);
        let (from, to) = (self.of(from), self.of(to));
        self.edge(from.numbers, to.address);
    }

    /// Records that sizes, strides or the offset of `to` may be numbers of the descriptor of `from`, or with
    /// `is_address`, its address.
    pub fn measured(&mut self, from: Val<'_>, to: Val<'_>, is_address: bool) {
        let (from, to) = (self.of(from), self.of(to));
        self.edge(from.numbers, to.numbers);
        if is_address {
            self.edge(from.address, to.numbers);
        }
    }

    /// Records that `from` is stored in the memory of `to`.
    pub fn store(&mut self, from: Val<'_>, to: Val<'_>) {
        let (from, to) = (self.of(from), self.of(to));
        self.edge(from.address, to.contents);
        self.edge(from.numbers, to.contents);
        self.one_deeper(from, to);
    }

    /// Records that `to` is loaded from the memory of `from`.
    pub fn load(&mut self, from: Val<'_>, to: Val<'_>) {
        let (from, to) = (self.of(from), self.of(to));
        self.edge(from.contents, to.address);
        self.edge(from.contents, to.numbers);
        self.one_deeper(to, from);
    }

    /// Records that unknown code may refer to a value at any time.
    pub fn captured(&mut self, value: Val<'_>) {
        let nodes = self.of(value);
        self.edge(nodes.address, Node::CAPTURED);
        self.edge(nodes.numbers, Node::CAPTURED);
        self.outside(value);
    }

    /// Records that a value may be unknown memory: memrefs that are stored there are captured, and loaded
    /// ones are unknown.
    pub fn elsewhere(&mut self, value: Val<'_>) {
        let nodes = self.of(value);
        self.edge(Node::ELSEWHERE, nodes.address);
        self.outside(value);
    }

    /// Records that a value is foreign memory that the function does not access by another name.
    pub fn foreign(&mut self, value: Val<'_>) {
        let nodes = self.of(value);
        self.edge(Node::FOREIGN, nodes.address);
        self.outside(value);
    }

    /// Records that the data of a value may start at another address than its source.
    pub fn moved(&mut self, value: Val<'_>) {
        let to = self.of(value).address;
        self.edge(Node::MOVED, to);
    }

    /// Records that other code knows the contents of a value's memory, and may store there.
    pub fn outside(&mut self, value: Val<'_>) {
        let nodes = self.of(value);
        for inside in [nodes.contents, nodes.deep] {
            self.edge(Node::ELSEWHERE, inside);
            self.edge(inside, Node::CAPTURED);
        }
    }

    fn same_contents(&mut self, one: Nodes, other: Nodes) {
        self.same(one.contents, other.contents);
        self.same(one.deep, other.deep);
    }

    /// Records that `inner` may be stored in the memory of `outer`.
    fn one_deeper(&mut self, inner: Nodes, outer: Nodes) {
        self.same(inner.contents, outer.deep);
        self.same(inner.deep, outer.deep);
    }

    /// Makes two nodes equivalent.
    pub fn same(&mut self, one: Node, other: Node) {
        self.edge(one, other);
        self.edge(other, one);
    }

    /// Nodes from which one of `sinks` is reachable. `comes_back`: also along results of callees that may be
    /// their arguments.
    pub fn reaching(&self, sinks: &[Node], comes_back: bool) -> Reached {
        let mut reached = vec![false; self.sources.len()];
        let mut open: Vec<u32> = sinks.iter().map(|node| node.0).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            let sources = self.sources[node as usize].iter();
            let sources = sources.filter(|from| comes_back || from.0 & COMES_BACK == 0);
            open.extend(sources.map(|from| from.0 & !COMES_BACK));
        }
        Reached(reached)
    }

    /// For each node, which of `roots` and `others` reach it. Roots are identified by their indices.
    pub fn roots(&self, roots: &[Node], others: &[Node]) -> Roots {
        let mut targets: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); self.sources.len()];
        for (to, sources) in self.sources.iter().enumerate() {
            for from in sources {
                targets[(from.0 & !COMES_BACK) as usize].push(to as u32);
            }
        }
        let mut root = vec![Root::None; self.sources.len()];
        let starts = roots.iter().zip(0..);
        let mut open: Vec<(u32, Root)> =
            starts.map(|(node, at)| (node.0, Root::Sole(at))).collect();
        open.extend(others.iter().map(|node| (node.0, Root::Others)));
        // Each node changes at most twice.
        while let Some((node, from)) = open.pop() {
            let known = &mut root[node as usize];
            let joined = match *known {
                Root::None => from,
                same if same == from => continue,
                Root::Many => continue,
                _ => Root::Many,
            };
            *known = joined;
            open.extend(targets[node as usize].iter().map(|to| (*to, joined)));
        }
        Roots(root)
    }
}
