//! Random programs: operations on matrices of channels and rows.

use memplan_strips::{
    program::{Access, Buffer, BufferId, Linear, Loop, Node, NodeId, Origin, Program, ViewId},
    views::{Groups, Step, View},
};
use proptest::prelude::*;
use smallvec::{SmallVec, smallvec};

/// An operation. Its operands are chosen among the matrices that there are.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Each element from that of one or two matrices.
    Map { second: Option<usize> },
    /// Each row from `size` rows, `dilation` apart, of all channels; the next one from `stride` rows later.
    Convolve {
        size: i64,
        stride: i64,
        dilation: i64,
    },
    /// Each row from `size` rows of its channel.
    Pool { size: i64, stride: i64 },
    /// The rows between others.
    Pad { before: i64, after: i64 },
    /// The sum of all rows.
    Sum,
    /// Nothing: each element is only read.
    Assert,
    /// A matrix that there is, again.
    Overwrite { from: usize },
    /// The same, in groups of rows.
    Group { rows: i64 },
    /// Rows `stride` apart, between others.
    Scatter { stride: i64 },
    /// Two matrices at once, one of them with `before` rows that nobody writes.
    Both { before: i64 },
}

/// An operation, and which of the last matrices it reads.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub kind: Kind,
    pub from: usize,
}

/// Random operations.
pub fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let kind = prop_oneof![
        3 => proptest::option::of(0..4_usize).prop_map(|second| Kind::Map { second }),
        3 => (1..4_i64, 1..3_i64, 1..3_i64).prop_map(|(size, stride, dilation)| Kind::Convolve { size, stride, dilation }),
        2 => (1..4_i64, 1..3_i64).prop_map(|(size, stride)| Kind::Pool { size, stride }),
        2 => (0..3_i64, 0..3_i64).prop_map(|(before, after)| Kind::Pad { before, after }),
        1 => Just(Kind::Sum),
        1 => Just(Kind::Assert),
        3 => (0..3_usize).prop_map(|from| Kind::Overwrite { from }),
        1 => (2..4_i64).prop_map(|rows| Kind::Group { rows }),
        1 => (2..4_i64).prop_map(|stride| Kind::Scatter { stride }),
        1 => (0..3_i64).prop_map(|before| Kind::Both { before }),
    ];
    let choice = (kind, 0..3_usize).prop_map(|(kind, from)| Choice { kind, from });
    proptest::collection::vec(choice, 1..12)
}

/// Bytes of an element.
const ELEMENT: u64 = 4;
const CHANNELS: i64 = 3;

struct Writing {
    program: Program,
    /// Matrices that can be read.
    matrices: Vec<Matrix>,
}

/// A buffer, seen as channels and rows.
#[derive(Clone, Copy)]
struct Matrix {
    buffer: BufferId,
    view: ViewId,
    rows: i64,
}

/// A program of these operations on a matrix of so many rows.
pub fn program(choices: &[Choice], rows: i64) -> Program {
    let mut program = Program::default();
    program.views.push(View {
        steps: Vec::new(),
        is_whole: true,
    });
    let mut writing = Writing {
        program,
        matrices: Vec::new(),
    };
    let given = writing.buffer(Origin::Outside, &[CHANNELS, rows]);
    writing.add_matrix(given, rows);
    for choice in choices {
        writing.add(*choice);
    }
    let mut program = writing.program;
    // What nobody reads is a result.
    for at in 0..program.buffers.len() {
        let id = BufferId::new(at);
        let reads = |node: &NodeId| {
            let mut accesses = program.node(*node).accesses.iter();
            accesses.any(|access| access.buffer == id && access.reads && !access.writes)
        };
        let is_read = program.buffers[at].nodes.iter().any(reads);
        if !is_read && program.buffers[at].origin == Origin::Inside {
            program.buffers[at].origin = Origin::Result;
        }
    }
    program
}

/// Rows of a matrix.
fn part(first: i64, rows: i64, stride: i64) -> Step {
    Step::Part {
        offsets: smallvec![0, first],
        sizes: smallvec![CHANNELS, rows],
        strides: smallvec![1, stride],
        becomes: smallvec![Some(0), Some(1)],
    }
}

