//! Unbounded operations of a function, and its calls.

use super::codes;
use crate::{
    block_graph::reached_blocks,
    bounded::size::{Sizes, Unbounded},
    codes::NEEDS_MODULE,
};
use memplan_mlir::{
    calls::{callee_symbol, function_body},
    codes::Code,
    ir::{
        Identity, Key, Op, Origin, Region, Val, blocks, has_mark, is_memref, operands, ops, origin,
        regions, symbol_name, type_of,
    },
    layout::element_count,
};
use memplan_semantics::{Form, Loop, Semantics, attributes::BOUNDED, declared::is_described};
use memplan_summaries::Symbols;
use rustc_hash::FxHashSet;

/// An unbounded operation.
pub struct Fault<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Kind of fault.
    pub code: &'static Code,
    /// The message.
    pub what: String,
}

/// Faults and calls of one function.
#[derive(Default)]
pub struct Seen<'c> {
    /// Faults, in program order.
    pub faults: Vec<Fault<'c>>,
    /// Calls of functions with a body, in program order.
    pub calls: Vec<(Op<'c>, Op<'c>)>,
}

/// Reads a function. Callees are inspected only with the symbols of the module.
pub fn read<'c>(
    function: Op<'c>,
    symbols: Option<&mut Symbols<'c>>,
    semantics: &mut Semantics,
) -> Seen<'c> {
    let mut reader = BoundednessReader {
        seen: Seen::default(),
        symbols,
        semantics,
        inductions: FxHashSet::default(),
    };
    if let Some(body) = function_body(function) {
        reader.region(body);
    }
    reader.seen
}

struct BoundednessReader<'c, 'n> {
    seen: Seen<'c>,
    symbols: Option<&'n mut Symbols<'c>>,
    semantics: &'n mut Semantics,
    /// Induction variables of the enclosing loops of constant trip count.
    inductions: FxHashSet<Key>,
}

impl<'c> BoundednessReader<'c, '_> {
    fn fault(&mut self, op: Op<'c>, code: &'static Code, what: impl Into<String>) {
        let what = what.into();
        self.seen.faults.push(Fault { op, code, what });
    }

    fn region(&mut self, region: Region<'c>) {
        // Each loop in it reports its own fault.
        if blocks(region).nth(1).is_some()
            && let Err(Unbounded::BackEdge(op)) = Sizes::new(self.semantics, true).region(region)
        {
            self.fault(
                op,
                codes::UNSTRUCTURED_LOOP,
                "blocks form an unstructured loop",
            );
        }
        // Unreachable code does nothing.
        for op in reached_blocks(region).into_iter().flat_map(ops) {
            self.op(op, false);
        }
    }

    /// Checks an operation. `in_counted`: an enclosing loop was checked as a whole, so loops of constant trip
    /// count are fine.
    fn op(&mut self, op: Op<'c>, in_counted: bool) {
        let info = self.semantics.info(op);
        let form = self.semantics.form(op);
        let mut inside = in_counted;
        if form == Form::Counted {
            if !in_counted && let Err(reason) = Sizes::new(self.semantics, false).operation(op) {
                match reason {
                    Unbounded::Loop(inner, reason) => {
                        let what = reason.text();
                        self.fault(
                            inner,
                            codes::NO_TRIP_COUNT,
                            format!("the trip count of the loop is not constant: {what}"),
                        );
                    }
                    Unbounded::BackEdge(_) => {}
                }
            }
            let found = Loop::of(op, self.semantics);
            let only = found.as_ref().and_then(Loop::only_dimension);
            self.inductions
                .extend(only.map(|only| only.induction.key()));
            inside = true;
        } else if form == Form::Repeated {
            self.fault(op, codes::WHILE, "an scf.while has no constant trip count");
        } else if let Some(around) = Loop::of(op, self.semantics) {
            // Induction variables of loops with constant trip count are constant in each iteration.
            let known = &self.inductions;
            let number = |value: Val<'c>| (in_counted && known.contains(&value.key())).then_some(1);
            if let Err(reason) = around.is_constant(self.semantics, &number) {
                let what = reason.text();
                self.fault(
                    op,
                    codes::NO_TRIP_COUNT,
                    format!("the trip count of the loop is not constant: {what}"),
                );
            }
        } else if !(info.is_registered() || is_described(op)) {
            self.fault(op, codes::UNKNOWN, "the operation is unknown");
        }
        if let Some(what) = walks_unknown_size(op, self.semantics) {
            self.fault(op, codes::ANY_SIZE, what);
        }
        if info.is_call() {
            self.call(op);
        }
        for region in regions(op) {
            if inside {
                for inner in blocks(region).flat_map(ops) {
                    self.op(inner, true);
                }
            } else {
                self.region(region);
            }
        }
    }

    fn call(&mut self, op: Op<'c>) {
        if callee_symbol(op).is_none() {
            return self.fault(
                op,
                codes::INDIRECT,
                "the call is indirect: the callee is unknown",
            );
        }
        let Some(symbols) = &mut self.symbols else {
            return self.fault(
                op,
                NEEDS_MODULE,
                "a function pass cannot inspect the callee; schedule the pass on builtin.module",
            );
        };
        match symbols.callee(op, self.semantics.names()) {
            Some(function) if function_body(function).is_some() => {
                self.seen.calls.push((op, function));
            }
            Some(function) if has_mark(function, BOUNDED) => {}
            Some(function) => {
                let name = symbol_name(function);
                self.fault(
                    op,
                    codes::NO_BODY,
                    format!("@{name} has no body; if it is bounded, mark it {BOUNDED}"),
                );
            }
            None => self.fault(op, codes::NO_BODY, "the callee is not in the module"),
        }
    }
}

/// Operations that iterate over a memref of dynamic size, if it is not a view of a static one.
fn walks_unknown_size(op: Op<'_>, semantics: &mut Semantics) -> Option<&'static str> {
    if !semantics.table_facts(op).walks {
        return None;
    }
    let mut is_unknown = |value: Val<'_>| {
        let mut at = value;
        while element_count(type_of(at)).is_none() {
            let source = match origin(at) {
                Some(Origin::Result(view, _)) => {
                    let source = semantics.of(view).view_source();
                    source.and_then(|source| operands(view).nth(source as usize))
                }
                _ => None,
            };
            match source {
                Some(source) if is_memref(type_of(source)) => at = source,
                _ => return true,
            }
        }
        false
    };
    let mut given = operands(op).filter(|value| is_memref(type_of(*value)));
    given
        .any(&mut is_unknown)
        .then_some("it iterates over a memref of dynamic size: its trip count is not constant")
}
