//! What each function of a module does with its memref arguments.

use crate::{
    alias::{Aliases, Root},
    policy::{CallPolicy, Callees},
    read,
    reason::Reason,
};
use memplan_mlir::{
    calls::{self, callee_symbol, flat_name},
    ir::{Identity, Key, Op, blocks, ops, parent, regions, symbol_name},
    layout::DataLayout,
    names::Names,
};
use rustc_hash::FxHashMap;

/// The symbol table that a call's symbol is looked up in, and the symbol.
type Reference = (Key, Key);

fn nearest_table<'c>(op: Op<'c>, names: &mut Names) -> Option<Op<'c>> {
    let mut at = parent(op);
    while let Some(op) = at {
        if names.info(op).is_symbol_table() {
            return Some(op);
        }
        at = parent(op);
    }
    None
}

/// For passes that run on a module: what each function's body does with its arguments, found
/// before anything is changed.
#[derive(Debug, Default)]
pub struct Summaries {
    /// What a symbol refers to: a function, by its place in `kept`, or one without a body.
    targets: FxHashMap<Reference, Option<usize>>,
    /// For each function, which arguments it keeps or frees.
    kept: Vec<Vec<bool>>,
    bodyless_keep: bool,
}

impl Summaries {
    /// Looks into all functions that are called. An argument is kept if the body stores it, frees
    /// it, hands it to what keeps it, or loses sight of it; returning it is not keeping. Functions
    /// that call each other are solved together, from the assumption that they keep nothing.
    pub fn of<'c>(functions: impl IntoIterator<Item = Op<'c>>, bodyless_keep: bool) -> Self {
        let functions: Vec<Op<'c>> = functions.into_iter().collect();
        let mut names = Names::default();
        let mut summaries = Self {
            targets: FxHashMap::default(),
            kept: vec![Vec::new(); functions.len()],
            bodyless_keep,
        };
        let callers = summaries.resolve(&functions, &mut names);
        let is_called = |index: usize| !callers[index].is_empty();
        let mut work: Vec<usize> = (0..functions.len()).filter(|at| is_called(*at)).collect();
        let mut queued: Vec<bool> = (0..functions.len()).map(is_called).collect();
        work.reverse();
        while let Some(index) = work.pop() {
            queued[index] = false;
            let kept = summaries.arguments_kept(functions[index], &mut names);
            if summaries.kept[index] == kept {
                continue;
            }
            summaries.kept[index] = kept;
            for caller in &callers[index] {
                if is_called(*caller) && !std::mem::replace(&mut queued[*caller], true) {
                    work.push(*caller);
                }
            }
        }
        summaries
    }

    /// Finds what each call calls. Returns, for each function, the functions that call it.
    fn resolve(&mut self, functions: &[Op<'_>], names: &mut Names) -> Vec<Vec<usize>> {
        let places: FxHashMap<Key, usize> = functions
            .iter()
            .enumerate()
            .map(|(place, function)| (function.key(), place))
            .collect();
        let mut tables: FxHashMap<Key, FxHashMap<String, Key>> = FxHashMap::default();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (caller, function) in functions.iter().enumerate() {
            for call in calls_in(*function, names) {
                let (Some(symbol), Some(table)) = (callee_symbol(call), nearest_table(call, names))
                else {
                    continue;
                };
                let reference = (table.key(), symbol.key());
                let target = match self.targets.get(&reference) {
                    Some(target) => *target,
                    None => {
                        let found = match flat_name(symbol) {
                            Some(name) => {
                                let table = tables.entry(table.key()).or_insert_with(|| {
                                    let symbols = regions(table).flat_map(blocks).flat_map(ops);
                                    symbols.map(|op| (symbol_name(op), op.key())).collect()
                                });
                                table.get(&name).copied()
                            }
                            None => calls::callee(call).map(|callee| callee.key()),
                        };
                        let Some(found) = found else { continue };
                        let target = places.get(&found).copied();
                        self.targets.insert(reference, target);
                        target
                    }
                };
                if let Some(target) = target
                    && callers[target].last() != Some(&caller)
                {
                    callers[target].push(caller);
                }
            }
        }
        callers
    }

    fn arguments_kept(&self, function: Op<'_>, names: &mut Names) -> Vec<bool> {
        let mut layout = DataLayout::at(function);
        let (program, _) = read::read(function, names, &mut layout, self);
        let aliases = Aliases::of(&program);
        let (_, mut arguments) = aliases.escapes(&program, |reason| reason != Reason::Returned);
        let mut seen = vec![false; program.values.len()];
        for dealloc in &program.deallocs {
            aliases.visit_origins(&program, dealloc.value, &mut seen, |root| {
                if let Root::Argument(number) = root {
                    arguments[number as usize].get_or_insert(Reason::FreedElsewhere);
                }
            });
        }
        let mut kept: Vec<bool> = Vec::new();
        for (place, reason) in program.argument_places.iter().zip(arguments) {
            kept.resize(*place, false);
            kept.push(reason.is_some());
        }
        kept
    }
}

/// The calls in a function, at any nesting.
fn calls_in<'c>(function: Op<'c>, names: &mut Names) -> Vec<Op<'c>> {
    fn walk<'c>(op: Op<'c>, names: &mut Names, calls: &mut Vec<Op<'c>>) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            let info = names.info(nested);
            if info.is_call() {
                calls.push(nested);
            }
            if !info.is_isolated() && regions(nested).next().is_some() {
                walk(nested, names, calls);
            }
        }
    }
    let mut calls = Vec::new();
    walk(function, names, &mut calls);
    calls
}

impl Summaries {
    /// What a call calls, as in `targets`.
    fn target(&self, call: Op<'_>) -> Option<Option<usize>> {
        let symbol = callee_symbol(call)?;
        let table = nearest_table(call, &mut Names::default())?;
        self.targets.get(&(table.key(), symbol.key())).copied()
    }
}

impl Callees for Summaries {
    fn policy(&self, call: Op<'_>, argument: usize) -> CallPolicy {
        match self.target(call) {
            None => CallPolicy::Indirect,
            Some(None) => CallPolicy::bodyless(self.bodyless_keep),
            Some(Some(function)) => {
                if self.kept[function].get(argument).copied().unwrap_or(false) {
                    CallPolicy::Keeps
                } else {
                    CallPolicy::Borrows
                }
            }
        }
    }

    fn is_of_borrower(&self, call: Op<'_>) -> bool {
        self.target(call) == Some(None) && !self.bodyless_keep
    }
}
