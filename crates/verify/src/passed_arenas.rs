//! Whether arenas of dynamic size that functions receive are as large as the functions take.
//!
//! A function with such an arena computes its bytes from other arguments. A call has to pass as many, and the function
//! `@NAME_arena_size` has to return as many. Both are first compared operation by operation: that is a proof. If a pass
//! has simplified one of them, both are computed for some values of what they depend on. What depends on anything
//! else, such as a bound that only the caller knows, is left to the assertion in a public function, and an error for a private
//! one.
//!
//! Of an arena of static size, its type says at each call how large it is; size functions are compared here.

use crate::codes;
use memplan_mlir::{
    build::{integer_value, integers_of},
    calls::{call_arguments, callee, function_body},
    copy::integer_width,
    diagnostics::Diagnostic,
    ir::{
        Block, Identity, Key, Op, Origin, Type, Val, arguments, blocks, operands, ops, origin,
        parent, regions, symbol_name, type_of, users,
    },
    layout::{dynamic_dimension_index, memory_space, static_dimension},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::{
    Computes, Semantics, TracedNumber,
    attributes::{ARENA, DIMENSIONS},
    constants::evaluate,
    names::Names,
    speculation::is_safe_to_speculate,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Rounds of values for which sizes are compared: each value for all numbers, then any for each.
const ROUNDS: usize = 48;

/// Bits of the largest value.
const MOST_BITS: u32 = 22;

/// Values of what sizes depend on.
const VALUES: [i64; 12] = [0, 1, 2, 3, 7, 63, 64, 65, 100, 1000, 4097, 1 << 20];

/// An arena that a function receives.
struct Received<'c> {
    argument: usize,
    /// The entry block of its function.
    entry: Block<'c>,
    /// Whether all callers are in the module.
    is_private: bool,
    /// What the name of its size function ends with, after `_arena_size`.
    suffix: String,
    /// Alignment in bytes.
    alignment: i64,
    /// The view with the bytes that the function takes.
    view: Op<'c>,
    bytes: Val<'c>,
}

/// What a function receives: an argument, or a dimension of one.
type Input = (usize, Option<i64>);

/// How code outside of a function knows what the function receives.
trait Outside<'c> {
    /// An input, in terms of that code.
    fn input(&self, input: Input) -> Option<TracedNumber<'c>>;
}

/// Compares what calls pass, and what size functions return, with what functions take. Returns true if there are faults,
/// which are reported.
pub fn report<'c>(functions: impl Iterator<Item = Op<'c>> + Clone) -> bool {
    let mut names = Names::default();
    let mut received: FxHashMap<Key, Vec<Received<'c>>> = FxHashMap::default();
    let mut fixed: Vec<(Op<'c>, StaticArena)> = Vec::new();
    for function in functions.clone() {
        let all = received_by(function);
        if !all.is_empty() {
            received.insert(function.key(), all);
        }
        let all = static_arenas(function);
        fixed.extend(all.into_iter().map(|arena| (function, arena)));
    }
    if received.is_empty() && fixed.is_empty() {
        return false;
    }
    let place = |function: Op<'c>| {
        (
            parent(function).map(|table| table.key()),
            symbol_name(function),
        )
    };
    let by_name: FxHashMap<_, Op<'c>> = functions
        .clone()
        .map(|function| (place(function), function))
        .collect();
    let mut failed = false;
    for function in functions {
        for call in calls_of(function, &mut names) {
            let arenas = callee(call).and_then(|callee| received.get(&callee.key()));
            for arena in arenas.into_iter().flatten() {
                failed |= passes_less(call, arena);
            }
        }
        let (table, name) = place(function);
        for arena in received.get(&function.key()).into_iter().flatten() {
            let name = format!("{name}_arena_size{}", arena.suffix);
            if let Some(size_function) = by_name.get(&(table, name)) {
                failed |= returns_less(*size_function, arena);
            }
        }
    }
    for (function, arena) in fixed {
        let (table, name) = place(function);
        let name = format!("{name}_arena_size{}", arena.suffix);
        if let Some(size_function) = by_name.get(&(table, name)) {
            failed |= differs(*size_function, function, &arena);
        }
    }
    failed
}

/// An arena of static size that a public function receives.
struct StaticArena {
    suffix: String,
    bytes: i64,
    alignment: i64,
}

/// The arenas of static size that a public function receives: private ones have no size functions.
fn static_arenas(function: Op<'_>) -> Vec<StaticArena> {
    let entry = function_body(function).and_then(|body| blocks(body).next());
    let Some(entry) = entry.filter(|_| !symbols::is_private(function)) else {
        return Vec::new();
    };
    let all = arguments(entry)
        .enumerate()
        .filter_map(|(argument, value)| {
            let alignment = symbols::argument_attribute(function, argument, ARENA)?;
            Some(StaticArena {
                suffix: suffix(type_of(value)),
                bytes: static_dimension(type_of(value), 0)?,
                alignment: integer_value(alignment).unwrap_or(1),
            })
        });
    all.collect()
}

