//! Whole buffers in one space for life.

use crate::{
    plan::{Plan, Sequence},
    problem::{Buffer, Problem, SpaceSet, Touch},
};

/// The problem in which each buffer is in one space for life; `None` if one cannot be.
pub fn problem(problem: &Problem) -> Option<Problem> {
    let whole = Problem {
        buffers: problem.buffers.iter().map(whole).collect(),
        ..problem.clone()
    };
    let mut all = whole.buffers.iter();
    all.all(|buffer| !buffer.touches[0].spaces.is_empty())
        .then_some(whole)
}

/// A plan of that problem as one of the problem with gaps.
pub fn plan(problem: &Problem, whole: &Plan) -> Plan {
    let pairs = problem.buffers.iter().zip(&whole.sequences);
    let sequences = pairs.map(|(buffer, sequence)| {
        let holding = sequence.holdings[0];
        let is_dead = |layer: usize| layer % 2 == 1 && buffer.gaps[layer / 2].is_dead;
        let held = (0..buffer.layers()).map(|layer| match is_dead(layer) {
            true => SpaceSet::NONE,
            false => holding,
        });
        Sequence {
            holdings: held.collect(),
        }
    });
    Plan {
        sequences: sequences.collect(),
        cost: whole.cost,
    }
}

/// A buffer whose touches are one.
fn whole(buffer: &Buffer) -> Buffer {
    let gaps = buffer.gaps.iter().filter(|gap| !gap.is_dead);
    let touches = buffer.touches.iter();
    let all = touches
        .clone()
        .flat_map(|touch| touch.ranges.iter().copied());
    let all = all.chain(gaps.clone().flat_map(|gap| gap.ranges.iter().copied()));
    let spaces = touches.clone().map(|touch| touch.spaces);
    let spaces = spaces.chain(gaps.map(|gap| gap.spaces));
    Buffer {
        touches: vec![Touch {
            ranges: all.collect(),
            reads: total(touches.clone().map(|touch| touch.reads)),
            writes: total(touches.map(|touch| touch.writes)),
            spaces: SpaceSet(spaces.fold(u16::MAX, |all, one| all & one.0)),
        }],
        gaps: Vec::new(),
        ..buffer.clone()
    }
}

/// Numbers of bytes that are as large as can be counted stay so.
fn total(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(0, u64::saturating_add)
}
