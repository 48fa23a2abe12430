//! A bounded program as a tree of straight-line segments.

use memplan_flow::ids;
use smallvec::SmallVec;
use std::ops::Range;

ids! {
    /// A value with bytes of its own.
    pub ValueId,
    /// An operand of an operation: a value, or an alias of several.
    pub NameId,
    /// An operation. Numbered in preorder: a segment, then its first child with all its descendants, and so on.
    pub StepId,
    /// A straight line of operations.
    pub SegmentId,
}

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Memory that operations access through a pointer.
    Buffer,
    /// A number, or a vector of numbers.
    Scalar,
}

/// The memory that a value needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The size, in bytes.
    pub size: u64,
    /// The offset is a multiple of this; a power of two.
    pub alignment: u64,
    /// Buffer or scalar.
    pub kind: ValueKind,
    /// The value must stay where it is placed.
    pub pinned: bool,
}

impl Value {
    /// A buffer that may be moved.
    pub const fn buffer(size: u64, alignment: u64) -> Self {
        Self {
            size,
            alignment,
            kind: ValueKind::Buffer,
            pinned: false,
        }
    }

    /// A scalar that may be moved.
    pub const fn scalar(size: u64, alignment: u64) -> Self {
        Self {
            kind: ValueKind::Scalar,
            ..Self::buffer(size, alignment)
        }
    }
}

/// A straight line of operations, which ends at a branch or a return.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The segment from which control comes; `None` for the root.
    pub parent: Option<SegmentId>,
    /// The operations of the segment.
    pub steps: Range<u32>,
    /// The segments to which control may go; none at a return.
    pub children: SmallVec<[SegmentId; 2]>,
    /// One past the last operation of all its descendants.
    pub end: u32,
}

/// A program in which every path from the root to a leaf is straight-line code. Segments are numbered in preorder.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The values, in the order of their definitions.
    pub values: Vec<Value>,
    /// The operation that defines each value.
    pub definitions: Vec<StepId>,
    /// The segments; the first one is the root.
    pub segments: Vec<Segment>,
    uses: Lists,
    defines: Lists,
}

/// Lists of values, stored one after the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    ends: Vec<u32>,
    entries: Vec<ValueId>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = ValueId>) {
        self.entries.extend(list);
        self.ends.push(self.entries.len() as u32);
    }

    fn at(&self, index: usize) -> &[ValueId] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[index] as usize]
    }
}

impl Tree {
    /// The number of operations.
    pub const fn len(&self) -> usize {
        self.uses.ends.len()
    }

    /// Whether there are no operations.
    pub const fn is_empty(&self) -> bool {
        self.uses.ends.is_empty()
    }

    /// The values that an operation reads or writes, each once.
    pub fn uses(&self, step: StepId) -> &[ValueId] {
        self.uses.at(step.index())
    }

    /// The values that an operation defines.
    pub fn defines(&self, step: StepId) -> &[ValueId] {
        self.defines.at(step.index())
    }

    /// The segments without children: each is the end of one path.
    pub fn leaves(&self) -> impl Iterator<Item = SegmentId> {
        let all = self.segments.iter().enumerate();
        all.filter(|(_, segment)| segment.children.is_empty())
            .map(|(index, _)| SegmentId::new(index))
    }

    /// The strictest alignment of the values, 1 without any. Values of size zero count too: their addresses are
    /// aligned.
    pub fn unit(&self) -> u64 {
        let alignments = self.values.iter().map(|value| value.alignment);
        alignments.max().unwrap_or(1)
    }

    /// The size of each value.
    pub fn sizes(&self) -> Vec<u64> {
        self.values.iter().map(|value| value.size).collect()
    }

    /// The size of each value, rounded up to [`unit`](Self::unit): what it takes in a layout with moves.
    pub fn rounded(&self) -> Vec<u64> {
        let unit = self.unit();
        let values = self.values.iter();
        values
            .map(|value| value.size.next_multiple_of(unit))
            .collect()
    }
}

/// Why a tree is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// A segment was opened out of preorder: its parent is closed.
    #[error("segment {} is not in preorder", at.0)]
    Order {
        /// The segment.
        at: SegmentId,
    },
    /// A value is used on a path that does not define it.
    #[error("operation {} uses a value that is not defined on its path", at.0)]
    Undefined {
        /// The operation.
        at: StepId,
    },
    /// An alignment is not a power of two.
    #[error("an alignment of {alignment} is not a power of two")]
    Alignment {
        /// The alignment.
        alignment: u64,
    },
    /// The total size is too large for 64-bit arithmetic on addresses.
    #[error("the values together have more than 2^62 bytes")]
    Size,
}

