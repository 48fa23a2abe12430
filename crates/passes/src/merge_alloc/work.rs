//! The work on one function.

use super::{
    MergeAlloc,
    annotate::{self, Originals},
    arena_placement::{ArenaPlacement, StackScope},
    banks::{self, BankLayouts, BankRequest},
    capacity, codes,
    decide::{self, Request},
    decide_error::DecideError,
    describe,
    dynamic::{self, Beside, PlanOptions, SizeOps, decide::Slots},
    excluded::ExcludedAddresses,
    given::{self, PlanOfRun},
    loop_carried,
    materialize::{self, GlobalArena},
    memory_needs::Bytes,
    nested_arenas::{CALLEE, NestedArena},
    plan::Plan,
    settings::Settings,
    size_bounds,
    spill::{self, Moved},
    write::{self, Written},
    write_plan::{ArenaAllocation, WritePlan},
};
use crate::memory_spaces::per_space::PerSpace;
use crate::{
    codes::{INTERNAL, NEEDS_MODULE},
    collector::{Collector, program_of},
    counts::Counts,
    failure::{fail, fail_as},
};
use memplan_lifetimes::{
    Analysis, Callees, Reason, analyse_with_options,
    program::{BufferId, ScopeId},
};
use memplan_mlir::{
    ir::{Identity, Key, Op, Type, Val, context_of, symbol_name},
    layout::{DataLayout, memory_space},
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols::{self, FreshNames},
};
use memplan_planner::Options;
use memplan_semantics::{
    Readings, Semantics,
    loops::{Iterations, parallel_iterations},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// State that the work on all functions of a run shares.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    pub settings: &'w Settings,
    pub callees: &'w dyn Callees,
    /// Analyses of the functions.
    pub readings: &'w Readings,
    /// Numbers of merged allocations, arenas, and skipped allocations.
    pub counts: &'w Counts<3>,
    pub collector: &'w Collector,
    /// The plan of the option `plan`.
    pub plan: Option<&'w PlanOfRun<'w>>,
}

/// Interface between a function and its module.
pub trait Surroundings<'c> {
    /// Arenas of callees to be placed in the function's, and their types.
    fn guests(&self, analysis: &Analysis<'c>) -> (Vec<NestedArena>, Vec<Type<'c>>);
    /// For each scope of the function, the bytes that callees of its calls need.
    fn callee_needs(&self, analysis: &Analysis<'c>) -> FxHashMap<ScopeId, Bytes>;
    /// Whether the callee of a call needs no memory but the arenas that it receives.
    fn allocates_nothing(&self, call: Op<'c>) -> bool;
    /// The most operations that may compute an arena of dynamic size in an argument; `None` if callers cannot pass one.
    fn most_size_ops(&self) -> Option<SizeOps>;
    /// The addresses of the function's own arenas that are excluded, if that is not as the option says.
    fn forbidden(&self, home: ArenaPlacement) -> Option<&ExcludedAddresses>;
    /// Whether the function's own arena may be in a global.
    fn allow_global(&self) -> Result<(), Failed>;
    /// Whether an allocation is the arena of a callee.
    fn is_for_callee(&self, allocation: Key) -> bool;
    /// What is annotated where the module is a copy that is analysed only.
    fn originals(&self) -> Originals<'_, 'c>;
    /// Names for globals.
    fn names(&mut self) -> &mut FreshNames;
}

/// Result for a function.
pub struct Done<'c> {
    /// Its analysis.
    pub analysis: Analysis<'c>,
    /// Its plan.
    pub plan: Plan,
    /// The type of each arena.
    pub types: Vec<Type<'c>>,
    /// How each arena was created.
    pub places: Vec<ArenaAllocation>,
    /// The arenas in globals.
    pub globals: Vec<GlobalArena<'c>>,
    /// For each arena, its bytes, if they are computed.
    pub sizes: Vec<Option<Val<'c>>>,
}

