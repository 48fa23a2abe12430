//! What called functions return and keep, by their bodies.

use super::{Calls, MOVED, has_sites, nearest_table, read};
use memplan_mlir::{
    calls::{self, callee_symbol, flat_name},
    functions,
    ir::{
        Attribute, Identity, Key, Op, blocks, is_memref, operands, ops, regions, results,
        symbol_name, type_of,
    },
};
use memplan_ownership::{
    function::ValueId,
    origins::{MayBe, Origins, Relation},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// Calls are followed so deep.
const DEEPEST: usize = 64;

/// What a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// One of these arguments, perhaps.
    pub arguments: Vec<u32>,
    /// New memory, if there are any numbers; results that have none in common are other memory.
    pub new: SmallVec<[u32; 1]>,
    /// Memory of someone else, perhaps.
    pub foreign: bool,
    /// Perhaps something that is not known.
    pub unknown: bool,
    /// New memory may be known elsewhere, too.
    pub out: bool,
    /// Marks of all of it.
    pub marks: u8,
}

/// What a function does with memrefs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// For each result, if it is a memref.
    pub results: Vec<Option<Returned>>,
    /// For each argument: may it be known elsewhere, behind the call?
    kept: Vec<bool>,
}

impl Summary {
    /// May an argument be known elsewhere, behind the call?
    pub fn keeps(&self, argument: usize) -> bool {
        self.kept.get(argument).copied().unwrap_or(true)
    }
}

/// What is called by the functions with deallocs at or below `op`. A pass that runs on a function must not
/// look at another one.
pub fn of_run(op: Op<'_>) -> Calls {
    let mut semantics = Semantics::default();
    if semantics.info(op).is_function() {
        return Calls::default();
    }
    let functions: Vec<Op<'_>> = functions::groups(op)
        .into_iter()
        .flatten()
        .filter(|function| has_sites(*function, semantics.names()))
        .collect();
    summaries(&functions, semantics)
}

/// What the callees of these functions do, and those that they call. Reads only.
fn summaries<'c>(functions: &[Op<'c>], semantics: Semantics) -> Calls {
    let mut finder = Finder {
        semantics,
        tables: FxHashMap::default(),
        asked: FxHashSet::default(),
        functions: FxHashMap::default(),
        calls: Calls::default(),
    };
    for function in functions {
        finder.callees_of(*function, 0);
    }
    finder.calls
}

struct Finder<'c> {
    semantics: Semantics,
    /// The symbols of each table.
    tables: FxHashMap<Key, FxHashMap<String, Op<'c>>>,
    asked: FxHashSet<(Key, Key)>,
    /// What is known of each function; `None` while that is being found out, and where it cannot be.
    functions: FxHashMap<Key, Option<Summary>>,
    calls: Calls,
}

impl<'c> Finder<'c> {
    fn callees_of(&mut self, function: Op<'c>, depth: usize) {
        let Some(table) = nearest_table(function, self.semantics.names()) else {
            return;
        };
        let mut found = Vec::new();
        self.calls_in(function, &mut found);
        for symbol in found {
            let key = (table.key(), symbol.key());
            if !self.asked.insert(key) {
                continue;
            }
            let summary = self
                .resolve(table, symbol)
                .and_then(|callee| self.summary(callee, depth));
            if let Some(summary) = summary {
                self.calls.insert(key, summary);
            } else if depth > 0 {
                // It may be known when what is under way is done.
                self.asked.remove(&key);
            }
        }
    }

    /// The symbols that calls with memrefs call, in a function at any nesting.
    fn calls_in(&mut self, op: Op<'c>, found: &mut Vec<Attribute<'c>>) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            let info = self.semantics.info(nested);
            if info.is_call() {
                let touches = operands(nested).chain(results(nested));
                if touches.into_iter().any(|val| is_memref(type_of(val))) {
                    found.extend(callee_symbol(nested));
                }
            }
            if !info.is_function() && !info.is_symbol_table() {
                self.calls_in(nested, found);
            }
        }
    }

    fn resolve(&mut self, table: Op<'c>, symbol: Attribute<'c>) -> Option<Op<'c>> {
        let name = flat_name(symbol)?;
        let symbols = self.tables.entry(table.key()).or_insert_with(|| {
            let symbols = regions(table).flat_map(blocks).flat_map(ops);
            symbols.map(|op| (symbol_name(op), op)).collect()
        });
        symbols.get(&name).copied()
    }

    fn summary(&mut self, function: Op<'c>, depth: usize) -> Option<Summary> {
        if let Some(known) = self.functions.get(&function.key()) {
            return known.clone();
        }
        if depth >= DEEPEST || !self.semantics.info(function).is_function() {
            return None;
        }
        let body = calls::function_body(function)?;
        self.functions.insert(function.key(), None);
        self.callees_of(function, depth + 1);
        let reading = read(function, body, &mut self.semantics, &self.calls);
        let summary = describe(&reading);
        self.functions.insert(function.key(), summary.clone());
        summary
    }
}

