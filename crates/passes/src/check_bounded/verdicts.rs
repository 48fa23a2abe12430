//! Decides which functions are bounded, over chains of calls.

use super::{
    codes, error,
    faults::{Seen, read},
};
use memplan_flow::{Event, Graph, depth_first};
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;
use memplan_summaries::{FunctionId, Symbols};
use rustc_hash::FxHashMap;

/// Verdicts on all functions.
pub struct Verdicts<'c> {
    functions: Vec<Op<'c>>,
    seen: Vec<Seen<'c>>,
    /// For each function, its calls with the indices of the callees.
    calls: Vec<Vec<(Op<'c>, usize)>>,
    /// For each unbounded function, the call to blame, unless it has a fault of its own.
    blame: Vec<Option<Blame>>,
    /// For each unbounded function, the function at the end of the chain of calls to blame.
    end: Vec<usize>,
}

/// Largest number of calls of a chain that are named.
const MOST_LINKS: usize = 8;

/// Cause for a function being unbounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blame {
    /// A fault of its own.
    Own,
    /// A call of an unbounded function, by index.
    Call(usize),
    /// A recursive call, by index.
    Circle(usize),
}

impl<'c> Verdicts<'c> {
    /// Reads all functions.
    pub fn of(functions: &[Op<'c>], sees_all: bool) -> Self {
        let mut semantics = Semantics::default();
        let mut symbols = sees_all.then(Symbols::default);
        let places: FxHashMap<Key, usize> = functions
            .iter()
            .enumerate()
            .map(|(place, function)| (function.key(), place))
            .collect();
        let seen: Vec<Seen<'c>> = functions
            .iter()
            .map(|function| read(*function, symbols.as_mut(), &mut semantics))
            .collect();
        let calls = seen
            .iter()
            .map(|seen| {
                let calls = seen.calls.iter();
                calls
                    .filter_map(|(op, callee)| Some((*op, *places.get(&callee.key())?)))
                    .collect()
            })
            .collect();
        let mut verdicts = Self {
            functions: functions.to_vec(),
            blame: seen
                .iter()
                .map(|seen| (!seen.faults.is_empty()).then_some(Blame::Own))
                .collect(),
            end: (0..functions.len()).collect(),
            seen,
            calls,
        };
        verdicts.circles();
        verdicts.callers();
        verdicts
    }

    /// Finds recursive calls by a depth-first search over the calls.
    fn circles(&mut self) {
        let graph = Graph::new(self.functions.len(), |caller: FunctionId| {
            let calls = self.calls[caller.index()].iter();
            calls.map(|(_, callee)| FunctionId::new(*callee))
        });
        for event in depth_first(&graph, graph.nodes()) {
            // This call closes a cycle.
            if let Event::Visited {
                from,
                number,
                is_back_edge: true,
                ..
            } = event
            {
                self.blame[from.index()].get_or_insert(Blame::Circle(number));
            }
        }
    }

    /// Marks the callers of unbounded functions.
    fn callers(&mut self) {
        let mut callers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.functions.len()];
        for (caller, calls) in self.calls.iter().enumerate() {
            for (number, (_, callee)) in calls.iter().enumerate() {
                callers[*callee].push((caller, number));
            }
        }
        let all = self.blame.iter().enumerate();
        let mut work: Vec<usize> = all
            .filter(|(_, blame)| blame.is_some())
            .map(|(at, _)| at)
            .collect();
        while let Some(at) = work.pop() {
            for (caller, number) in callers[at].clone() {
                if self.blame[caller].is_none() {
                    self.blame[caller] = Some(Blame::Call(number));
                    self.end[caller] = self.end[at];
                    work.push(caller);
                }
            }
        }
    }

    /// Reports the faults of a function; false if it has none.
    pub fn tell(&self, number: usize) -> bool {
        for fault in &self.seen[number].faults {
            error(fault.op, fault.code, &fault.what).emit();
        }
        for (call, (op, callee)) in self.calls[number].iter().enumerate() {
            let closes = self.blame[number] == Some(Blame::Circle(call));
            if closes || self.blame[*callee].is_some() {
                self.tell_call(number, *op, *callee, closes);
            }
        }
        self.blame[number].is_some()
    }

    fn tell_call(&self, caller: usize, op: Op<'c>, callee: usize, closes: bool) {
        let name = |number: usize| symbol_name(self.functions[number]);
        let (code, message) = match closes {
            true => (
                codes::RECURSION,
                format!(
                    "the call of @{} is recursive: it reaches @{}",
                    name(callee),
                    name(caller)
                ),
            ),
            false => (
                codes::CALLS_UNBOUNDED,
                format!("it calls @{}, which is not bounded", name(callee)),
            ),
        };
        let mut diagnostic = error(op, code, &message);
        // The first calls of the chain, each function once, and its end.
        let mut at = callee;
        let mut passed = vec![caller];
        while !passed.contains(&at) {
            passed.push(at);
            let link = match self.blame[at] {
                Some(Blame::Call(call) | Blame::Circle(call)) => Some(call),
                // The chain comes back.
                None => {
                    let calls = self.calls[at].iter();
                    calls.enumerate().map(|(call, _)| call).next()
                }
                Some(Blame::Own) => None,
            };
            let Some(call) = link else {
                if let Some(fault) = self.seen[at].faults.first() {
                    diagnostic = diagnostic.note(fault.op.location(), fault.what.clone());
                }
                break;
            };
            let (op, next) = self.calls[at][call];
            if passed.len() > MOST_LINKS {
                diagnostic = self.cut(diagnostic, op, at);
                break;
            }
            let text = format!("@{} calls @{} here", name(at), name(next));
            diagnostic = diagnostic.note(op.location(), text);
            at = next;
        }
        diagnostic.emit();
    }
    /// Adds a note with the end of a chain of calls that is too long to be listed.
    fn cut(&self, diagnostic: Diagnostic<'c>, call: Op<'c>, caller: usize) -> Diagnostic<'c> {
        let end = self.end[caller];
        let name = symbol_name(self.functions[end]);
        match self.seen[end].faults.first() {
            Some(fault) => diagnostic
                .note(call.location(), format!("and so on, to @{name}"))
                .note(fault.op.location(), fault.what.clone()),
            None => diagnostic.note(call.location(), "and so on, to the recursive call"),
        }
    }
}
