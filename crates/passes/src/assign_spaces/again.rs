//! Buffers whose contents may be discarded between two uses, as they can be computed again.
//!
//! What is repeated reads only memory that is there anyway, such as arguments and constants: no buffer is held for it. It costs
//! the bytes that it reads and writes, and each innermost iteration as much as a byte of the space that is read at the least
//! cost: so fills, casts, broadcasts and other elementwise operations are repeated, and products of matrices are not.

use super::{
    accesses::{self, Access},
    settings::Settings,
};
use crate::{
    late_uses::BufferUses,
    recompute::{self, Repeated},
};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    ir::{Identity, results, type_of},
    layout::{DataLayout, memory_space},
};
use memplan_placement::{Again, Gap, SpaceSet, Touch};
use memplan_semantics::Semantics;

/// Finds what can be computed again.
pub struct Finder<'f, 'a, 'c> {
    pub uses: &'f recompute::Reading<'a, 'c>,
    pub semantics: &'f mut Semantics,
    pub layout: &'f DataLayout,
    pub settings: &'f Settings,
}

impl Finder<'_, '_, '_> {
    /// Says for each gap of a buffer what it takes to compute the contents again, and how that is done.
    pub fn fill(
        &mut self,
        buffer: BufferId,
        local: &BufferUses<'_>,
        touches: &[Touch],
        gaps: &mut [Gap],
    ) -> Vec<Option<Repeated>> {
        let all = gaps.iter_mut().enumerate().map(|(number, gap)| {
            if gap.is_dead || gap.ranges.is_empty() {
                return None;
            }
            let (again, repeated) = self.before(buffer, (local, number), (touches, gap.spaces))?;
            gap.again = Some(again);
            Some(repeated)
        });
        all.collect()
    }

    /// What it takes to compute a buffer again before the touch after a gap, in any of these spaces.
    fn before(
        &mut self,
        buffer: BufferId,
        (local, gap): (&BufferUses<'_>, usize),
        (touches, spaces): (&[Touch], SpaceSet),
    ) -> Option<(Again, Repeated)> {
        // After a write, there would be nothing to compute again but the only use: another order does the same.
        if local.touches[gap].writes {
            return None;
        }
        let before = local.touches[gap + 1].step;
        let all = self
            .uses
            .repetitions(buffer, local, before, self.semantics)
            .ok()?;
        let mut all = all.into_iter();
        let one = all.find(|one| one.held.is_empty() && one.buffers.len() == 1)?;
        let touch = |step: u32| {
            let place = local
                .touches
                .binary_search_by_key(&step, |touch| touch.step);
            place.ok().map(|place| &touches[place])
        };
        let analysis = self.uses.analysis;
        let own = results(analysis.handles.buffers[buffer.index()]).next()?;
        let iteration = self
            .settings
            .spaces
            .iter()
            .map(|space| space.read.0)
            .min()?;
        let mut again = Again {
            cost: one.iterations.saturating_mul(iteration),
            ..Again::default()
        };
        for (step, _) in &one.steps {
            let touch = touch(*step).filter(|touch| touch.spaces == spaces)?;
            again.reads = again.reads.saturating_add(touch.reads);
            again.writes = again.writes.saturating_add(touch.writes);
            let op = self.uses.blocks.all[one.block].steps[*step as usize].op;
            let (settings, cost) = (self.settings, &mut again.cost);
            accesses::of_operation(op, self.layout, self.semantics, &mut |base, access| {
                if base.key() != own.key() {
                    let space = settings.index(&memory_space(type_of(base)));
                    *cost = cost.saturating_add(bytes_cost(settings, space, access));
                }
            });
        }
        Some((again, one))
    }
}

/// What bytes in a space cost. One that is not described costs one unit for each.
pub fn bytes_cost(settings: &Settings, space: Option<usize>, access: Access) -> u64 {
    let (read, write) = match space {
        Some(space) => (
            settings.spaces[space].read.0,
            settings.spaces[space].write.0,
        ),
        None => (1000, 1000),
    };
    let reads = access.reads.saturating_mul(read);
    reads.saturating_add(access.writes.saturating_mul(write))
}
