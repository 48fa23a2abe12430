//! Reads a function as a placement problem: its buffers with their touches and gaps, and what else is in the spaces.

use super::{
    accesses::{self, Access, Used},
    again::Finder,
    around::Around,
    settings::Settings,
};
use crate::{
    coalescing,
    late_uses::{BufferUses, Handed},
    memory_spaces::uses::executions,
    merge_alloc::{MemoryNeeds, unplanned, unplanned_bytes},
    recompute::{self, Repeated},
};
use memplan_lifetimes::{Analysis, live::contains, program::ScopeId};
use memplan_mlir::{
    ir::{Identity, Op, ancestor_in, results, type_of},
    layout::{DataLayout, memory_space},
};
use memplan_placement::{Buffer, Fixed, Gap, Plan, Problem, Range, SpaceSet, Touch};
use memplan_semantics::{Semantics, attributes::is_placed};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// A function.
pub struct Reading<'a, 'c> {
    pub analysis: &'a Analysis<'c>,
    /// Its blocks, the uses of buffers, and how they are computed again.
    pub uses: recompute::Reading<'a, 'c>,
    pub problem: Problem,
    /// What each buffer of the problem is.
    pub sources: Vec<Source<'c>>,
    /// Positions from here on are those of buffers that nothing touches.
    pub end: u32,
}

/// A buffer of the problem.
pub struct Source<'c> {
    /// Its allocation.
    pub alloc: Op<'c>,
    /// Its space, by index.
    pub space: usize,
    /// Its uses in the block that allocates it, if they are separate touches.
    pub uses: Option<BufferUses<'c>>,
    /// For each gap, how the contents are computed again, if the problem says what that takes.
    pub again: Vec<Option<Repeated>>,
}

impl<'a, 'c> Reading<'a, 'c> {
    /// Reads a function. With `in_place`, a buffer whose bytes another one takes over does not count at that operation: that
    /// holds if both are in one space.
    pub fn of(
        analysis: &'a Analysis<'c>,
        semantics: &mut Semantics,
        settings: &Settings,
        around: &Around,
        in_place: bool,
    ) -> Self {
        let uses = recompute::Reading::of(analysis, semantics, settings.how.alignment);
        let handed = Handed::of(analysis, &uses.places, in_place);
        let mut reading = Self {
            analysis,
            uses,
            problem: Problem {
                spaces: settings
                    .spaces
                    .iter()
                    .map(|space| memplan_placement::Space {
                        capacity: space.limit,
                        read: space.read.0,
                        write: space.write.0,
                    })
                    .collect(),
                positions: 0,
                buffers: Vec::new(),
                fixed: Vec::new(),
            },
            sources: Vec::new(),
            end: 0,
        };
        let layout = analysis.handles.function.map(DataLayout::at);
        for place in 0..analysis.plannable.len() {
            reading.buffer(place, &handed, (semantics, layout.as_ref()), settings);
        }
        reading.add_fixed(settings);
        reading.add_bodies(around, settings);
        let buffers = reading.problem.buffers.iter();
        let ranges = buffers.flat_map(|buffer| {
            (0..buffer.layers()).flat_map(|layer| buffer.ranges(layer).iter().copied())
        });
        let fixed = reading.problem.fixed.iter().map(|fixed| fixed.range);
        let end = ranges.chain(fixed).map(|range| range.1).max();
        reading.end = end.unwrap_or(0);
        reading.add_untouched();
        reading.add_around(around, settings);
        reading
    }

    /// The same plan, where a buffer whose contents are dead in a gap is one allocation if it comes back to the same space.
    pub fn without_breaks(&self, mut plan: Plan) -> Plan {
        for (sequence, buffer) in plan.sequences.iter_mut().zip(&self.problem.buffers) {
            for (number, gap) in buffer.gaps.iter().enumerate() {
                let layer = 2 * number + 1;
                let same = sequence.holdings[layer - 1].and(sequence.holdings[layer + 1]);
                if gap.is_dead && sequence.holdings[layer].is_empty() {
                    sequence.holdings[layer] = same;
                }
            }
        }
        plan
    }