impl Writing {
    fn buffer(&mut self, origin: Origin, shape: &[i64]) -> BufferId {
        let id = BufferId::new(self.program.buffers.len());
        let same = |buffer: &Buffer| buffer.shape[..] == *shape;
        let known = self.program.buffers.iter().position(same);
        self.program.buffers.push(Buffer {
            origin,
            shape: SmallVec::from_slice(shape),
            element: ELEMENT,
            r#type: known.unwrap_or(id.index()) as u32,
            nodes: Vec::new(),
            writers: Vec::new(),
        });
        id
    }

    fn add_matrix(&mut self, buffer: BufferId, rows: i64) {
        let view = ViewId::new(0);
        self.matrices.push(Matrix { buffer, view, rows });
    }

    /// A view of a view.
    fn view(&mut self, of: ViewId, step: Step, is_whole: bool) -> ViewId {
        let mut view = self.program.views[of.index()].clone();
        view.steps.push(step);
        view.is_whole &= is_whole;
        self.program.views.push(view);
        ViewId::new(self.program.views.len() - 1)
    }

    fn matrix(&self, from: usize, rows: Option<i64>) -> Option<Matrix> {
        let fits = |matrix: &&Matrix| rows.is_none_or(|rows| matrix.rows == rows);
        let mut all = self.matrices.iter().rev().filter(fits);
        let count = all.clone().count();
        all.nth(from % count.max(1)).copied()
    }

    fn node(
        &mut self,
        loops: &[(i64, bool)],
        accesses: &[(BufferId, ViewId, Vec<Linear>, [bool; 2])],
    ) {
        let accesses: SmallVec<[Access; 3]> = accesses
            .iter()
            .map(|(buffer, view, indices, [reads, writes])| Access {
                buffer: *buffer,
                view: *view,
                indices: indices.iter().cloned().collect(),
                reads: *reads,
                writes: *writes,
                moved: 4,
            })
            .collect();
        let loops = loops.iter().map(|(extent, is_parallel)| Loop {
            extent: *extent,
            is_parallel: *is_parallel,
        });
        self.program.add(Node {
            loops: loops.collect(),
            accesses,
            ..Node::default()
        });
    }