/// What a function that was read does; `None` if it never returns.
fn describe(reading: &super::Reading<'_>) -> Option<Summary> {
    let mut origins = Origins::of(&reading.memory);
    let kept = reading
        .arguments
        .iter()
        .map(|argument| argument.is_some_and(|id| origins.got_out(id)))
        .collect();
    let first = reading.returned.first()?;
    let mut results: Vec<Option<Returned>> = Vec::new();
    // For each result, the values that returns give, which stand at different places.
    let mut values: Vec<Vec<ValueId>> = Vec::new();
    for at in 0..first.len() {
        let mut all = Vec::new();
        let mut joined: Option<Returned> = None;
        for returned in &reading.returned {
            let Some((id, is_moved)) = returned.get(at).copied().flatten() else {
                joined = None;
                break;
            };
            all.push(id);
            let mut one = returned_of(reading, &origins, id);
            if is_moved {
                one.marks |= MOVED;
            }
            joined = Some(match joined {
                None => one,
                Some(other) => join(other, one),
            });
        }
        values.push(all);
        results.push(joined);
    }
    number_new(reading, &mut origins, &mut results, &values);
    Some(Summary { results, kept })
}

fn returned_of(reading: &super::Reading<'_>, origins: &Origins<'_>, id: ValueId) -> Returned {
    let unknown = Returned {
        arguments: Vec::new(),
        new: smallvec![0],
        foreign: true,
        unknown: true,
        out: true,
        marks: origins.marks(id) | MOVED,
    };
    let number = |value: &ValueId| {
        let mut arguments = reading.arguments.iter();
        arguments.position(|argument| *argument == Some(*value))
    };
    match origins.may_be(id) {
        Some(MayBe {
            news,
            foreign: Some(foreign),
            unknown: is_unknown,
            out,
        }) => Returned {
            arguments: foreign
                .iter()
                .filter_map(|value| number(value).map(|number| number as u32))
                .collect(),
            new: news.iter().take(1).map(|_| 0).collect(),
            foreign: foreign.iter().any(|value| number(value).is_none()),
            unknown: is_unknown,
            out,
            marks: origins.marks(id),
        },
        // Any argument may be among what is not known.
        _ => Returned {
            arguments: (0..reading.arguments.len() as u32).collect(),
            ..unknown
        },
    }
}

fn join(one: Returned, other: Returned) -> Returned {
    let mut arguments = [one.arguments, other.arguments].concat();
    arguments.sort_unstable();
    arguments.dedup();
    Returned {
        arguments,
        new: match one.new.is_empty() {
            true => other.new,
            false => one.new,
        },
        foreign: one.foreign || other.foreign,
        unknown: one.unknown || other.unknown,
        out: one.out || other.out,
        marks: one.marks | other.marks,
    }
}

/// Gives results that may be the same new memory a number in common.
fn number_new(
    reading: &super::Reading<'_>,
    origins: &mut Origins<'_>,
    results: &mut [Option<Returned>],
    values: &[Vec<ValueId>],
) {
    let returns = reading.returned.len();
    let is_new = |result: &Option<Returned>| result.as_ref().is_some_and(|one| !one.new.is_empty());
    for at in 0..results.len() {
        if !is_new(&results[at]) {
            continue;
        }
        let mut numbers: SmallVec<[u32; 1]> = SmallVec::new();
        for before in (0..at).filter(|before| is_new(&results[*before])) {
            let mut turns = 0..returns;
            let may_be_same = turns.any(|turn| {
                let (one, other) = (values[before][turn], values[at][turn]);
                origins.relation(one, other) != Relation::Never
            });
            // It may be another one on each way.
            if let Some(other) = results[before].as_ref().filter(|_| may_be_same) {
                numbers.extend(other.new.iter().copied());
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            numbers.push(at as u32);
        }
        if let Some(result) = &mut results[at] {
            result.new = numbers;
        }
    }
}
