//! State in the arena of entry points: `state=arena`. Globals that the program writes lie at offsets of their own in that
//! arena, and no plan uses these bytes.
//!
//! `read` -> `place` -> `write`. This is for all modules of a run.
mod place;
mod read;
mod write;

pub use write::write;

use super::{
    annotate::Originals,
    codes,
    excluded::{Excluded, ExcludedAddresses},
    settings::Settings,
};
use crate::failure::fail;
use crate::memory_spaces::names::short_space;
use memplan_declarations::merge_alloc::DECLARATION;
use memplan_mlir::{
    build::set_integer,
    diagnostics::{Diagnostic, Outcome, optimization_remark},
    ir::{Identity, Key, Op, Type, parent, symbol_name},
    melior::ir::operation::OperationLike,
    pass::Failed,
};
use memplan_semantics::attributes::OFFSET;
use place::{Misplaced, Wanted};
use read::{Candidate, Outside};
use rustc_hash::{FxHashMap, FxHashSet};

/// A global in the arena.
pub struct State<'c> {
    /// The global.
    pub op: Op<'c>,
    /// The operations whose results are its memory.
    uses: Vec<Op<'c>>,
    /// Its type.
    pub memref: Type<'c>,
    /// Its memory space, as MLIR prints it.
    memory_space: String,
    /// Bytes from the start of the arena.
    offset: u64,
    /// Bytes.
    size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Whether it has to be zero at the start of the program.
    pub is_zero: bool,
}

impl State<'_> {
    /// The first byte after it.
    pub const fn end(&self) -> u64 {
        self.offset + self.size
    }
}

/// The state of a module in one memory space, in the order of the text.
pub struct SpaceState<'c> {
    /// The module.
    pub module: Key,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// The globals.
    pub states: Vec<State<'c>>,
}

/// The state of all modules of a run.
#[derive(Default)]
pub struct AllState<'c> {
    spaces: Vec<SpaceState<'c>>,
    /// The addresses that no plan of a module may use, if it has state.
    forbidden: FxHashMap<Key, ExcludedAddresses>,
}

impl<'c> AllState<'c> {
    /// Finds and places the state of `root` and the modules of `functions`. Errors are reported at the globals.
    pub fn of(root: Op<'c>, functions: &[Op<'c>], settings: &Settings) -> Result<Self, Failed> {
        let mut all = Self::default();
        let mut seen = FxHashSet::default();
        let mut result = Ok(());
        let modules = functions.iter().filter_map(|function| parent(*function));
        for module in std::iter::once(root).chain(modules) {
            if seen.insert(module.key()) {
                result = all.add(module, settings).and(result);
            }
        }
        result.map(|()| all)
    }

    fn add(&mut self, module: Op<'c>, settings: &Settings) -> Result<(), Failed> {
        let mut result = Ok(());
        let first = self.spaces.len();
        for Candidate { op, found } in read::candidates(module, settings.alignment) {
            match found {
                Ok(state) => self.space(first, module, &state.memory_space).push(state),
                Err(why) => result = outside(op, why, settings).and(result),
            }
        }
        let mut forbidden = settings.forbidden.clone();
        for own in &mut self.spaces[first..] {
            result = place_in(own, settings).and(result);
            let taken = forbidden.own(&own.memory_space);
            taken.extend(own.states.iter().map(|state| Excluded {
                start: state.offset,
                end: state.end(),
                state: symbol_name(state.op),
            }));
        }
        if first < self.spaces.len() {
            self.forbidden.insert(module.key(), forbidden);
        }
        result
    }

    /// The state of a memory space, among those from `first` on.
    fn space(&mut self, first: usize, module: Op<'c>, name: &str) -> &mut Vec<State<'c>> {
        let own = self.spaces[first..].iter();
        let known = own.clone().position(|own| own.memory_space == name);
        let index = first + known.unwrap_or(own.len());
        if known.is_none() {
            self.spaces.push(SpaceState {
                module: module.key(),
                memory_space: name.to_string(),
                states: Vec::new(),
            });
        }
        &mut self.spaces[index].states
    }

    /// The addresses that the plan of a function may not use, if its module has state.
    pub fn forbidden(&self, function: Op<'_>) -> Option<&ExcludedAddresses> {
        self.forbidden.get(&parent(function)?.key())
    }

    /// Takes the state, in the order of the text.
    pub fn take(self) -> Vec<SpaceState<'c>> {
        self.spaces
    }

    /// Writes the offsets as attributes.
    pub fn annotate(&self, originals: &Originals<'_, 'c>) {
        for state in self.spaces.iter().flat_map(|own| &own.states) {
            if let Some(op) = originals.of(state.op) {
                set_integer(op, OFFSET, state.offset as i64);
            }
        }
    }
}