    fn add(&mut self, choice: Choice) {
        let Some(Matrix {
            buffer: from,
            view: seen_as,
            rows,
        }) = self.matrix(choice.from, None)
        else {
            return;
        };
        let whole = ViewId::new(0);
        let [channel, row] = [0, 1].map(Linear::of_loop);
        let own = vec![channel.clone(), row];
        let (read, write, both) = ([true, false], [false, true], [true, true]);
        match choice.kind {
            Kind::Map { second } => {
                let into = self.buffer(Origin::Inside, &[CHANNELS, rows]);
                let mut accesses = vec![(from, seen_as, own.clone(), read)];
                if let Some(second) = second.and_then(|second| self.matrix(second, Some(rows))) {
                    accesses.push((second.buffer, second.view, own.clone(), read));
                }
                accesses.push((into, whole, own, write));
                self.node(&[(CHANNELS, true), (rows, true)], &accesses);
                self.add_matrix(into, rows);
            }
            Kind::Convolve {
                size,
                stride,
                dilation,
            } => {
                let results = (rows - dilation * (size - 1) - 1).div_euclid(stride) + 1;
                if results < 1 {
                    return;
                }
                let into = self.buffer(Origin::Inside, &[CHANNELS, results]);
                // Of channel, row, channel that is read, offset.
                let seen = Linear {
                    terms: smallvec![(1, stride), (3, dilation)],
                    constant: 0,
                };
                let loops = [
                    (CHANNELS, true),
                    (results, true),
                    (CHANNELS, false),
                    (size, false),
                ];
                let start = [(CHANNELS, true), (results, true)];
                self.node(&start, &[(into, whole, own.clone(), write)]);
                self.node(
                    &loops,
                    &[
                        (from, seen_as, vec![Linear::of_loop(2), seen], read),
                        (into, whole, own, both),
                    ],
                );
                self.add_matrix(into, results);
            }
            Kind::Pool { size, stride } => {
                let results = (rows - size).div_euclid(stride) + 1;
                if results < 1 {
                    return;
                }
                let into = self.buffer(Origin::Inside, &[CHANNELS, results]);
                let seen = Linear {
                    terms: smallvec![(1, stride), (2, 1)],
                    constant: 0,
                };
                let start = [(CHANNELS, true), (results, true)];
                self.node(&start, &[(into, whole, own.clone(), write)]);
                self.node(
                    &[(CHANNELS, true), (results, true), (size, false)],
                    &[
                        (from, seen_as, vec![channel, seen], read),
                        (into, whole, own, both),
                    ],
                );
                self.add_matrix(into, results);
            }
            Kind::Pad { before, after } => {
                let all = rows + before + after;
                let into = self.buffer(Origin::Inside, &[CHANNELS, all]);
                let inside = self.view(whole, part(before, rows, 1), false);
                let fill = [(CHANNELS, true), (all, true)];
                self.node(&fill, &[(into, whole, own.clone(), write)]);
                self.node(
                    &[(CHANNELS, true), (rows, true)],
                    &[
                        (from, seen_as, own.clone(), read),
                        (into, inside, own, write),
                    ],
                );
                self.add_matrix(into, all);
            }
            Kind::Scatter { stride } => {
                let all = stride * (rows - 1) + 1;
                let into = self.buffer(Origin::Inside, &[CHANNELS, all]);
                let apart = self.view(whole, part(0, rows, stride), false);
                let fill = [(CHANNELS, true), (all, true)];
                self.node(&fill, &[(into, whole, own.clone(), write)]);
                self.node(
                    &[(CHANNELS, true), (rows, true)],
                    &[
                        (from, seen_as, own.clone(), read),
                        (into, apart, own, write),
                    ],
                );
                self.add_matrix(into, all);
            }
            Kind::Group { rows: size } => {
                if rows % size != 0 {
                    return;
                }
                let shape = [CHANNELS, rows / size, size];
                let groups = || Groups {
                    groups: smallvec![smallvec![0], smallvec![1, 2]],
                    shape: SmallVec::from_slice(&shape),
                };
                let into = self.buffer(Origin::Inside, &shape);
                let divided = self.view(seen_as, Step::Expand(groups()), true);
                let merged = self.view(whole, Step::Collapse(groups()), true);
                let each = (0..3).map(Linear::of_loop).collect::<Vec<_>>();
                self.node(
                    &shape.map(|size| (size, true)),
                    &[
                        (from, divided, each.clone(), read),
                        (into, whole, each, write),
                    ],
                );
                self.matrices.push(Matrix {
                    buffer: into,
                    view: merged,
                    rows,
                });
            }
            Kind::Both { before } => {
                let one = self.buffer(Origin::Inside, &[CHANNELS, rows]);
                let other = self.buffer(Origin::Inside, &[CHANNELS, rows + before]);
                let inside = self.view(whole, part(before, rows, 1), before == 0);
                self.node(
                    &[(CHANNELS, true), (rows, true)],
                    &[
                        (from, seen_as, own.clone(), read),
                        (one, whole, own.clone(), write),
                        (other, inside, own, write),
                    ],
                );
                self.add_matrix(one, rows);
                self.matrices.push(Matrix {
                    buffer: other,
                    view: inside,
                    rows,
                });
            }
            Kind::Overwrite { from: other } => {
                let Some(other) = self.matrix(other, Some(rows)) else {
                    return;
                };
                if self.program.buffer(other.buffer).origin == Origin::Outside {
                    return;
                }
                self.node(
                    &[(CHANNELS, true), (rows, true)],
                    &[
                        (from, seen_as, own.clone(), read),
                        (other.buffer, other.view, own, write),
                    ],
                );
            }
            Kind::Assert => {
                self.node(
                    &[(CHANNELS, true), (rows, true)],
                    &[(from, seen_as, own, read)],
                );
            }
            Kind::Sum => {
                let into = self.buffer(Origin::Inside, &[CHANNELS]);
                let sum = vec![channel];
                self.node(&[(CHANNELS, true)], &[(into, whole, sum.clone(), write)]);
                self.node(
                    &[(CHANNELS, true), (rows, false)],
                    &[(from, seen_as, own, read), (into, whole, sum, both)],
                );
            }
        }
    }
}
