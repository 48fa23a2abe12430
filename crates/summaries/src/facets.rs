//! Computes the facets of a function from its traced body.

use crate::{
    callee::{self, Callees},
    summary::{
        ArgumentFacet, ArgumentNumbers, FreesArgument, FunctionSummary, NewNumbers, ResultFacet,
    },
    trace::{self, Argument, Contract, Question, Trace},
    value_graph::{Node, Reached, Root},
};
use memplan_mlir::ir::{Op, Region};
use memplan_semantics::{Allocator, Semantics, attributes};
use smallvec::SmallVec;

/// Summary of one function that copies the memrefs that it returns without owning them.
pub fn summary_of(
    function: Op<'_>,
    body: Region<'_>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    question: Question,
) -> FunctionSummary {
    of_body(function, body, semantics, callees, question, true)
}

/// Summary of a function with a body, from the summaries of its callees. `copies_returned`: the function
/// copies memrefs that it returns without owning them.
pub(crate) fn of_body(
    function: Op<'_>,
    body: Region<'_>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    question: Question,
    copies_returned: bool,
) -> FunctionSummary {
    let trace = trace::of(body, semantics, callees, question);
    let captured = trace.graph.reaching(&[Node::CAPTURED], true);
    // Summaries do not record which numbers are freed.
    let sinks = [Node::CAPTURED, Node::FREED, Node::FREED_IF_OWNED];
    let gone = question.numbers.then(|| trace.graph.reaching(&sinks, true));
    let arguments = trace.arguments.iter();
    let arguments = arguments.map(|argument| argument.facet(&captured, gone.as_ref()));
    let mut summary = FunctionSummary {
        arguments: arguments.collect(),
        results: vec![ResultFacet::default(); trace.returned.len()],
        copies_returned,
        is_union: false,
        heap: trace.heap(),
    };
    for (argument, frees) in freed(&trace, question.contract) {
        summary.arguments[argument].frees = frees;
    }
    let has_others = || {
        let mut new = trace.new.iter();
        new.any(|(_, freed_by)| *freed_by != Some(Allocator::Memref))
    };
    let borrowed = callee::borrowed(function, summary.results.len());
    let borrowed: SmallVec<[usize; 2]> = borrowed.collect();
    if question.numbers || !copies_returned || !borrowed.is_empty() || has_others() {
        let mut numbers = vec![None; trace.new.len()];
        for (at, result) in summary.results.iter_mut().enumerate() {
            *result = self::result(&trace, at, &captured, question, &mut numbers);
        }
    }
    for at in borrowed {
        summary.results[at].is_borrowed = true;
    }
    if question.contract == Contract::AsWritten {
        may_be_donated(function, &trace, &mut summary);
    }
    summary
}

/// Results may be donated arguments, as passes may make them so later.
fn may_be_donated(function: Op<'_>, trace: &Trace<'_>, summary: &mut FunctionSummary) {
    if !attributes::may_describe_arguments(function) {
        return;
    }
    let arguments = trace.arguments.iter().enumerate();
    let donated = arguments
        .filter(|(at, argument)| argument.is_memref && attributes::is_donated(function, *at));
    for (number, _) in donated {
        let results = summary.results.iter_mut().zip(&trace.returned);
        for (result, _) in results.filter(|(_, returned)| returned.is_memref) {
            if !result.may_be.contains(&(number as u32)) {
                result.may_be.push(number as u32);
                result.may_be.sort_unstable();
            }
        }
    }
}

impl Argument {
    fn facet(&self, captured: &Reached, gone: Option<&Reached>) -> ArgumentFacet {
        let number = match self.is_memref {
            true => self.nodes.numbers,
            false => self.nodes.address,
        };
        ArgumentFacet {
            is_captured: self.is_memref && captured.has(self.nodes.address),
            frees: FreesArgument::No,
            is_taken_over: false,
            is_number_captured: gone.is_none_or(|gone| gone.has(number)),
        }
    }
}