/// Builds a tree, operation by operation in preorder.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    tree: Tree,
    /// The values that each name may stand for.
    names: Vec<SmallVec<[ValueId; 1]>>,
    error: Option<TreeError>,
    bytes: u64,
    /// For each value, the segment that defines it.
    segment_of: Vec<SegmentId>,
}

impl Builder {
    /// A builder of an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a new segment, a child of `parent`, which is `None` for the root. A parent comes before its children, and
    /// all descendants of a segment before its next sibling.
    pub fn open(&mut self, parent: Option<SegmentId>) -> SegmentId {
        let id = SegmentId::new(self.tree.segments.len());
        let is_open = match parent {
            None => id.0 == 0,
            // The parent is the last segment or one of its ancestors.
            Some(parent) => {
                id.0 > 0 && self.is_around(parent, SegmentId::new(id.index().wrapping_sub(1)))
            }
        };
        if !is_open {
            self.error.get_or_insert(TreeError::Order { at: id });
        } else if let Some(parent) = parent {
            self.tree.segments[parent.index()].children.push(id);
        }
        let at = self.tree.len() as u32;
        self.tree.segments.push(Segment {
            parent: parent.filter(|_| is_open),
            steps: at..at,
            children: SmallVec::new(),
            end: at,
        });
        id
    }

    fn is_around(&self, outer: SegmentId, inner: SegmentId) -> bool {
        let mut at = Some(inner);
        while let Some(segment) = at {
            if segment <= outer {
                return segment == outer;
            }
            at = self.tree.segments[segment.index()].parent;
        }
        false
    }

    /// Adds an operation to the segment opened last, or to a new root. Returns names for the values that it defines.
    pub fn step(
        &mut self,
        uses: &[NameId],
        defines: impl IntoIterator<Item = Value>,
    ) -> SmallVec<[NameId; 1]> {
        if self.tree.segments.is_empty() {
            self.open(None);
        }
        let step = StepId::new(self.tree.len());
        let segment = SegmentId::new(self.tree.segments.len() - 1);
        let mut used: SmallVec<[ValueId; 8]> = SmallVec::new();
        for name in uses {
            used.extend_from_slice(&self.names[name.index()]);
        }
        used.sort_unstable();
        used.dedup();
        for value in &used {
            if !self.is_around(self.segment_of[value.index()], segment) {
                self.error.get_or_insert(TreeError::Undefined { at: step });
            }
        }
        self.tree.uses.push(used);
        let mut defined = SmallVec::new();
        let first = self.tree.values.len();
        for value in defines {
            if !value.alignment.is_power_of_two() {
                let alignment = value.alignment;
                self.error.get_or_insert(TreeError::Alignment { alignment });
            }
            let id = ValueId::new(self.tree.values.len());
            self.bytes = self
                .bytes
                .saturating_add(value.size)
                .saturating_add(value.alignment);
            self.tree.values.push(value);
            self.tree.definitions.push(step);
            self.segment_of.push(segment);
            defined.push(NameId::new(self.names.len()));
            self.names.push(SmallVec::from_buf([id]));
        }
        let last = self.tree.values.len();
        self.tree.defines.push((first..last).map(ValueId::new));
        self.tree.segments[segment.index()].steps.end = step.0 + 1;
        defined
    }

    /// A name that may stand for any one of `of`: all of them are live as long as it is used.
    pub fn alias(&mut self, of: &[NameId]) -> NameId {
        let mut values: SmallVec<[ValueId; 1]> = SmallVec::new();
        for name in of {
            values.extend_from_slice(&self.names[name.index()]);
        }
        values.sort_unstable();
        values.dedup();
        self.names.push(values);
        NameId::new(self.names.len() - 1)
    }

    /// The values that a name may stand for.
    pub fn values(&self, name: NameId) -> &[ValueId] {
        &self.names[name.index()]
    }

    /// Pins a value: it must stay where it is placed.
    pub fn pin(&mut self, value: ValueId) {
        self.tree.values[value.index()].pinned = true;
    }

    /// Completes the tree.
    ///
    /// # Errors
    ///
    /// The first error that the calls before ran into, or a total size that is too large.
    pub fn finish(mut self) -> Result<Tree, TreeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        // Rounding up adds at most the strictest alignment to each value.
        let unit = self.tree.unit();
        let rounded = (self.tree.values.len() as u64).checked_mul(unit);
        let all = rounded.and_then(|rounded| rounded.checked_add(self.bytes));
        if all.is_none_or(|all| all > 1 << 62) {
            return Err(TreeError::Size);
        }
        for index in (0..self.tree.segments.len()).rev() {
            let segment = &self.tree.segments[index];
            let own = segment.steps.end;
            let last = segment.children.last();
            let end = last.map_or(own, |child| self.tree.segments[child.index()].end);
            self.tree.segments[index].end = end.max(own);
        }
        Ok(self.tree)
    }
}