/// Whether a size function returns less than the bytes, or another alignment, of an arena. This is reported.
fn differs(size_function: Op<'_>, function: Op<'_>, arena: &StaticArena) -> bool {
    let entry = function_body(size_function).and_then(|body| blocks(body).next());
    let Some(last) = entry.and_then(|entry| ops(entry).last()) else {
        return false;
    };
    let queries = Queries::default();
    let returned: Vec<_> = operands(last).map(|value| queries.number(value)).collect();
    let StaticArena {
        bytes, alignment, ..
    } = arena;
    if let [TracedNumber::Constant(size), TracedNumber::Constant(at)] = returned[..]
        && size >= *bytes
        && at % alignment.max(&1) == 0
    {
        return false;
    }
    let text = format!(
        "the function does not return the arena's size {bytes} and its alignment {alignment}"
    );
    Diagnostic::new(codes::PASSED_ARENA, size_function.location(), text)
        .note(function.location(), "taken here")
        .emit();
    true
}

/// What the name of the function ends with that returns the size of an arena, after `_arena_size`.
fn suffix(arena: Type<'_>) -> String {
    let space = memory_space(arena);
    let space = space.strip_suffix(" : i64").unwrap_or(&space);
    let letters = space.chars().filter(char::is_ascii_alphanumeric);
    match space {
        "" => String::new(),
        _ => "_".chars().chain(letters).collect(),
    }
}

/// Whether a call passes fewer bytes than its callee takes. This is reported.
fn passes_less<'c>(call: Op<'c>, arena: &Received<'c>) -> bool {
    let passed: Vec<Val<'c>> = operands(call).collect();
    let range = call_arguments(call).unwrap_or_default();
    let Some(passed) = passed.get(range) else {
        return false;
    };
    let Some(memory) = passed.get(arena.argument) else {
        return false;
    };
    let number = Queries::default().dimension(*memory, 0);
    let text = match compare(number, arena, &Passed { passed }) {
        Some(Wrong::Fewer(less, taken)) => {
            format!("the call passes an arena of {less} bytes where its callee takes {taken}")
        }
        // All callers are known, and the callee does not compare.
        Some(Wrong::Unrelated) if arena.is_private => {
            "the bytes of the arena that the call passes cannot be compared with those that its callee takes".to_string()
        }
        // A bound that only the caller knows: the callee compares.
        Some(Wrong::Unrelated) | None => return false,
    };
    Diagnostic::new(codes::PASSED_ARENA, call.location(), text)
        .note(arena.view.location(), "taken here")
        .emit();
    true
}

/// Whether a size function returns fewer bytes than its function takes. This is reported.
fn returns_less<'c>(size_function: Op<'c>, arena: &Received<'c>) -> bool {
    let Some(numbers) = integers_of(size_function, DIMENSIONS) else {
        return false;
    };
    let Some(entry) = function_body(size_function).and_then(|body| blocks(body).next()) else {
        return false;
    };
    let last = ops(entry).last();
    let Some(returned) = last.and_then(|last| operands(last).next()) else {
        return false;
    };
    let inputs = numbers.chunks_exact(2).zip(arguments(entry));
    let inputs = inputs.filter_map(|(numbers, value)| {
        let argument = usize::try_from(numbers[0]).ok()?;
        let dimension = (numbers[1] >= 0).then_some(numbers[1]);
        Some(((argument, dimension), value))
    });
    let here = SizeArguments {
        inputs: inputs.collect(),
    };
    let number = Queries::default().number(returned);
    let alignment = last.and_then(|last| operands(last).nth(1));
    let alignment = alignment.map(|alignment| Queries::default().number(alignment));
    let text = match compare(number, arena, &here) {
        None if alignment != Some(TracedNumber::Constant(arena.alignment)) => {
            format!(
                "the function does not return the alignment {} of the arena",
                arena.alignment
            )
        }
        Some(Wrong::Fewer(less, taken)) => {
            format!("the function returns {less} bytes where the arena takes {taken}")
        }
        Some(Wrong::Unrelated) => {
            "the bytes that the function returns cannot be compared with those of the arena"
                .to_string()
        }
        None => return false,
    };
    Diagnostic::new(codes::PASSED_ARENA, size_function.location(), text)
        .note(arena.view.location(), "taken here")
        .emit();
    true
}

