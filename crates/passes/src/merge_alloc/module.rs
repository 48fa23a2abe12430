//! Functions that pass arenas to each other, and arenas in globals.
//!
//! Functions are planned callees first. The arena of a function that receives it as an argument is a nested
//! arena of each caller: a buffer of its size that is live at the call, planned together with the caller's
//! own. A caller that is planned before its callee (they are recursive), or that calls it where the order of
//! execution is unknown, allocates an arena around the call instead. One of dynamic size is allocated before the
//! call, and that allocation is planned ([`sized_callees`](super::sized_callees)).

use super::{
    MergeAlloc,
    annotate::Originals,
    arena_placement::{ARENA_IN, ArenaPlacement},
    arena_size::ArenaSize,
    codes,
    dynamic::SizeOps,
    excluded::ExcludedAddresses,
    materialize,
    memory_needs::{self, Bytes},
    nested_arenas::{NestedArena, NestedArenaKind},
    settings::Settings,
    shared::{self, Shared},
    size_function::{self, SizeOf},
    sized_callees::{Caller, Parameter, mark_remaining},
    state::AllState,
    work::{Done, Surroundings, Work},
    write_plan::ArenaAllocation,
};
use crate::memory_spaces::names::short_space;
use crate::{
    codes::{INTERNAL, NAME_TAKEN},
    failure::{fail, fail_as},
};
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_mlir::{
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, Type, Val, symbol_name},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols::{self, FreshNames},
};
use memplan_semantics::Semantics;
use memplan_semantics::attributes::{BUFFER, SLICE_ALIGNMENT};
use memplan_summaries::{CallGraph, Overlap, Overlaps, ReEntry, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Whether functions have to be planned together.
pub fn concerns(functions: &[Op<'_>], settings: &Settings) -> bool {
    settings.needs_module().is_some()
        || !settings.capacity.is_empty()
        || !settings.forbidden.is_empty()
        || !settings.banks.is_empty()
        || functions.iter().any(|function| {
            // An invalid value is reported where the function is planned.
            symbols::text(*function, ARENA_IN)
                .and_then(|text| ArenaPlacement::of(&text))
                .is_some_and(ArenaPlacement::needs_module)
        })
}

/// Largest number of operations that callers of a function compute its arena's size by, all together. Beyond that, what
/// is of dynamic size stays in the function.
const MOST_COPIED: usize = 1 << 14;

/// Largest number of operations that compute the sizes of buffers in such an arena. Some of them are arenas of callees
/// in turn, so that the number may double from callee to caller.
const MOST_FOLLOWED: usize = 256;

/// Plans all functions of a module.
pub fn run<'c>(
    root: Op<'c>,
    functions: Vec<Op<'c>>,
    work: &Work<'_>,
    originals: &Originals<'_, 'c>,
) -> Result<(), Failed> {
    let mut module = Module {
        originals,
        graph: CallGraph::of(root, functions),
        overlaps: OnceCell::new(),
        parameters: Vec::new(),
        needs: Vec::new(),
        allocates_nothing: Vec::new(),
        call_counts: Vec::new(),
        fresh: FreshNames::default(),
        around: Vec::new(),
        has_one_arena: work.settings.shares,
        sharing: Vec::new(),
        shared: Vec::new(),
        state: AllState::default(),
    };
    if work.settings.state_in_arena {
        module.state = AllState::of(root, &module.graph.functions, work.settings)?;
    }
    // Before the module changes.
    module.graph.references();
    module.parameters = vec![None; module.graph.functions.len()];
    module.needs = vec![Bytes::default(); module.graph.functions.len()];
    module.allocates_nothing = vec![false; module.graph.functions.len()];
    module.call_counts = vec![0; module.graph.functions.len()];
    for call in module.graph.calls.iter().flatten() {
        if let Target::Function(callee) = call.target {
            module.call_counts[callee] += 1;
        }
    }
    let mut failed = false;
    for function in module.graph.order.clone() {
        failed |= module.function(function, work).is_err();
    }
    if failed {
        return Err(Failed);
    }
    shared::check(&module.graph, &module.sharing)?;
    if work.settings.analyse_only {
        module.state.annotate(originals);
        return Ok(());
    }
    let state = std::mem::take(&mut module.state);
    let alignment = work.settings.alignment;
    shared::unite(
        &module.graph,
        &module.shared,
        state,
        alignment,
        &mut module.fresh,
    )?;
    for (caller, call, callee) in std::mem::take(&mut module.around) {
        let parameters = module.parameters[callee].clone().unwrap_or_default();
        let function = module.graph.functions[caller];
        let is_sized = Parameter::are_sized(&parameters);
        let passed = match Caller::new(function).filter(|_| is_sized) {
            Some(mut caller) => caller
                .allocate(call, callee, &parameters, work.settings.free)
                .map(|()| mark_remaining(call, &parameters, work.settings.free)),
            None => around(call, &parameters, work.settings.free),
        };
        passed.map_err(|error| fail_as::<MergeAlloc>(function, INTERNAL, error))?;
    }
    Ok(())
}

struct Module<'m, 'c> {
    /// What is annotated, if the plan is not written.
    originals: &'m Originals<'m, 'c>,
    graph: CallGraph<'c>,
    /// Needed for arenas in globals only.
    overlaps: OnceCell<Overlaps<'c>>,
    /// For each planned function, the arenas that it receives.
    parameters: Vec<Option<Vec<Parameter<'c>>>>,
    /// For each planned function, the bytes that it needs beside what it receives.
    needs: Vec<Bytes>,
    /// For each planned function, whether all of its memory and that of its callees is in arenas that it receives.
    allocates_nothing: Vec<bool>,
    /// For each function, the number of calls of it in the module.
    call_counts: Vec<usize>,
    fresh: FreshNames,
    /// Calls around which an arena is allocated: caller, call, callee.
    around: Vec<(usize, Op<'c>, usize)>,
    /// Whether public functions have one arena in a global.
    has_one_arena: bool,
    /// Those that do.
    sharing: Vec<usize>,
    /// Their arenas in globals.
    shared: Shared<'c>,
    /// The state in these.
    state: AllState<'c>,
}

/// Calls that pass arenas of dynamic size.
#[derive(Default)]
struct SizedCalls<'c> {
    /// Each with its callee.
    calls: Vec<(Op<'c>, usize)>,
    /// The allocations of these arenas.
    allocations: FxHashSet<Key>,
}

/// The module, as seen from one function.
struct Seen<'m, 'a, 'c> {
    module: &'m mut Module<'a, 'c>,
    function: usize,
    /// Where arenas are, unless a function says otherwise.
    arena: ArenaPlacement,
    /// Allocations that are arenas of callees.
    for_callees: &'m FxHashSet<Key>,
}

impl<'c> Module<'_, 'c> {
    fn function(&mut self, index: usize, work: &Work<'_>) -> Result<(), Failed> {
        let function = self.graph.functions[index];
        let home = self.home(index, work.settings)?;
        let sized = self.allocate_sized(index, work)?;
        let mut seen = Seen {
            module: self,
            function: index,
            arena: work.settings.arena,
            for_callees: &sized.allocations,
        };
        let done = work.function(function, home, Some(&mut seen))?;
        for (call, callee) in &sized.calls {
            let parameters = self.parameters[*callee].as_deref().unwrap_or_default();
            mark_remaining(*call, parameters, work.settings.free);
        }
        let is_global = |place: &ArenaAllocation| matches!(place, ArenaAllocation::Global(_));
        if self.shares(index, home) && done.places.iter().any(is_global) {
            self.sharing.push(index);
            let arenas = done.globals.iter().map(|arena| (index, *arena));
            self.shared.extend(arenas);
        }
        let parameters = parameters(&done);
        let is_passed = done.analysis.skipped.is_empty()
            && done.analysis.program.scopes.len() == 1
            && done
                .places
                .iter()
                .all(|place| *place == ArenaAllocation::Argument);
        let mut calls = done.analysis.program.calls.iter();
        self.allocates_nothing[index] = is_passed && calls.all(|call| call.heap == 0);
        if !parameters.is_empty() && !symbols::is_private(function) {
            self.tell_size(function, &parameters)?;
        }
        self.parameters[index] = Some(parameters);
        self.needs[index] = done.plan.needs.whole(ScopeId::new(0));
        let passed: FxHashSet<usize> = done
            .plan
            .guests
            .iter()
            .filter_map(|guest| match guest.what {
                NestedArenaKind::Callee { call, .. } => Some(call),
                NestedArenaKind::Bodies { .. } => None,
            })
            .collect();
        let passed = passed
            .into_iter()
            .map(|call| done.analysis.handles.calls[call]);
        let passed: Vec<Op<'c>> = passed
            .chain(sized.calls.into_iter().map(|(call, _)| call))
            .collect();
        self.defer(index, &passed);
        Ok(())
    }

    /// Allocates the arenas of dynamic size that callees receive, to be planned.
    fn allocate_sized(&self, caller: usize, work: &Work<'_>) -> Result<SizedCalls<'c>, Failed> {
        let mut sized = SizedCalls::default();
        let function = self.graph.functions[caller];
        let mut allocates = None;
        for call in &self.graph.calls[caller] {
            let Target::Function(callee) = call.target else {
                continue;
            };
            let parameters = self.parameters[callee].as_deref().unwrap_or_default();
            if !Parameter::are_sized(parameters) {
                continue;
            }
            if allocates.is_none() {
                work.readings.forget(function);
                allocates = Caller::new(function);
            }
            if let Some(caller) = &mut allocates {
                caller
                    .allocate(call.op, callee, parameters, work.settings.free)
                    .map_err(|error| fail_as::<MergeAlloc>(function, INTERNAL, error))?;
                sized.calls.push((call.op, callee));
            }
        }
        sized.allocations = allocates.map_or_else(Default::default, |caller| caller.allocations);
        Ok(sized)
    }

    /// Whether the arenas of a function that are in globals are those of all entry points.
    fn shares(&self, index: usize, home: ArenaPlacement) -> bool {
        let is_global = home == ArenaPlacement::Global;
        is_global && self.has_one_arena && !symbols::is_private(self.graph.functions[index])
    }

    /// Records the calls without a slice: they receive an arena of their own after all callees are planned.
    fn defer(&mut self, caller: usize, passed: &[Op<'c>]) {
        use memplan_mlir::ir::Identity;
        let passed: FxHashSet<_> = passed.iter().map(Identity::key).collect();
        for call in &self.graph.calls[caller] {
            if let Target::Function(callee) = call.target
                && !passed.contains(&call.op.key())
            {
                self.around.push((caller, call.op, callee));
            }
        }
    }

    /// Placement of the function's own arenas.
    fn home(&self, index: usize, settings: &Settings) -> Result<ArenaPlacement, Failed> {
        let function = self.graph.functions[index];
        // Callers of other kinds of functions cannot pass an arena.
        let is_extendable = Semantics::default().table_facts(function).is_extendable;
        let explicit = function.has_attribute(ARENA_IN);
        let home = ArenaPlacement::wanted(function, settings.arena)?;
        if !is_extendable {
            return Ok(if home.needs_module() {
                ArenaPlacement::Alloc
            } else {
                home
            });
        }
        let taken = self.graph.referrer(index);
        if home == ArenaPlacement::Argument
            && let Some(by) = taken
        {
            Diagnostic::new(
                codes::OWN_ARENA,
                function.location(),
                "keeps its own arena: it is referred to other than by func.call, so its \
                 arguments cannot change",
            )
            .note(by.location(), "referred to here")
            .emit();
            return Ok(ArenaPlacement::Alloc);
        }
        if settings.module_scope
            && !explicit
            && symbols::is_private(function)
            && taken.is_none()
            && !self.graph.recursive[index]
        {
            return Ok(ArenaPlacement::Argument);
        }
        Ok(home)
    }

    /// Creates `@NAME_arena_size(…) -> (index, index)`, which returns size and alignment in bytes, and
    /// `@NAME_arena_size_SPACE` for other memory spaces.
    fn tell_size(&mut self, function: Op<'c>, parameters: &[Parameter<'c>]) -> Result<(), Failed> {
        for parameter in parameters {
            let mut name = format!("{}_arena_size", symbol_name(function));
            let space = memory_space(parameter.r#type);
            let space = short_space(&space);
            if !space.is_empty() {
                name.push('_');
                name.extend(
                    space
                        .chars()
                        .filter(|letter| letter.is_ascii_alphanumeric()),
                );
            }
            if !self.fresh.take(function, &name) {
                let message = format!("arena=arg: the name @{name} is taken");
                return Err(fail(function, NAME_TAKEN, message));
            }
            if let Some(builder) = Builder::before(function, function.location()) {
                let bytes = parameter
                    .computed
                    .as_ref()
                    .map_or(SizeOf::Constant(parameter.size), SizeOf::Computed);
                size_function::write(&builder, &name, bytes, parameter.alignment)
                    .map_err(|error| fail_as::<MergeAlloc>(function, INTERNAL, error))?;
            }
        }
        Ok(())
    }
}

/// The arenas that a function receives, in the order of its arguments.
fn parameters<'c>(done: &Done<'c>) -> Vec<Parameter<'c>> {
    let arenas = done.plan.arenas.iter().zip(&done.places).zip(&done.types);
    let sizes = done.sizes.iter().copied().chain(std::iter::repeat(None));
    // Arguments were created in the order of the scopes, and all of these are of one scope.
    arenas
        .zip(sizes)
        .filter(|(((_, place), _), _)| **place == ArenaAllocation::Argument)
        .map(|(((arena, _), r#type), computed)| Parameter {
            r#type: *r#type,
            size: arena.size,
            alignment: arena.alignment,
            computed: computed.map(ArenaSize::of),
        })
        .collect()
}

impl<'c> Surroundings<'c> for Seen<'_, '_, 'c> {
    fn guests(&self, analysis: &Analysis<'c>) -> (Vec<NestedArena>, Vec<Type<'c>>) {
        let (mut guests, mut types) = (Vec::new(), Vec::new());
        let calls = analysis.program.calls.iter().zip(&analysis.handles.calls);
        for (call, (fact, op)) in calls.enumerate() {
            let Target::Function(callee) = self.module.graph.target(*op) else {
                continue;
            };
            let Some(parameters) = &self.module.parameters[callee] else {
                continue;
            };
            // What is allocated before the call is a buffer already.
            if !fact.in_order || Parameter::are_sized(parameters) {
                continue;
            }
            for (number, parameter) in parameters.iter().enumerate() {
                guests.push(NestedArena {
                    what: NestedArenaKind::Callee { call, number },
                    scope: fact.scope,
                    memory_space: memory_space(parameter.r#type),
                    size: parameter.size,
                    alignment: parameter.alignment,
                    live: std::iter::once((fact.position, fact.position + 1)).collect(),
                    is_of_iteration: false,
                });
                types.push(parameter.r#type);
            }
        }
        (guests, types)
    }

    fn callee_needs(&self, analysis: &Analysis<'c>) -> FxHashMap<ScopeId, Bytes> {
        let mut needs: FxHashMap<ScopeId, Bytes> = FxHashMap::default();
        for (fact, op) in analysis.program.calls.iter().zip(&analysis.handles.calls) {
            if let Target::Function(callee) = self.module.graph.target(*op) {
                let known = needs.entry(fact.scope).or_default();
                memory_needs::merge(known, &self.module.needs[callee]);
            }
        }
        needs
    }

    fn allocates_nothing(&self, call: Op<'c>) -> bool {
        let callee = self.module.graph.target(call).function();
        callee.is_some_and(|callee| self.module.allocates_nothing[callee])
    }

    fn most_size_ops(&self) -> Option<SizeOps> {
        // What is static in the arena would be on the heap with the rest, and not on the stack or in a global.
        let keeps_static = |caller: &usize| {
            let caller = self.module.graph.functions[*caller];
            let wanted = ArenaPlacement::likely(caller, self.arena);
            matches!(wanted, ArenaPlacement::Alloca | ArenaPlacement::Global)
        };
        let mut callers = self.module.graph.callers[self.function].iter();
        match self.module.call_counts[self.function] {
            0 => Some(SizeOps::ANY),
            _ if callers.any(keeps_static) => None,
            calls => Some(SizeOps {
                sizes: MOST_FOLLOWED,
                all: MOST_COPIED / calls,
                takes_all: {
                    let own = self.module.graph.functions[self.function];
                    ArenaPlacement::likely(own, self.arena) != ArenaPlacement::Argument
                },
            }),
        }
    }

    fn forbidden(&self, home: ArenaPlacement) -> Option<&ExcludedAddresses> {
        let shares = self.module.shares(self.function, home);
        let function = self.module.graph.functions[self.function];
        shares.then(|| self.module.state.forbidden(function))?
    }

    fn allow_global(&self) -> Result<(), Failed> {
        let Module {
            graph, overlaps, ..
        } = &*self.module;
        let overlaps = overlaps.get_or_init(|| Overlaps::of(graph));
        let Some(overlap) = overlaps.why(graph, self.function) else {
            return Ok(());
        };
        let function = graph.functions[self.function];
        let error = Diagnostic::new(
            codes::GLOBAL_SHARED,
            function.location(),
            format!(
                "arena=global: two activations of the function would share its arena: {overlap}"
            ),
        );
        let call = overlap.call();
        match overlap {
            Overlap::ReEntry { unknown, .. } if unknown.key() != call.key() => error
                .note(call.location(), "called here")
                .note(unknown.location(), "unknown code may run here"),
            Overlap::ReEntry {
                code: ReEntry::Operation,
                ..
            } => error.note(call.location(), "unknown code may run here"),
            _ => error.note(call.location(), "called here"),
        }
        .emit();
        Err(Failed)
    }

    fn is_for_callee(&self, allocation: Key) -> bool {
        self.for_callees.contains(&allocation)
    }

    fn originals(&self) -> Originals<'_, 'c> {
        *self.module.originals
    }

    fn names(&mut self) -> &mut FreshNames {
        &mut self.module.fresh
    }
}

/// Allocates the arenas of a callee before a call, and frees them after it.
fn around<'c>(call: Op<'c>, parameters: &[Parameter<'c>], free: bool) -> Result<(), BuildError> {
    let before = Builder::before(call, call.location()).ok_or_else(BuildError::unexpected)?;
    let after = Builder::after(call, call.location()).ok_or_else(BuildError::unexpected)?;
    let mut values: Vec<Val<'c>> = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let op = materialize::allocate(&before, parameter.r#type, parameter.alignment, free)?;
        let bytes = materialize::result(op);
        let attributes = [
            (BUFFER, before.integer_attribute(0)),
            (
                SLICE_ALIGNMENT,
                before.integer_attribute(parameter.alignment as i64),
            ),
        ];
        values.push(before.view(bytes, before.index(0)?, parameter.r#type, &attributes)?);
        if free {
            build::mark(after.dealloc(bytes)?, MANUAL_DEALLOCATION);
        }
    }
    if !values.is_empty() {
        symbols::append_operands(call, &values);
    }
    Ok(())
}