    /// Adds a buffer that is planned.
    fn buffer(
        &mut self,
        place: usize,
        handed: &Handed,
        (semantics, layout): (&mut Semantics, Option<&DataLayout>),
        settings: &Settings,
    ) {
        let analysis = self.analysis;
        let plannable = &analysis.plannable[place];
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let alloc = analysis.handles.buffers[plannable.buffer.index()];
        let Some(result) = results(alloc).next() else {
            return;
        };
        let space = settings.index(&memory_space(type_of(result)));
        let (Some(space), None, true) = (space, fact.dynamic, fact.scope == ScopeId::new(0)) else {
            return;
        };
        let size = coalescing::bytes(analysis, place, settings.how.alignment);
        // Another buffer whose bytes begin where these end is the same memory there.
        let trim = |range: Range| match range.1.checked_sub(1) {
            Some(last) if range.0 <= last && handed.ends_at(plannable.buffer, last) => {
                (range.0, last)
            }
            _ => range,
        };
        let uses = self.uses.uses[place].as_ref().ok();
        let uses = uses
            .filter(|uses| uses.is_local && !uses.touches.is_empty() && !is_placed(alloc))
            .cloned();
        let accesses = accesses::of(alloc, fact.size, semantics);
        let layers = uses.as_ref().and_then(|uses| {
            let steps = self.by_step(uses, accesses.as_ref()?)?;
            Some(self.layers(place, uses, &steps, (space, settings)))
        });
        let mut again = Vec::new();
        let buffer = match layers {
            Some((touches, mut gaps)) => {
                if let (Some(local), Some(layout)) = (&uses, layout) {
                    let mut finder = Finder {
                        uses: &self.uses,
                        semantics,
                        layout,
                        settings,
                    };
                    again = finder.fill(plannable.buffer, local, &touches, &mut gaps);
                }
                let trimmed = touches.into_iter().map(|touch| Touch {
                    ranges: touch.ranges.iter().map(|range| trim(*range)).collect(),
                    ..touch
                });
                Buffer {
                    size,
                    copied: fact.size.saturating_mul(executions(alloc, semantics)),
                    touches: trimmed.collect(),
                    gaps,
                }
            }
            None => {
                let all = accesses.iter().flatten();
                let mut whole = all.fold(Access::default(), |all, one| all.and(one.access));
                whole.any_space &=
                    accesses.is_some() && plannable.carried.is_empty() && !is_placed(alloc);
                Buffer {
                    size,
                    copied: fact.size,
                    touches: vec![Touch {
                        ranges: plannable.live.iter().map(|range| trim(*range)).collect(),
                        reads: whole.reads,
                        writes: whole.writes,
                        spaces: match whole.any_space {
                            true => settings.allowed(space),
                            false => SpaceSet::one(space),
                        },
                    }],
                    gaps: Vec::new(),
                }
            }
        };
        let is_split = buffer.touches.len() > 1;
        self.problem.buffers.push(buffer);
        self.sources.push(Source {
            alloc,
            space,
            uses: uses.filter(|_| is_split),
            again,
        });
    }