/// The operands of a call.
struct Passed<'p, 'c> {
    passed: &'p [Val<'c>],
}

impl<'c> Outside<'c> for Passed<'_, 'c> {
    fn input(&self, (argument, at): Input) -> Option<TracedNumber<'c>> {
        let value = *self.passed.get(argument)?;
        Some(match at {
            Some(at) => Queries::default().dimension(value, at),
            None => Queries::default().number(value),
        })
    }
}

/// The arguments of a size function.
struct SizeArguments<'c> {
    inputs: FxHashMap<Input, Val<'c>>,
}

impl<'c> Outside<'c> for SizeArguments<'c> {
    fn input(&self, input: Input) -> Option<TracedNumber<'c>> {
        self.inputs.get(&input).copied().map(TracedNumber::Value)
    }
}

/// What is wrong with the bytes that are given.
enum Wrong {
    /// They are fewer than those that are taken, for some values.
    Fewer(i64, i64),
    /// They depend on something else than those that are taken.
    Unrelated,
}

/// Compares the bytes that are given with those that are taken.
fn compare<'c>(
    given: TracedNumber<'c>,
    arena: &Received<'c>,
    here: &dyn Outside<'c>,
) -> Option<Wrong> {
    if are_equal(arena, given, here) {
        return None;
    }
    let inputs = Queries::default();
    let leaves = Leaves::default();
    for round in 0..ROUNDS {
        let (given_by, taken_by) = (Values::new(&leaves, round), Values::new(&leaves, round));
        let given = given_by.number(given)?;
        let taken = evaluate(arena.bytes, &mut Semantics::default(), &|value| {
            let input = inputs.input(value, arena.entry)?;
            taken_by.number(here.input(input)?)
        })?;
        let (given_by, taken_by) = (given_by.used.into_inner(), taken_by.used.into_inner());
        if !given_by.is_subset(&taken_by) || given_by.is_empty() != taken_by.is_empty() {
            // A pass may know of a dimension what is not traced here.
            let is_known = |leaf: &Leaf| !matches!(leaf, Leaf::Dimension { is_view: true, .. });
            return taken_by.iter().all(is_known).then_some(Wrong::Unrelated);
        }
        if given < taken {
            return Some(Wrong::Fewer(given, taken));
        }
    }
    None
}

/// Whether a number is computed as a function computes the bytes of an arena.
fn are_equal<'c>(arena: &Received<'c>, given: TracedNumber<'c>, here: &dyn Outside<'c>) -> bool {
    let queries = Queries::default();
    let mut seen: FxHashSet<(Key, Key)> = FxHashSet::default();
    let mut open = vec![(arena.bytes, given)];
    while let Some((taken, given)) = open.pop() {
        if let Some(input) = queries.input(taken, arena.entry) {
            if here.input(input) != Some(given) {
                return false;
            }
            continue;
        }
        let (taken, given) = match (queries.number(taken), given) {
            (taken, given @ (TracedNumber::Constant(_) | TracedNumber::Dimension(..)))
                if taken == given =>
            {
                continue;
            }
            (TracedNumber::Value(taken), TracedNumber::Value(given)) => (taken, given),
            _ => return false,
        };
        if !seen.insert((taken.key(), given.key())) {
            continue;
        }
        let (Some(Origin::Result(one, number)), Some(Origin::Result(other, same))) =
            (origin(taken), origin(given))
        else {
            return false;
        };
        if number != same
            || one.name() != other.name()
            || !one.attributes().eq(other.attributes())
            || one.operand_count() != other.operand_count()
            || [one, other].into_iter().flat_map(regions).next().is_some()
        {
            return false;
        }
        let given = operands(other).map(|given| queries.number(given));
        open.extend(operands(one).zip(given));
    }
    true
}

/// Facts about values.
#[derive(Default)]
struct Queries {
    semantics: RefCell<Semantics>,
}

impl Queries {
    /// The memref and the number of a dimension that a value is.
    fn queried<'c>(&self, value: Val<'c>) -> Option<(Val<'c>, i64)> {
        let mut semantics = self.semantics.borrow_mut();
        match semantics.computes(value)? {
            Computes::Dimension([memref, index]) => Some((memref, semantics.constant(index)?)),
            _ => None,
        }
    }

    /// What a value is, if a function with this entry block receives it.
    fn input<'c>(&self, value: Val<'c>, entry: Block<'c>) -> Option<Input> {
        let argument = |value: Val<'c>| match origin(value)? {
            Origin::Argument(block, argument) => (block == entry).then_some(argument),
            Origin::Result(..) => None,
        };
        match self.queried(value) {
            Some((memref, at)) => Some((argument(memref)?, Some(at))),
            None => Some((argument(value)?, None)),
        }
    }

    /// Whether an operation computes a value from others, without memory.
    fn is_computed(&self, value: Val<'_>) -> bool {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return false;
        };
        let mut semantics = self.semantics.borrow_mut();
        match semantics.computed(op) {
            Some(Computes::Element(_) | Computes::Pointer(_) | Computes::Dimension(_)) => false,
            Some(_) => true,
            None => is_safe_to_speculate(op),
        }
    }

    /// Traces a number.
    fn number<'c>(&self, value: Val<'c>) -> TracedNumber<'c> {
        self.semantics.borrow_mut().traced(value)
    }

    /// Traces a dimension of a memref.
    fn dimension<'c>(&self, memref: Val<'c>, at: i64) -> TracedNumber<'c> {
        self.semantics.borrow_mut().traced_dimension(memref, at)
    }
}