/// Arguments that a function frees.
fn freed(trace: &Trace<'_>, contract: Contract) -> Vec<(usize, FreesArgument)> {
    if trace.frees.is_empty() {
        return Vec::new();
    }
    let graph = &trace.graph;
    let freed = graph.reaching(&[Node::FREED], true);
    let freed_if_owned = graph.reaching(&[Node::FREED_IF_OWNED], false);
    let is_freed = |argument: &Argument| {
        let node = argument.nodes.address;
        argument.is_memref && (freed.has(node) || freed_if_owned.has(node))
    };
    if contract != Contract::Ownership {
        let arguments = trace.arguments.iter().enumerate();
        let freed = arguments.filter(|(_, argument)| is_freed(argument));
        return freed
            .map(|(at, _)| (at, FreesArgument::OnSomePaths))
            .collect();
    }
    let Some(roots) = &trace.roots else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (at, argument) in trace.arguments.iter().enumerate() {
        let alone = trace.frees_of(|node| roots.of(node) == Root::Sole(at as u32));
        if !argument.is_memref || (!is_freed(argument) && !alone.by_flag) {
            continue;
        }
        all.push((
            at,
            match alone.if_flag {
                _ if alone.on_all_paths => FreesArgument::Always,
                Some(flag) if !is_freed(argument) => FreesArgument::IfFlag(flag),
                _ => FreesArgument::OnSomePaths,
            },
        ));
    }
    all
}

/// Facet of a result. `numbers`: for new memory, the first result that may be it.
fn result(
    trace: &Trace<'_>,
    at: usize,
    captured: &Reached,
    question: Question,
    numbers: &mut [Option<u32>],
) -> ResultFacet {
    let returned = trace.returned[at];
    let graph = &trace.graph;
    let from = graph.reaching(&[returned.address], true);
    let with_numbers = graph.reaching(&[returned.address, returned.numbers], true);
    let is_source = |argument: &Argument| match argument.is_memref {
        // As a memref, it is one of those that the result may be.
        true => {
            !returned.is_memref && from.has(argument.nodes.address)
                || with_numbers.has(argument.nodes.numbers)
        }
        false => !question.numbers || with_numbers.has(argument.nodes.address),
    };
    let select = |which: &dyn Fn(&Argument) -> bool| -> ArgumentNumbers {
        let arguments = trace.arguments.iter().zip(0..);
        let chosen = arguments.filter(|(argument, _)| which(argument));
        chosen.map(|(_, number)| number).collect()
    };
    let new = || trace.new.iter().filter(|(node, _)| from.has(*node));
    let all = trace.new.iter().zip(numbers);
    let all = all.filter(|((node, _), _)| from.has(*node));
    let mut numbered: NewNumbers = all
        .map(|(_, number)| *number.get_or_insert(at as u32))
        .collect();
    numbered.sort_unstable();
    numbered.dedup();
    let is_unknown = returned.is_memref && from.has(Node::ELSEWHERE);
    ResultFacet {
        may_be: select(&|argument| {
            returned.is_memref && argument.is_memref && from.has(argument.nodes.address)
        }),
        elsewhere: is_unknown || returned.is_memref && from.has(Node::FOREIGN),
        is_unknown,
        new: numbered,
        is_new_captured: new().any(|(node, _)| captured.has(*node)),
        freed_by: match question.contract {
            Contract::Ownership => {
                let mut owned = new().filter(|(node, _)| !captured.has(*node));
                let other = owned.find(|(_, by)| *by != Some(Allocator::Memref));
                other.map_or(Some(Allocator::Memref), |(_, by)| *by)
            }
            // The allocator must be the same on all paths.
            Contract::AsWritten | Contract::ClonesCopy => {
                let first = new().next().map_or(Some(Allocator::Memref), |(_, by)| *by);
                first.filter(|_| new().all(|(_, by)| *by == first))
            }
        },
        is_moved: from.has(Node::MOVED),
        is_borrowed: false,
        address_of: select(&is_source),
        is_address: trace.taken.iter().any(|node| with_numbers.has(*node)),
    }
}