    /// What each touching step does to a buffer.
    fn by_step(
        &self,
        local: &BufferUses<'c>,
        accesses: &[Used<'c>],
    ) -> Option<FxHashMap<u32, Access>> {
        let block = self.uses.blocks.all[local.block].block;
        let mut found: FxHashMap<u32, Access> = FxHashMap::default();
        for one in accesses {
            let step = ancestor_in(one.user, block)?;
            let step = *self.uses.blocks.step_of.get(&step.key())?;
            let access = found.entry(step).or_default();
            *access = access.and(one.access);
        }
        Some(found)
    }

    /// The touches of a buffer and the gaps between them.
    fn layers(
        &self,
        place: usize,
        local: &BufferUses<'c>,
        accesses: &FxHashMap<u32, Access>,
        (space, settings): (usize, &Settings),
    ) -> (Vec<Touch>, Vec<Gap>) {
        let live = &self.analysis.plannable[place].live;
        let steps = &self.uses.blocks.all[local.block].steps;
        let allowed = settings.allowed(space);
        let touch = |step: u32| {
            let own = &steps[step as usize];
            let access = accesses.get(&step).copied().unwrap_or_default();
            Touch {
                ranges: smallvec![(own.start, own.end + 1)],
                reads: access.reads,
                writes: access.writes,
                spaces: match access.any_space {
                    true => allowed,
                    false => SpaceSet::one(space),
                },
            }
        };
        let touches: Vec<Touch> = local.touches.iter().map(|one| touch(one.step)).collect();
        let gaps = local.touches.windows(2).map(|pair| {
            let first = steps[pair[0].step as usize].end + 1;
            let end = steps[pair[1].step as usize].start;
            let is_dead = pair[1].overwrites || (first < end && !contains(live, first));
            let ranges: SmallVec<[Range; 1]> = match is_dead || first >= end {
                true => smallvec![],
                false => smallvec![(first, end)],
            };
            Gap {
                ranges,
                spaces: allowed,
                is_dead,
                again: None,
            }
        });
        let gaps = gaps.collect();
        (touches, gaps)
    }

    /// Gives each buffer that nothing touches a position of its own: it is in the arena, which is as large as it is.
    fn add_untouched(&mut self) {
        let mut end = self.end;
        for buffer in &mut self.problem.buffers {
            if let ([touch], true) = (&mut buffer.touches[..], buffer.size > 0)
                && touch.ranges.is_empty()
            {
                touch.ranges = smallvec![(end, end + 1)];
                end += 1;
            }
        }
        self.problem.positions = end;
    }

    /// Adds what is in the spaces anyway: allocations in no arena.
    fn add_fixed(&mut self, settings: &Settings) {
        for (printed, first, end, bytes) in unplanned(self.analysis, ScopeId::new(0)) {
            if let Some(space) = settings.index(&printed) {
                let range = (first, end);
                self.problem.fixed.push(Fixed {
                    space,
                    range,
                    bytes,
                });
            }
        }
    }

    /// Adds what is in parallel bodies: their arenas, and callees there. Not all of that is there at once.
    fn add_bodies(&mut self, around: &Around, settings: &Settings) {
        let scopes = &self.analysis.program.scopes;
        let mut needs = MemoryNeeds::new(scopes.len(), &around.callees(self.analysis));
        for inner in coalescing::spaces(self.analysis, settings.how.alignment) {
            if inner.scope != ScopeId::new(0) {
                let bytes = inner.load(self.analysis);
                needs.add(inner.scope, &inner.memory_space, bytes);
            }
        }
        // From the inside out.
        for scope in (1..scopes.len()).rev().map(ScopeId::new) {
            needs.set_beside(scope, unplanned_bytes(self.analysis, scope));
            needs.close(&self.analysis.program, scope);
            let outer = scopes[scope.index()].outer.as_ref();
            let Some(outer) = outer.filter(|outer| outer.scope == ScopeId::new(0)) else {
                continue;
            };
            let whole = needs.whole(scope);
            let mut whole: Vec<(&String, &u64)> = whole.iter().collect();
            whole.sort_unstable();
            for (printed, bytes) in whole {
                if let (Some(space), 1..) = (settings.index(printed), *bytes) {
                    self.problem.fixed.push(Fixed {
                        space,
                        range: (outer.span.0, outer.span.1 + 1),
                        bytes: *bytes,
                    });
                }
            }
        }
    }

    /// Adds what callers and callees need. Arenas are there for life, so that what callees of the function itself need counts
    /// everywhere, but in parallel bodies: these do not run at the same time.
    fn add_around(&mut self, around: &Around, settings: &Settings) {
        let positions = self.problem.positions;
        for (space, bytes) in around.callers.iter().enumerate() {
            if *bytes > 0 {
                self.problem.fixed.push(Fixed {
                    space,
                    range: (0, positions),
                    bytes: *bytes,
                });
            }
        }
        let callees = around.callees(self.analysis);
        let Some(needs) = callees.get(&ScopeId::new(0)) else {
            return;
        };
        let scopes = self.analysis.program.scopes.iter();
        let outer = scopes.filter_map(|scope| scope.outer.as_ref());
        let bodies = outer.filter(|outer| outer.scope == ScopeId::new(0));
        let mut bodies: Vec<Range> = bodies.map(|one| (one.span.0, one.span.1 + 1)).collect();
        bodies.sort_unstable();
        let (mut ranges, mut at): (Vec<Range>, u32) = (Vec::new(), 0);
        for (first, end) in bodies.into_iter().chain([(positions, positions)]) {
            if at < first {
                ranges.push((at, first));
            }
            at = at.max(end);
        }
        let mut needs: Vec<(&String, &u64)> = needs.iter().collect();
        needs.sort_unstable();
        for (printed, bytes) in needs {
            let Some(space) = settings.index(printed).filter(|_| *bytes > 0) else {
                continue;
            };
            let fixed = ranges.iter().map(|range| Fixed {
                space,
                range: *range,
                bytes: *bytes,
            });
            self.problem.fixed.extend(fixed);
        }
    }
}
