//! Values of a function that are in use after it returns.

use crate::{
    callee::Callees,
    trace::{self, Contract, Question},
    value_graph::{Node, Reached, ValueGraph},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, results},
};
use memplan_semantics::Semantics;

/// Addresses and numbers that leave a function: returned, captured, or freed.
pub struct Escaping {
    graph: ValueGraph,
    escaping: Reached,
}

impl Escaping {
    /// Escaping values of a function with a body. `callees` has the effects of calls.
    pub fn of(function: Op<'_>, semantics: &mut Semantics, callees: &dyn Callees) -> Option<Self> {
        let question = Question {
            contract: Contract::AsWritten,
            numbers: true,
            describe: |op, semantics| semantics.of(op),
        };
        let trace = trace::of(function_body(function)?, semantics, callees, question);
        let returned = trace.returned.iter();
        let mut sinks: Vec<Node> = returned
            .flat_map(|returned| [returned.address, returned.numbers])
            .collect();
        sinks.extend([Node::CAPTURED, Node::FREED]);
        let escaping = trace.graph.reaching(&sinks, true);
        Some(Self {
            graph: trace.graph,
            escaping,
        })
    }

    /// Whether a result of an operation, or a value that is computed from one, may leave the function.
    pub fn has_result_of(&self, op: Op<'_>) -> bool {
        results(op).any(|result| {
            let nodes = self.graph.find(result);
            nodes.is_some_and(|nodes| self.escaping.has(nodes.address))
        })
    }
}
