//! What keeps the peak of a function, in words.

use super::read::BlockReading;
use crate::load::Load;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    ir::{Block, parent, parent_block, type_of},
    melior::ir::{Location, operation::OperationLike},
    names::name_of,
};
use memplan_strips::search;
use rustc_hash::FxHashSet;

/// What keeps the peak of a function.
#[derive(Clone, Debug)]
pub struct Obstacle<'c> {
    /// The location of the operation at the peak.
    pub location: Location<'c>,
    /// The bytes that are held there.
    pub bytes: u64,
    /// The name of the operation.
    operation: String,
    /// Why it stays.
    reason: String,
    is_exhausted: bool,
    has_slow: bool,
}

impl<'c> Obstacle<'c> {
    /// The peak of a function, if that is in none of the blocks that are split.
    pub fn unread(analysis: &Analysis<'c>, read: &[Block<'c>]) -> Option<Self> {
        let peak = Load::of(analysis, &FxHashSet::default()).peak();
        let ops = &analysis.handles.ops;
        let next = ops.partition_point(|(position, _)| *position <= peak.at);
        let (_, op) = ops[next.checked_sub(1)?];
        let block = parent_block(op)?;
        let around = parent(op).filter(|_| !read.contains(&block))?;
        Some(Self {
            location: op.location(),
            bytes: u64::try_from(peak.bytes).ok()?,
            operation: name_of(op),
            reason: format!("nothing is split in the body of {}", name_of(around)),
            is_exhausted: false,
            has_slow: false,
        })
    }

    /// That of a block around which so many bytes are held; `None` if a buffer has no value there.
    pub fn of(
        reading: &BlockReading<'c>,
        obstacle: &search::Obstacle,
        around: u64,
    ) -> Option<Self> {
        let op = reading.ops[obstacle.node.index()];
        let reason = match &obstacle.kept {
            None => "strips of the buffers there hold as much".to_owned(),
            Some(kept) => {
                let buffer = reading.program.buffer(kept.buffer);
                let value = reading.buffers[kept.buffer.index()]?;
                let refusals = kept.refusals.iter().map(ToString::to_string);
                let refusals: Vec<String> = refusals.collect();
                let (ty, bytes) = (type_of(value), buffer.bytes());
                format!(
                    "a buffer of {bytes} bytes ({ty}) stays whole: {}",
                    refusals.join("; or ")
                )
            }
        };
        Some(Self {
            location: op.location(),
            bytes: obstacle.bytes.saturating_add(around),
            operation: name_of(op),
            reason,
            is_exhausted: obstacle.is_exhausted,
            has_slow: obstacle.has_slow,
        })
    }

    /// In words.
    pub fn text(&self) -> String {
        let Self {
            bytes,
            operation,
            reason,
            ..
        } = self;
        let end = match (self.is_exhausted, self.has_slow) {
            (true, _) => "; the search took all steps of its `effort`",
            (_, true) => "; strips that hold less take too long by the model of `strip-cost`",
            _ => "",
        };
        format!("{bytes} bytes are held at {operation}, and {reason}{end}")
    }
}
