//! Decides which arguments are free, and which buffers live in them.

use crate::{
    coalescing::PackingOptions,
    hosts::{self, Host},
    last_uses::LastUses,
    shapes::Shapes,
};
use memplan_lifetimes::{
    Analysis, Callees,
    callers_memory::{self, CallersMemory},
    live::Since,
    program::ValueId,
};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, Val, arguments, blocks, is_memref, type_of},
    layout::{element_count, has_identity_layout},
    symbols::{self, is_private},
};
use memplan_semantics::{
    Readings, Semantics,
    attributes::{self, LLVM_ALIGN, NOALIAS},
};
use memplan_summaries::CallGraph;
use rustc_hash::{FxHashMap, FxHashSet};

/// What changes in a function.
pub struct Change<'c> {
    pub function: Op<'c>,
    /// The numbers of arguments that are donated now.
    pub marks: Vec<usize>,
    pub guests: Vec<Guest<'c>>,
}

/// A buffer that lives in the memory of an argument.
pub struct Guest<'c> {
    pub alloc: Op<'c>,
    pub host: Val<'c>,
    /// The number of the argument.
    pub place: usize,
}

/// Decides on functions.
pub struct Decider<'a> {
    callees: &'a dyn Callees,
    readings: &'a Readings,
    how: PackingOptions,
}

/// The arguments of a function that are free after their last read, by number.
type Free = FxHashSet<usize>;

impl<'a> Decider<'a> {
    pub fn new(callees: &'a dyn Callees, readings: &'a Readings, how: PackingOptions) -> Self {
        Self {
            callees,
            readings,
            how,
        }
    }

    /// The change of a function of which nothing is known but itself.
    pub fn alone<'c>(&self, function: Op<'c>) -> Option<Change<'c>> {
        let has_marks = candidates(function).any(|place| attributes::is_noalias(function, place));
        has_marks.then(|| self.change(function, &Free::default()))?
    }

    /// The changes of the functions of a module.
    pub fn all<'c>(&self, graph: &CallGraph<'c>) -> Vec<Change<'c>> {
        let free = self.free(graph);
        let mut changes: FxHashMap<usize, Change<'c>> = FxHashMap::default();
        for (at, function) in graph.functions.iter().enumerate() {
            let has_marks = || {
                let mut all = candidates(*function);
                all.any(|place| attributes::is_noalias(*function, place))
            };
            if (!free.of[at].is_empty() || has_marks())
                && let Some(change) = self.change(*function, &free.of[at])
            {
                changes.insert(at, change);
            }
        }
        // What a call passes on as donated has to be donated itself.
        for at in &graph.order {
            let marks = changes.get(at).map(|change| change.marks.clone());
            for place in marks.unwrap_or_default() {
                for (caller, from) in free.passed_on.get(&(*at, place)).into_iter().flatten() {
                    let change = changes.entry(*caller).or_insert_with(|| Change {
                        function: graph.functions[*caller],
                        marks: Vec::new(),
                        guests: Vec::new(),
                    });
                    if !change.marks.contains(from) {
                        change.marks.push(*from);
                    }
                }
            }
        }
        let mut order: Vec<usize> = changes.keys().copied().collect();
        order.sort_unstable();
        let all = order.into_iter();
        all.filter_map(|at| changes.remove(&at)).collect()
    }

    fn analyse<'c>(&self, function: Op<'c>) -> Analysis<'c> {
        self.readings.with(function, |semantics| {
            self.how.analyse(function, semantics, self.callees)
        })
    }

    /// The change of a function with these free arguments, beside those that are marked.
    fn change<'c>(&self, function: Op<'c>, free: &Free) -> Option<Change<'c>> {
        self.readings.with(function, |semantics| {
            let mut analysis = self.how.analyse(function, semantics, self.callees);
            let mut shapes = Shapes::default();
            shapes.read(&analysis, semantics).set(&mut analysis, 0);
            change(function, &analysis, free, (&mut shapes, semantics))
        })
    }

    /// The arguments of private functions that nothing needs after any of their calls. Callers come first, as they may pass
    /// such arguments on.
    fn free<'c>(&self, graph: &CallGraph<'c>) -> FreeOfModule {
        let mut free = FreeOfModule {
            of: vec![Free::default(); graph.functions.len()],
            passed_on: FxHashMap::default(),
        };
        let mut calls: FxHashMap<usize, Vec<(usize, Op<'c>)>> = FxHashMap::default();
        for (caller, all) in graph.calls.iter().enumerate() {
            for call in all {
                if let Some(callee) = call.target.function() {
                    calls.entry(callee).or_default().push((caller, call.op));
                }
            }
        }
        let mut callers: FxHashMap<usize, Caller<'c>> = FxHashMap::default();
        for at in graph.order.iter().rev() {
            let function = graph.functions[*at];
            let Some(calls) = calls.get(at) else {
                continue;
            };
            let places: Vec<usize> = candidates(function)
                .filter(|place| {
                    !attributes::is_donated(function, *place)
                        && !symbols::has_other_attribute(function, *place, NOALIAS)
                })
                .collect();
            let is_known = is_private(function)
                && graph.referrer(*at).is_none()
                && !attributes::has_c_interface(function);
            if places.is_empty() || !is_known {
                continue;
            }
            for (caller, _) in calls {
                let one = callers.entry(*caller);
                one.or_insert_with(|| Caller::of(self.analyse(graph.functions[*caller])));
            }
            for place in places {
                let mut passed_on = Vec::new();
                let is_free = calls.iter().all(|(caller, call)| {
                    let own = graph.functions[*caller];
                    let Some(one) = callers.get(caller) else {
                        return false;
                    };
                    if one.last_uses.buffer(*call, place, None).is_some() {
                        return true;
                    }
                    let Some(from) = one.argument(*call, place) else {
                        return false;
                    };
                    let is_donated = attributes::is_donated(own, from);
                    if !is_donated && !free.of[*caller].contains(&from) {
                        return false;
                    }
                    if !is_donated {
                        passed_on.push((*caller, from));
                    }
                    true
                });
                if is_free {
                    free.of[*at].insert(place);
                    if !passed_on.is_empty() {
                        free.passed_on.insert((*at, place), passed_on);
                    }
                }
            }
        }
        free
    }
}