/// Tells that a global is not in the arena. It is an error if its offset there is given.
fn outside(op: Op<'_>, why: Outside<'_>, settings: &Settings) -> Result<(), Failed> {
    if op.has_attribute(OFFSET) {
        let text = format!("`{OFFSET}` fixes a global that is not in the arena: {why}");
        Diagnostic::new(codes::OFFSET_UNUSED, op.location(), text).emit();
        return Err(Failed);
    }
    let text = format!("state stays outside the arena: {why} [{}]", why.id());
    tell(
        op,
        codes::STATE_LEFT,
        (Outcome::Missed, why.id()),
        settings,
        text,
    );
    Ok(())
}

fn tell(
    op: Op<'_>,
    code: &'static memplan_mlir::codes::Code,
    (outcome, kind): (Outcome, &str),
    settings: &Settings,
    text: String,
) {
    let (pass, name) = (DECLARATION.argument, symbol_name(op));
    let own = text.clone();
    optimization_remark(code, outcome, op.location(), pass, kind, &name, || own);
    if settings.remarks {
        Diagnostic::new(code, op.location(), text).emit();
    }
}

/// Places the state of one memory space.
fn place_in(own: &mut SpaceState<'_>, settings: &Settings) -> Result<(), Failed> {
    let (space, states) = (own.memory_space.as_str(), own.states.as_mut_slice());
    let mut wanted = Vec::with_capacity(states.len());
    for state in &*states {
        let fixed = match state.op.has_attribute(OFFSET) {
            true => {
                let offset = super::given::offset(state.op, state.alignment);
                let failed = |why| fail(state.op, codes::OFFSET, why);
                Some(offset.map_err(failed)?)
            }
            false => None,
        };
        wanted.push(Wanted {
            size: state.size,
            alignment: state.alignment,
            fixed,
        });
    }
    let forbidden = settings.forbidden.get(space).into_iter().flatten();
    let forbidden: Vec<(u64, u64)> = forbidden.map(|range| (range.start, range.end)).collect();
    let offsets = place::place(&wanted, &forbidden).map_err(|error| {
        let (place, code) = match &error {
            Misplaced::Overlap(first, second) => {
                Diagnostic::new(
                    codes::OFFSETS_OVERLAP,
                    states[*second].op.location(),
                    format!("`{OFFSET}` makes it overlap other state"),
                )
                .note(states[*first].op.location(), "the other one")
                .emit();
                return Failed;
            }
            Misplaced::Forbidden(place, ..) => (*place, codes::RESERVED),
            Misplaced::TooLarge(place) => (*place, codes::TOO_LARGE),
        };
        fail(states[place].op, code, error)
    })?;
    for (state, offset) in states.iter_mut().zip(offsets) {
        state.offset = offset;
    }
    let last = states.iter().max_by_key(|state| state.end());
    let Some((last, end)) = last.map(|state| (state, state.end())) else {
        return Ok(());
    };
    if let Some(capacity) = settings.capacity.get(space).filter(|most| **most < end) {
        let why = format!("the state ends at byte {end}, above the capacity of {capacity}");
        return Err(fail(last.op, codes::OVER_CAPACITY, why));
    }
    if let Some(limit) = settings.arena_limit.filter(|limit| *limit < end) {
        let why = format!("the state ends at byte {end}, above arena-limit={limit}");
        return Err(fail(last.op, codes::OVER_LIMIT, why));
    }
    for state in &*states {
        let text = format!(
            "state: {} bytes at offset {} of the arena{}",
            state.size,
            state.offset,
            match short_space(space) {
                "" => String::new(),
                space => format!(" in memory space {space}"),
            }
        );
        let kind = (Outcome::Passed, "state");
        tell(state.op, codes::STATE, kind, settings, text);
    }
    Ok(())
}