/// A number of the caller that is not computed from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf {
    Value(Key),
    Dimension {
        memref: Key,
        at: i64,
        /// Whether an operation makes the memref.
        is_view: bool,
    },
}

/// Numbers of leaves, in the order in which they are asked for.
type Leaves = RefCell<FxHashMap<Leaf, u64>>;

/// Values of leaves, in one round.
struct Values<'l> {
    leaves: &'l Leaves,
    round: usize,
    queries: Queries,
    /// What was asked for.
    used: RefCell<FxHashSet<Leaf>>,
}

impl<'l> Values<'l> {
    fn new(leaves: &'l Leaves, round: usize) -> Self {
        Self {
            leaves,
            round,
            queries: Queries::default(),
            used: RefCell::default(),
        }
    }

    /// The value of a number of the caller.
    fn number(&self, number: TracedNumber<'_>) -> Option<i64> {
        match number {
            TracedNumber::Constant(constant) => Some(constant),
            TracedNumber::Dimension(memref, at) => Some(self.of(Leaf::Dimension {
                memref: memref.key(),
                at,
                is_view: matches!(origin(memref), Some(Origin::Result(..))),
            })),
            TracedNumber::Value(value) => evaluate(value, &mut Semantics::default(), &|value| {
                match self.queries.number(value) {
                    TracedNumber::Value(same) if self.queries.is_computed(same) => (same != value)
                        .then(|| self.number(TracedNumber::Value(same)))
                        .flatten(),
                    TracedNumber::Value(same) => {
                        let bits = integer_width(type_of(same))?.min(MOST_BITS);
                        Some(
                            self.of(Leaf::Value(same.key())) % (1 << bits.saturating_sub(1).max(1)),
                        )
                    }
                    // A dimension of something that is allocated is the value that it is allocated with.
                    other => self.number(other),
                }
            }),
        }
    }

    /// The value of a leaf. All have the same in the first rounds.
    fn of(&self, leaf: Leaf) -> i64 {
        self.used.borrow_mut().insert(leaf);
        let mut leaves = self.leaves.borrow_mut();
        let next = leaves.len() as u64 + 1;
        let number = *leaves.entry(leaf).or_insert(next);
        let place = match self.round.checked_sub(VALUES.len()) {
            None => self.round,
            // The factor is that of Fibonacci hashing.
            Some(round) => {
                let mixed = (round as u64 * 64 + number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (mixed >> 40) as usize % VALUES.len()
            }
        };
        VALUES[place]
    }
}

/// The arenas of dynamic size that a function receives.
fn received_by<'c>(function: Op<'c>) -> Vec<Received<'c>> {
    let mut all = Vec::new();
    let Some(entry) = function_body(function).and_then(|body| blocks(body).next()) else {
        return all;
    };
    for (argument, value) in arguments(entry).enumerate() {
        if dynamic_dimension_index(type_of(value), 0).is_none() {
            continue;
        }
        let Some(alignment) = symbols::argument_attribute(function, argument, ARENA) else {
            continue;
        };
        let view = users(value).find(|user| user.has_attribute(ARENA));
        if let Some((view, bytes)) = view.and_then(|view| Some((view, operands(view).nth(2)?))) {
            all.push(Received {
                argument,
                entry,
                is_private: symbols::is_private(function),
                suffix: suffix(type_of(value)),
                alignment: integer_value(alignment).unwrap_or(1),
                view,
                bytes,
            });
        }
    }
    all
}

/// The calls in a function, without those in functions inside of it.
fn calls_of<'c>(function: Op<'c>, names: &mut Names) -> Vec<Op<'c>> {
    let mut calls = Vec::new();
    let mut open = vec![function];
    while let Some(op) = open.pop() {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            let info = names.info(nested);
            if info.is_call() {
                calls.push(nested);
            } else if !info.is_function() {
                open.push(nested);
            }
        }
    }
    calls
}
