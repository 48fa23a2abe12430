//! Checks a plan, position by position.

use crate::{plan::Plan, problem::Problem};
use thiserror::Error;

/// What is wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The plan is of another problem.
    #[error("the plan has {0} buffers")]
    Count(usize),
    /// A buffer cannot be held like this.
    #[error("buffer {0} cannot be held like this")]
    Sequence(usize),
    /// A space has too few bytes.
    #[error("space {space} holds {bytes} bytes at position {position}, of {capacity}")]
    Full {
        /// The space, by index.
        space: usize,
        /// The position.
        position: u32,
        /// The bytes that are there.
        bytes: u64,
        /// The bytes that it has.
        capacity: u64,
    },
    /// The cost is another one.
    #[error("the plan costs {0}")]
    Cost(u128),
}

/// Checks that a plan is one, that it keeps all limits, and that it costs what it says.
///
/// # Errors
///
/// The first fault.
pub fn check(problem: &Problem, plan: &Plan) -> Result<(), Fault> {
    if plan.sequences.len() != problem.buffers.len() {
        return Err(Fault::Count(plan.sequences.len()));
    }
    let mut cost = 0;
    let mut bytes = vec![vec![0_u64; problem.positions as usize]; problem.spaces.len()];
    for fixed in &problem.fixed {
        for at in fixed.range.0..fixed.range.1 {
            let held = &mut bytes[fixed.space][at as usize];
            *held = held.saturating_add(fixed.bytes);
        }
    }
    for (index, (buffer, sequence)) in problem.buffers.iter().zip(&plan.sequences).enumerate() {
        cost += sequence
            .cost(problem, buffer)
            .ok_or(Fault::Sequence(index))?;
        for (layer, holding) in sequence.holdings.iter().enumerate() {
            for space in holding.iter() {
                for (first, end) in buffer.ranges(layer) {
                    for at in *first..*end {
                        let held = &mut bytes[space][at as usize];
                        *held = held.saturating_add(buffer.size);
                    }
                }
            }
        }
    }
    for (space, held) in bytes.iter().enumerate() {
        let capacity = problem.spaces[space].capacity.unwrap_or(u64::MAX);
        if let Some(position) = held.iter().position(|bytes| *bytes > capacity) {
            return Err(Fault::Full {
                space,
                position: position as u32,
                bytes: held[position],
                capacity,
            });
        }
    }
    if cost == plan.cost {
        Ok(())
    } else {
        Err(Fault::Cost(cost))
    }
}