impl Work<'_> {
    /// Plans a function on which the pass is scheduled.
    pub fn alone(&self, function: Op<'_>) -> Result<(), Failed> {
        let home = ArenaPlacement::wanted(function, self.settings.arena)?;
        let needs_module = if home.needs_module() {
            Some(format!("arena={}", home.name()))
        } else {
            self.settings.needs_module().map(str::to_string)
        };
        if let Some(option) = needs_module {
            let message = format!(
                "{option} concerns more than one function: schedule the pass on builtin.module"
            );
            return Err(fail_as::<MergeAlloc>(function, NEEDS_MODULE, message));
        }
        self.in_module(function)
    }

    /// Plans a function of a module in which no function passes an arena to another.
    pub fn in_module(&self, function: Op<'_>) -> Result<(), Failed> {
        let home = ArenaPlacement::wanted(function, self.settings.arena)?;
        self.function(function, home, None).map(|_| ())
    }

    /// Plans one function.
    pub fn function<'c>(
        &self,
        function: Op<'c>,
        home: ArenaPlacement,
        surroundings: Option<&mut dyn Surroundings<'c>>,
    ) -> Result<Done<'c>, Failed> {
        self.readings.with(function, |semantics| {
            self.read(function, semantics, home, surroundings)
        })
    }

    fn read<'c>(
        &self,
        function: Op<'c>,
        semantics: &mut Semantics,
        home: ArenaPlacement,
        mut surroundings: Option<&mut dyn Surroundings<'c>>,
    ) -> Result<Done<'c>, Failed> {
        let settings = self.settings;
        let mut analysis: Analysis<'c> =
            analyse_with_options(function, semantics, self.callees, &settings.wanted);
        loop_carried::leave(&mut analysis);
        let left = match self.plan {
            Some(plan) => plan.left(function, &analysis),
            None => given::left(&analysis),
        };
        if !left.is_empty() {
            let left = left.into_iter().map(|buffer| (buffer, Reason::RaisesHeap));
            analysis.skip(left);
        }
        if let Some(surroundings) = &surroundings {
            let calls = analysis.program.calls.iter_mut();
            for (call, op) in calls.zip(&analysis.handles.calls) {
                if surroundings.allocates_nothing(*op) {
                    call.heap = 0;
                }
            }
        }
        let (guests, types) = match &surroundings {
            Some(surroundings) => surroundings.guests(&analysis),
            None => Default::default(),
        };
        let widest = widest_arena(function);
        if let Some(widest) = widest {
            let own = analysis.plannable.iter().map(|one| one.buffer);
            let is_larger =
                |buffer: &BufferId| analysis.program.buffers[buffer.index()].size > widest;
            let larger: Vec<_> = own
                .filter(is_larger)
                .map(|buffer| (buffer, Reason::NarrowIndex))
                .collect();
            analysis.skip(larger);
        }
        let hoisted_loops = self.hoisted_loops(&analysis, semantics);
        // Slots follow the static part only in an arena that is allocated, and that is not needed before the
        // first buffer of both.
        let most_size_ops = surroundings.as_ref().and_then(|all| all.most_size_ops());
        let (slots, sources) = dynamic::plan(
            &mut analysis,
            |analysis, scope| {
                let hoisted = |inner: &ScopeId| {
                    let outer = analysis.program.scopes[inner.index()].outer;
                    *inner == scope || outer.is_some_and(|outer| outer.scope == scope)
                };
                let is_hoisted = hoisted_loops.keys().any(hoisted);
                let is_apart = guests.iter().any(|guest| guest.scope == scope) || is_hoisted;
                match (home.of_scope(analysis, scope), most_size_ops) {
                    _ if !settings.spill.is_empty() => Beside::Nothing,
                    (ArenaPlacement::Alloc, _) if !is_apart => Beside::Static,
                    // Places of iterations are verified in an arena of static size.
                    (ArenaPlacement::Argument, Some(most)) if !is_hoisted => {
                        let mut calls = analysis.program.calls.iter();
                        let is_all =
                            analysis.skipped.is_empty() && calls.all(|call| call.heap == 0);
                        match most.takes_all && !is_all {
                            true => Beside::Nothing,
                            false => Beside::Argument(most),
                        }
                    }
                    _ => Beside::Nothing,
                }
            },
            &|op| {
                let all = surroundings.as_ref();
                all.is_some_and(|all| all.is_for_callee(op.key()))
            },
            &PlanOptions {
                planner: settings.planner,
                options: Options::default().with_effort(settings.effort),
                least_alignment: settings.most_alignment(),
                in_place: settings.in_place,
                mixes: settings.spill.is_empty() && settings.capacity.is_empty(),
            },
        );
        let given = match self.plan {
            Some(plan) => plan.given(function, &analysis, &slots, settings.alignment)?,
            None => given::read(&analysis, settings.alignment)?,
        };
        let is_free = given.slices.is_empty() && given.spaces.is_empty();
        let mut moved: Moved<'c> = spill::given(&analysis, &given.spaces, semantics)?;
        let forbidden = surroundings.as_ref().and_then(|all| all.forbidden(home));
        let forbidden = forbidden.unwrap_or(&settings.forbidden);
        // Its callers place its arenas.
        let is_placed_by_callers =
            home == ArenaPlacement::Argument && symbols::is_private(function);
        let rules = banks::read::read(
            function,
            &analysis,
            &banks::read::ArenaBanks {
                layouts: &settings.banks,
                is_placed_by_callers,
                moved: &given.spaces,
            },
        )?;
        let mut request = Request {
            planner: settings.planner,
            options: Options::default().with_effort(settings.effort),
            least_alignment: settings.alignment,
            alignments: settings.alignments.clone(),
            in_place: settings.in_place,
            guests,
            moved: given.spaces.clone(),
            given,
            trip_counts: hoisted_loops
                .iter()
                .map(|(scope, (_, count))| (*scope, *count))
                .collect(),
            capacity: settings.capacity.clone(),
            forbidden: match is_placed_by_callers {
                true => PerSpace::default(),
                false => forbidden.clone(),
            },
            banks: BankRequest {
                layouts: match is_placed_by_callers {
                    true => BankLayouts::default(),
                    false => settings.banks.clone(),
                },
                rules,
            },
            callee_needs: surroundings
                .as_ref()
                .map(|surroundings| surroundings.callee_needs(&analysis))
                .unwrap_or_default(),
            loops_run: settings.loops_run,
            is_passed: home == ArenaPlacement::Argument,
            arena_limit: settings.arena_limit.into_iter().chain(widest).min(),
            // What is given, or moved to another memory space, is planned.
            leaves_larger: settings.leaves_larger
                && settings.spill.is_empty()
                && self.plan.is_none()
                && is_free,
            in_one: self.in_one(&analysis, home, &slots),
            slots,
        };
        // Each attempt moves a buffer to a memory space in which it was not yet.
        let mut paths = spill::Paths::default();
        let mut plan = loop {
            match decide::decide(&analysis, &request) {
                Ok(plan) => break plan,
                Err(error) => {
                    let given = &request.given;
                    let moves = (&mut moved, &mut paths);
                    if !spill::choose(&analysis, &error, settings, given, moves, semantics) {
                        return Err(explain(function, &analysis, &error, &request, settings));
                    }
                    request.moved = memory_spaces(&moved);
                }
            }
        };
        spill::move_back(
            &analysis,
            settings,
            (&mut moved, &paths),
            semantics,
            |fewer| {
                request.moved = memory_spaces(fewer);
                let found = decide::decide(&analysis, &request).ok();
                let fits = found.is_some();
                plan = found.unwrap_or(std::mem::take(&mut plan));
                fits
            },
        );
        plan.leave(&mut analysis);
        if let Some(given) = self.plan {
            given.has_arenas(function, &plan)?;
        }
        spill::tell(&analysis, &moved);
        let places = self.places(
            function,
            &analysis,
            &plan,
            home,
            &hoisted_loops,
            semantics,
            &mut surroundings,
        )?;
        banks::unknown::warn(function, &analysis, &plan, &settings.banks);
        describe::remarks(function, &analysis, &plan, settings.remarks);
        if self.collector.is_open() {
            let is_for_callee = |op: Op<'_>| {
                let all = surroundings.as_ref();
                all.is_some_and(|all| all.is_for_callee(op.key()))
            };
            let arena_of = |op: Op<'_>| match is_for_callee(op) {
                true => CALLEE,
                false => "",
            };
            let mut report = describe::report(
                function,
                &analysis,
                &plan,
                &places,
                (&request.forbidden, &request.banks),
                &arena_of,
            );
            report.program = program_of(self.readings, function);
            let times = self.readings.times(function);
            self.collector.add_counted(function, report, times);
        }
        let made = places
            .iter()
            .filter(|place| !matches!(place, ArenaAllocation::Around(_)));
        self.counts.add([
            analysis.plannable.len() as u64,
            made.count() as u64,
            analysis.skipped.len() as u64,
        ]);
        let orders = WritePlan {
            places,
            guests: types,
            moved,
            sources,
            banks: request.banks,
            free: settings.free,
            // Callers of a private function are known.
            asserts_sizes: settings.asserts_sizes && !symbols::is_private(function),
        };
        let internal = |error| fail_as::<MergeAlloc>(function, INTERNAL, error);
        let types = materialize::arena_types(&analysis, &plan, &orders).map_err(internal)?;
        let mut written = Written::default();
        let originals = surroundings.as_ref().map(|all| all.originals());
        if settings.analyse_only {
            let originals = originals.unwrap_or(Originals::Same);
            annotate::annotate(&analysis, &plan, &orders, &originals, function);
        }
        if !settings.analyse_only || originals.is_some() {
            written = write::write(&analysis, &plan, &orders, &types).map_err(internal)?;
            let mut planned = analysis.plannable.iter();
            if settings.asserts_bounds
                && planned.any(|one| analysis.program.buffers[one.buffer.index()].is_bounded)
            {
                size_bounds::assert(function).map_err(internal)?;
            }
            given::forget(&analysis);
        }
        Ok(Done {
            analysis,
            plan,
            types,
            places: orders.places,
            globals: written.globals,
            sizes: written.sizes,
        })
    }

    /// Scopes with one arena for each memory space: all but those whose arenas are allocations of their own.
    fn in_one(
        &self,
        analysis: &Analysis<'_>,
        home: ArenaPlacement,
        slots: &[Slots],
    ) -> FxHashSet<ScopeId> {
        let scopes = (0..analysis.program.scopes.len()).map(ScopeId::new);
        let in_one = scopes.filter(|scope| {
            home.of_scope(analysis, *scope) != ArenaPlacement::Alloc
                || self.plan.is_some()
                || slots.iter().any(|slots| slots.scope == *scope)
        });
        in_one.collect()
    }

    /// Loops whose arenas are hoisted.
    fn hoisted_loops(
        &self,
        analysis: &Analysis<'_>,
        semantics: &mut Semantics,
    ) -> FxHashMap<ScopeId, (Vec<Iterations>, u64)> {
        let mut all = FxHashMap::default();
        if self.settings.hoist_parallel == 0 {
            return all;
        }
        for (index, scope) in analysis.program.scopes.iter().enumerate() {
            // Processors that a loop is mapped to may have separate memories.
            if scope.outer.is_some()
                && !analysis.handles.scopes[index].0.has_attribute("mapping")
                && let Some((dimensions, count)) =
                    parallel_iterations(analysis.handles.scopes[index].0, semantics)
                && count <= self.settings.hoist_parallel
            {
                all.insert(ScopeId::new(index), (dimensions, count));
            }
        }
        all
    }

    /// How each arena is created.
    #[allow(clippy::too_many_arguments)]
    fn places<'c>(
        &self,
        function: Op<'c>,
        analysis: &Analysis<'c>,
        plan: &Plan,
        home: ArenaPlacement,
        hoisted_loops: &FxHashMap<ScopeId, (Vec<Iterations>, u64)>,
        semantics: &mut Semantics,
        surroundings: &mut Option<&mut dyn Surroundings<'c>>,
    ) -> Result<Vec<ArenaAllocation>, Failed> {
        let mut places = Vec::with_capacity(plan.arenas.len());
        let mut on_stack: u64 = 0;
        for arena in &plan.arenas {
            if let (Some(_), Some((dimensions, _))) =
                (arena.hoisted, hoisted_loops.get(&arena.scope))
            {
                places.push(ArenaAllocation::Around(dimensions.clone()));
                continue;
            }
            if let Some(part) = &arena.dynamic {
                let is_given = part.is_given
                    && home.of_scope(analysis, arena.scope) == ArenaPlacement::Argument;
                places.push(match is_given {
                    true => ArenaAllocation::Argument,
                    false => ArenaAllocation::Alloc,
                });
                continue;
            }
            places.push(match home.of_scope(analysis, arena.scope) {
                ArenaPlacement::Alloc => ArenaAllocation::Alloc,
                ArenaPlacement::Argument => ArenaAllocation::Argument,
                ArenaPlacement::Alloca => {
                    on_stack = on_stack.saturating_add(arena.size);
                    let scope = StackScope::of(analysis, arena.scope, semantics);
                    let message = match scope {
                        StackScope::Function | StackScope::Wrapped => None,
                        StackScope::Impossible => Some(
                            "arena=alloca: the arena of a body of several blocks cannot be \
                             released in time",
                        ),
                        StackScope::Nowhere => Some(
                            "arena=alloca: the operation is not an AutomaticAllocationScope, so \
                             it cannot hold stack memory",
                        ),
                    };
                    if let Some(message) = message {
                        let owner = analysis.handles.scopes[arena.scope.index()].0;
                        return Err(fail(owner, codes::STACK_SCOPE, message));
                    }
                    ArenaAllocation::Alloca {
                        wrapped: scope == StackScope::Wrapped,
                    }
                }
                ArenaPlacement::Global => {
                    let Some(surroundings) = surroundings else {
                        let why = "an arena in a global, without a module";
                        return Err(fail_as::<MergeAlloc>(function, INTERNAL, why));
                    };
                    surroundings.allow_global()?;
                    let name = format!("{}_arena", symbol_name(function));
                    ArenaAllocation::Global(surroundings.names().fresh(function, &name))
                }
            });
        }
        if on_stack > self.settings.alloca_limit {
            let message = format!(
                "arena=alloca: the arenas take {on_stack} bytes of stack, more than \
                 alloca-limit={}",
                self.settings.alloca_limit
            );
            return Err(fail(function, codes::STACK_LIMIT, message));
        }
        Ok(places)
    }
}

/// The largest arena whose bytes have numbers that are not negative, where an index has fewer than 64 bits.
fn widest_arena(function: Op<'_>) -> Option<u64> {
    let index = context_of(function).index_type();
    let extent = DataLayout::at(function).scalar(index)?;
    (1..8)
        .contains(&extent.size)
        .then(|| (1 << (8 * extent.size - 1)) - 1)
}

/// The new memory spaces of buffers.
fn memory_spaces(moved: &Moved<'_>) -> FxHashMap<usize, String> {
    moved
        .iter()
        .map(|(at, to)| (*at, memory_space(*to)))
        .collect()
}

fn explain(
    function: Op<'_>,
    analysis: &Analysis<'_>,
    error: &DecideError,
    request: &Request,
    settings: &Settings,
) -> Failed {
    given::explain(function, analysis, error, &request.forbidden)
        .or_else(|| {
            banks::explain::explain(function, analysis, error, &request.banks.rules, settings)
        })
        .or_else(|| capacity::explain(function, analysis, error, settings))
        .unwrap_or_else(|| fail_as::<MergeAlloc>(function, error.code(), error))
}
