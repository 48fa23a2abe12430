//! Deallocations of what a chain touches.

use super::super::read::{BlockReading, Free};
use memplan_mlir::{
    ir::{erase, next_in_block},
    values::move_before,
};
use memplan_strips::{
    chain::Spread,
    program::{BufferId, Role},
};

/// The deallocations of a block's own buffers, while its chains are written, the last one first.
pub struct Frees<'c> {
    all: Vec<Free<'c>>,
}

impl<'c> Frees<'c> {
    /// Those of a block.
    pub fn of(reading: &BlockReading<'c>) -> Self {
        Self {
            all: reading.frees.clone(),
        }
    }

    /// Before a chain becomes a loop: what lies between its operations is not there any more, and all else that they use
    /// stays until the loop has ended. Returns whether the program frees what lies between: then strips are freed, too.
    pub fn settle(&mut self, reading: &BlockReading<'c>, spread: &Spread) -> bool {
        let is_between = |buffer: BufferId| {
            let place = spread.place(buffer);
            place.is_some_and(|place| spread.buffers[place].role == Role::Between)
        };
        let count = self.all.len();
        self.all.retain(|free| {
            let stays = !is_between(free.buffer);
            if !stays {
                erase(free.op);
            }
            stays
        });
        let inside = spread.nodes.start + 1..spread.nodes.end;
        let after = next_in_block(reading.ops[spread.nodes.end - 1]);
        for free in self.all.iter().filter(|free| inside.contains(&free.at)) {
            if let Some(after) = after {
                move_before(free.op, after);
            }
        }
        self.all.len() < count
    }

    /// One buffer is in the memory of another, which it needs longer: the memory is freed where it is.
    pub fn join(&mut self, from: BufferId, into: BufferId) {
        self.all.retain(|free| {
            let stays = free.buffer != from;
            if !stays {
                erase(free.op);
            }
            stays
        });
        for free in self.all.iter_mut().filter(|free| free.buffer == into) {
            free.buffer = from;
        }
    }
}
