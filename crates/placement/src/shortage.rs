//! Proves that nothing fits: the bytes that must be in a space at one position are more than it has.

use crate::problem::{Buffer, Problem, Space, SpaceSet};

/// A position at which a space has too few bytes, whatever the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The space, by index.
    pub space: usize,
    /// The position.
    pub position: u32,
    /// The bytes that must be there.
    pub bytes: u64,
    /// The bytes that it has.
    pub capacity: u64,
    /// The buffers that must be there, ascending.
    pub buffers: Vec<usize>,
}

/// Whether a buffer must be in a space during a layer.
fn is_bound(buffer: &Buffer, layer: usize, space: usize) -> bool {
    match layer % 2 {
        0 => buffer.touches[layer / 2].spaces == SpaceSet::one(space),
        _ => {
            let gap = &buffer.gaps[layer / 2];
            gap.spaces == SpaceSet::one(space) && !gap.is_dead && gap.again.is_none()
        }
    }
}

/// For each space with too few bytes, the position that needs most.
#[must_use]
pub fn shortages(problem: &Problem) -> Vec<Shortage> {
    let limited = |(index, space): (usize, &Space)| Some((index, space.capacity?));
    let spaces = problem.spaces.iter().enumerate().filter_map(limited);
    spaces
        .filter_map(|(space, capacity)| shortage(problem, space, capacity))
        .collect()
}

fn shortage(problem: &Problem, space: usize, capacity: u64) -> Option<Shortage> {
    let mut changes: Vec<(u32, i128)> = Vec::new();
    let mut add = |range: &(u32, u32), bytes: u64| {
        if range.0 < range.1 {
            changes.extend([(range.0, i128::from(bytes)), (range.1, -i128::from(bytes))]);
        }
    };
    for fixed in problem.fixed.iter().filter(|fixed| fixed.space == space) {
        add(&fixed.range, fixed.bytes);
    }
    let bound = |buffer: &Buffer, layer| is_bound(buffer, layer, space);
    for buffer in &problem.buffers {
        for layer in (0..buffer.layers()).filter(|layer| bound(buffer, *layer)) {
            buffer
                .ranges(layer)
                .iter()
                .for_each(|range| add(range, buffer.size));
        }
    }
    // What ends at a position goes before what starts there.
    changes.sort_unstable();
    let (mut now, mut most, mut at) = (0, i128::from(capacity), None);
    for (position, bytes) in changes {
        now += bytes;
        if now > most {
            (most, at) = (now, Some(position));
        }
    }
    let position = at?;
    let is_there = |buffer: &Buffer| {
        (0..buffer.layers()).any(|layer| {
            let mut ranges = buffer.ranges(layer).iter();
            bound(buffer, layer) && ranges.any(|range| range.0 <= position && position < range.1)
        })
    };
    let buffers = problem.buffers.iter().enumerate();
    Some(Shortage {
        space,
        position,
        bytes: u64::try_from(most).unwrap_or(u64::MAX),
        capacity,
        buffers: buffers
            .filter(|(_, buffer)| is_there(buffer))
            .map(|(index, _)| index)
            .collect(),
    })
}