/// The free arguments of the functions of a module.
struct FreeOfModule {
    /// By function.
    of: Vec<Free>,
    /// For an argument, by function and number, the arguments of callers that they pass there, and that no attribute donates.
    passed_on: FxHashMap<(usize, usize), Vec<(usize, usize)>>,
}

/// A caller.
struct Caller<'c> {
    last_uses: LastUses<'c>,
    /// For each of its arguments that is followed, the one position after which nothing needs it, or later.
    ends: FxHashMap<ValueId, u32>,
}

impl<'c> Caller<'c> {
    fn of(analysis: Analysis<'c>) -> Self {
        let followed = callers_memory::followed(&analysis.program, &analysis.aliases);
        let memory: Vec<CallersMemory> = followed
            .iter()
            .map(|(_, value)| CallersMemory {
                value: *value,
                since: Since::Birth,
                is_kept: false,
            })
            .collect();
        let needed = callers_memory::needed(&analysis.program, &analysis.aliases, &memory);
        let ends = memory.iter().zip(needed).map(|(one, needed)| {
            let end = needed.last().map_or(0, |(_, end)| *end);
            (one.value, end)
        });
        Self {
            ends: ends.collect(),
            last_uses: LastUses::of(analysis),
        }
    }

    /// The number of the caller's own argument that a call passes as an argument, if nothing needs it after the call.
    fn argument(&self, call: Op<'c>, place: usize) -> Option<usize> {
        let (number, value) = self.last_uses.argument(call, place)?;
        let end = self.ends.get(&value)?;
        let position = self.last_uses.position(call)?;
        (*end <= position + 1)
            .then(|| self.last_uses.analysis.program.argument_places[number as usize])
    }
}

/// The numbers of the arguments whose memory may hold buffers: in rows, and writable.
fn candidates(function: Op<'_>) -> impl Iterator<Item = usize> {
    let entry = function_body(function).and_then(|body| blocks(body).next());
    let all = entry.into_iter().flat_map(arguments).enumerate();
    let all = all.filter(move |(place, value)| {
        let form = type_of(*value);
        is_memref(form)
            && has_identity_layout(form)
            && element_count(form) != Some(0)
            && !attributes::is_read_only(function, *place)
            && !attributes::is_write_only(function, *place)
    });
    all.map(|(place, _)| place)
}

/// The buffers of a function that live in its arguments.
fn change<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    free: &Free,
    (shapes, semantics): (&mut Shapes, &mut Semantics),
) -> Option<Change<'c>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    if analysis.plannable.is_empty() || program.has_arena {
        return None;
    }
    let candidates: FxHashSet<usize> = candidates(function).collect();
    let mut places = Vec::new();
    let mut memory = Vec::new();
    for (number, value) in callers_memory::followed(program, aliases) {
        let place = program.argument_places[number as usize];
        let is_free = attributes::is_donated(function, place) || free.contains(&place);
        if candidates.contains(&place) && (is_free || attributes::is_noalias(function, place)) {
            places.push(place);
            memory.push(CallersMemory {
                value,
                since: Since::Birth,
                is_kept: !is_free,
            });
        }
    }
    let needed = callers_memory::needed(program, aliases, &memory);
    let value = |one: &CallersMemory| analysis.handles.values[one.value.index()];
    let alignment = |place: &usize| {
        let bytes = symbols::argument_integer(function, *place, LLVM_ALIGN);
        bytes
            .and_then(|bytes| u64::try_from(bytes).ok())
            .unwrap_or(1)
    };
    let hosts: Vec<Host<'c>> = memory
        .iter()
        .zip(&places)
        .zip(needed)
        .map(|((one, place), needed)| Host {
            dimensions: shapes.dimensions(value(one), semantics),
            form: type_of(value(one)),
            alignment: alignment(place),
            needed,
        })
        .collect();
    let of_host = hosts::guests(analysis, &hosts, &FxHashSet::default(), (shapes, semantics));
    let mut change = Change {
        function,
        marks: Vec::new(),
        guests: Vec::new(),
    };
    for ((one, place), guests) in memory.iter().zip(places).zip(of_host) {
        if !guests.is_empty() && free.contains(&place) {
            change.marks.push(place);
        }
        change.guests.extend(guests.into_iter().map(|guest| Guest {
            alloc: analysis.handles.buffers[guest.index()],
            host: value(one),
            place,
        }));
    }
    (!change.guests.is_empty()).then_some(change)
}
