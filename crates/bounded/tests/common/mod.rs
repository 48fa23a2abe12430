//! Random trees.

use memplan_bounded::{Builder, NameId, SegmentId, Tree, Value};
use proptest::prelude::*;

/// The choices for a random operation.
#[derive(Clone, Debug)]
struct Op {
    uses: Vec<prop::sample::Index>,
    sizes: Vec<(u64, u32, bool)>,
    /// Also define an alias of all its operands.
    alias: bool,
}

fn ops(sizes: &'static [u64], length: usize, pins: bool) -> impl Strategy<Value = Vec<Op>> {
    let value = (
        prop::sample::select(sizes),
        0_u32..3,
        prop::bool::weighted(if pins { 0.2 } else { 0.0 }),
    );
    let op = (
        prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        prop::collection::vec(value, 0..3),
        prop::bool::weighted(0.15),
    );
    let op = op.prop_map(|(uses, sizes, alias)| Op { uses, sizes, alias });
    prop::collection::vec(op, 0..length)
}

/// Builds a tree of segments, each a child of one that is open. The first number says how many open ones are closed
/// before.
fn build(lines: &[(usize, Vec<Op>)]) -> Tree {
    let mut program = Builder::new();
    let mut open: Vec<(SegmentId, usize)> = Vec::new();
    let mut names: Vec<NameId> = Vec::new();
    for (closed, ops) in lines {
        for _ in 0..*closed {
            if open.len() > 1 {
                open.pop();
            }
        }
        names.truncate(open.last().map_or(0, |(_, names)| *names));
        let segment = program.open(open.last().map(|(segment, _)| *segment));
        for op in ops {
            let uses: Vec<NameId> = match names.as_slice() {
                [] => Vec::new(),
                names => op
                    .uses
                    .iter()
                    .map(|at| names[at.index(names.len())])
                    .collect(),
            };
            let defined = op.sizes.iter().map(|(size, log, pinned)| Value {
                pinned: *pinned,
                ..Value::buffer(*size, 1 << log)
            });
            let defined = program.step(&uses, defined);
            names.extend(defined);
            if op.alias && !uses.is_empty() {
                names.push(program.alias(&uses));
            }
        }
        open.push((segment, names.len()));
    }
    program.finish().expect("defined in order")
}

fn of(sizes: &'static [u64], pins: bool) -> impl Strategy<Value = Tree> {
    let lines = prop::collection::vec((0_usize..3, ops(sizes, 9, pins)), 1..8);
    lines.prop_map(|lines| build(&lines))
}

pub fn trees() -> impl Strategy<Value = Tree> {
    of(&[0, 1, 3, 4, 8, 12, 16, 40], false)
}

pub fn trees_of(sizes: &'static [u64]) -> impl Strategy<Value = Tree> {
    of(sizes, false)
}

pub fn trees_with_pins() -> impl Strategy<Value = Tree> {
    of(&[0, 4, 8, 16, 24], true)
}

/// A single segment with few values of few sizes.
pub fn small() -> impl Strategy<Value = Tree> {
    let line = ops(&[4, 8, 12], 6, false).prop_map(|mut ops| {
        for op in &mut ops {
            op.sizes.truncate(1);
            for (_, log, _) in &mut op.sizes {
                *log = 2;
            }
        }
        vec![(0, ops)]
    });
    line.prop_map(|lines| build(&lines))
}
