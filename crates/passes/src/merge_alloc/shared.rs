//! One arena in a global for all public functions, and for state: `share=entry-points`.

use super::{
    MergeAlloc, codes,
    materialize::{GlobalArena, result},
    state::{self, AllState, State},
};
use crate::{codes::INTERNAL, failure::fail_as};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, erase, parent, replace_all_uses, symbol_name},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols::FreshNames,
};
use memplan_semantics::attributes::{ARENA, BANKS};
use memplan_summaries::CallGraph;
use rustc_hash::FxHashMap;

/// The name of the global.
const NAME: &str = "entry_points_arena";

/// Arenas of public functions, each with its function.
pub type Shared<'c> = Vec<(usize, GlobalArena<'c>)>;

/// Checks that no function with a shared arena may call another one.
pub fn check(graph: &CallGraph<'_>, sharing: &[usize]) -> Result<(), Failed> {
    let mut shares = vec![false; graph.functions.len()];
    sharing.iter().for_each(|function| shares[*function] = true);
    let mut result = Ok(());
    for &function in sharing {
        let mut seen = vec![false; graph.functions.len()];
        seen[function] = true;
        // Calls, each with the operation of the function that leads to it.
        let own = graph.calls[function].iter();
        let mut open: Vec<_> = own.map(|call| (call.op, call)).collect();
        while let Some((first, call)) = open.pop() {
            let Some(callee) = call.target.function() else {
                continue;
            };
            if std::mem::replace(&mut seen[callee], true) {
                continue;
            }
            if shares[callee] {
                let [one, other] = [function, callee].map(|at| symbol_name(graph.functions[at]));
                Diagnostic::new(
                    codes::GLOBAL_SHARED,
                    graph.functions[function].location(),
                    format!(
                        "share=entry-points: @{one} and @{other} would use one arena at once: one \
                         calls the other"
                    ),
                )
                .note(first.location(), "called here")
                .emit();
                result = Err(Failed);
                break;
            }
            open.extend(graph.calls[callee].iter().map(|call| (first, call)));
        }
    }
    result
}

/// What one global is made of.
struct Group<'c> {
    /// The global comes before this operation.
    place: Op<'c>,
    arenas: Vec<GlobalArena<'c>>,
    states: Vec<State<'c>>,
}

/// A module, a memory space, and which of the arenas that a function has there.
type GroupKey = (Key, String, usize);

/// All groups, in the order of the text.
#[derive(Default)]
struct Groups<'c> {
    all: Vec<Group<'c>>,
    indices: FxHashMap<GroupKey, usize>,
}

impl<'c> Groups<'c> {
    /// The group of a key, created before `place`.
    fn group(&mut self, key: GroupKey, place: Op<'c>) -> &mut Group<'c> {
        let index = *self.indices.entry(key).or_insert(self.all.len());
        if index == self.all.len() {
            self.all.push(Group {
                place,
                arenas: Vec::new(),
                states: Vec::new(),
            });
        }
        &mut self.all[index]
    }
}

/// Makes one global of the arenas and the state of each module and memory space, as large as the largest arena. If a
/// function has several arenas in a memory space, there are as many globals, and the state is in the first.
pub fn unite<'c>(
    graph: &CallGraph<'c>,
    shared: &Shared<'c>,
    states: AllState<'c>,
    least_alignment: u64,
    fresh: &mut FreshNames,
) -> Result<(), Failed> {
    let mut groups = Groups::default();
    let mut numbers: FxHashMap<(usize, String), usize> = FxHashMap::default();
    for (function, arena) in shared {
        let place = graph.functions[*function];
        let Some(module) = parent(place) else {
            continue;
        };
        let space = memory_space(arena.memref);
        let number = numbers.entry((*function, space.clone())).or_default();
        let group = groups.group((module.key(), space, *number), place);
        group.arenas.push(*arena);
        *number += 1;
    }
    for own in states.take() {
        if let Some(first) = own.states.first().map(|state| state.op) {
            let group = groups.group((own.module, own.memory_space, 0), first);
            group.states = own.states;
        }
    }
    for group in &groups.all {
        one(group, least_alignment, fresh)
            .map_err(|error| fail_as::<MergeAlloc>(group.place, INTERNAL, error))?;
    }
    Ok(())
}

/// One global in place of several.
fn one<'c>(
    group: &Group<'c>,
    least_alignment: u64,
    fresh: &mut FreshNames,
) -> Result<(), BuildError> {
    let Group {
        place,
        arenas,
        states,
    } = group;
    let largest = arenas.iter().rev().max_by_key(|arena| arena.size);
    let end = states.iter().map(State::end).max().unwrap_or(0);
    let outside = Builder::before(*place, place.location()).ok_or_else(BuildError::unexpected)?;
    let memref = match (largest, states.first()) {
        (Some(arena), _) if arena.size >= end => arena.memref,
        (_, Some(state)) => outside.bytes_type(end as i64, state.memref),
        _ => return Ok(()),
    };
    let alignments = arenas.iter().map(|arena| arena.alignment);
    let alignment = alignments.chain(states.iter().map(|state| state.alignment));
    let alignment = alignment.max().unwrap_or(1) as i64;
    let name = fresh.fresh(*place, NAME);
    let is_zero = states.iter().any(|state| state.is_zero);
    let mut referring = vec![match is_zero {
        true => outside.zero_bytes_global(&name, memref, alignment)?,
        false => outside.global(&name, memref, alignment)?,
    }];
    for arena in arenas {
        let location = arena.get.location();
        let builder = Builder::before(arena.get, location).ok_or_else(BuildError::unexpected)?;
        let get = builder.get_global(&name, memref)?;
        build::set_integer(get, ARENA, alignment);
        if let Ok(banks) = arena.get.attribute(BANKS) {
            build::set_attribute(get, BANKS, banks);
        }
        replace_all_uses(result(arena.get), result(get));
        erase(arena.get);
        erase(arena.global);
        referring.push(get);
    }
    if !states.is_empty() {
        state::write(states, &name, memref, &referring, least_alignment)?;
    }
    Ok(())
}
