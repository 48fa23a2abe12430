//! Effects of calls: those of the callee's summary, or assumptions about an unknown callee.

use super::{Contract, Free, Holds, OpContext, Tracer};
use crate::{
    callee::Callee,
    summary::{FreesArgument, FunctionSummary, ResultFacet},
    value_graph::Node,
};
use memplan_mlir::{
    calls,
    ir::{Op, Val, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Capture, OpMemory, ResultFact,
    attributes::{OWNED_RESULTS, borrowed_by_call},
    names::OpKind,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'c> Tracer<'c, '_> {
    pub(super) fn call(&mut self, op: Op<'c>, memory: &OpMemory, place: OpContext) {
        self.trace.is_done |= op.has_attribute(OWNED_RESULTS);
        let range = calls::call_arguments(op).unwrap_or(0..0);
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        // Summaries do not describe effects on memrefs that are stored in the memory of arguments.
        for value in &given {
            if self.is_followed(*value) {
                self.trace.graph.outside(*value);
            }
        }
        let callees = self.callees;
        let callee = callees.callee(op);
        let mut facts = memory.results.iter();
        if memory.start.is_some() {
            self.goes_on(op);
        } else if facts.any(|used| used.fact == ResultFact::Token) {
            self.captures_all(op);
        }
        let by_type = |at: usize| {
            let used = memory.operand(at);
            used.is_some_and(|used| used.capture != Capture::No)
        };
        let (summary, is_known, borrowed) = match callee {
            Callee::Known(summary) => (summary, true, [].as_slice()),
            Callee::OneOf { summary, borrowed } => (summary, false, borrowed),
            Callee::Declared { captures, borrowed } => {
                for (at, value) in given.iter().enumerate() {
                    if captures || by_type(at) || !range.contains(&at) || self.is_kept(op, *value) {
                        self.captures(*value);
                    }
                }
                return self.not_known(op, memory, &given, borrowed);
            }
            Callee::Unseen => {
                self.captures_all(op);
                return self.not_known(op, memory, &given, &[]);
            }
            Callee::Unknown { borrowed } => {
                self.captures_all(op);
                return self.not_known(op, memory, &given, borrowed);
            }
        };
        for (at, value) in given.iter().enumerate() {
            if !range.contains(&at) || !is_known && (by_type(at) || self.is_kept(op, *value)) {
                self.captures(*value);
            }
        }
        let given = given.get(range).unwrap_or_default();
        self.arguments(summary, given, place);
        let returns = summary.is_union
            || summary.results.is_empty()
            || summary.results.len() == results(op).count();
        // A callee that copies its results need not be traced: they are new.
        let untraced = self.copies(summary).then(ResultFacet::default);
        let mut new = FxHashMap::default();
        for (at, result) in results(op).enumerate() {
            if borrowed.contains(&(at as u32)) && self.is_followed(result) {
                self.is_borrowed(result, given.iter().copied());
                continue;
            }
            let facet = summary.result(at).filter(|_| returns);
            match facet.or(untraced.as_ref().filter(|_| returns)) {
                Some(facet) => self.returned(op, summary, facet, (at, result), given, &mut new),
                None if returns => {}
                None => self.produced(result, std::iter::once(op)),
            }
        }
    }

    /// Results of an unknown callee.
    fn not_known(&mut self, op: Op<'c>, memory: &OpMemory, given: &[Val<'c>], borrowed: &[u32]) {
        for (at, result) in results(op).enumerate() {
            let address = match memory.result(at) {
                Some(ResultFact::Address { of }) => Some(of),
                _ => None,
            };
            let may_be = |at: u32| address.is_none_or(|of| of.contains(&at));
            let given = given.iter().zip(0..).filter(|(_, at)| may_be(*at));
            let given: SmallVec<[Val<'c>; 8]> = given.map(|(value, _)| *value).collect();
            if address.is_some() {
                given.iter().for_each(|value| self.captures(*value));
            }
            if !self.is_followed(result) {
                continue;
            }
            let is_memref = self.semantics.class(type_of(result)).holds_memref();
            if is_memref && self.question.contract == Contract::Ownership {
                match borrowed.contains(&(at as u32)) || is_borrowed_by_call(op, at) {
                    true => self.is_borrowed(result, given.iter().copied()),
                    false => self.is_new(result, &ResultFacet::default()),
                }
                continue;
            }
            if is_memref || address.is_some() {
                self.trace.graph.elsewhere(result);
            }
            for value in given {
                if self.is_followed(value) {
                    self.may_give(value, result);
                }
            }
        }
    }

    /// Whether a value is a pointer, or a number that may be an address, that an unknown callee may capture
    /// or free. For planning, a `func.func` without a body does neither.
    fn is_kept(&mut self, op: Op<'c>, value: Val<'c>) -> bool {
        let is_plain = self.question.contract != Contract::Ownership
            && self.semantics.info(op).kind == OpKind::FuncCall;
        !is_plain && !self.semantics.class(type_of(value)).holds_memref()
    }

    /// Records that an unknown callee may return a value, or a number that it computes from it.
    fn may_give(&mut self, value: Val<'c>, result: Val<'c>) {
        if self.is_data(result) && self.refers(value) {
            let (value, result) = (self.trace.graph.of(value), self.trace.graph.of(result));
            return self.trace.graph.edge(value.numbers, result.address);
        }
        self.trace.graph.alias(value, result);
        if self.is_data(value) && self.refers(result) {
            self.number_of(value, result);
        }
    }

    fn arguments(&mut self, summary: &FunctionSummary, given: &[Val<'c>], place: OpContext) {
        for (at, value) in given.iter().enumerate() {
            if !self.is_followed(*value) {
                continue;
            }
            let facet = summary.argument(at);
            if facet.is_captured {
                self.captures(*value);
            }
            if facet.is_number_captured {
                self.captures_number(*value);
            }
            if facet.frees != FreesArgument::No {
                let node = self.trace.graph.of(*value).address;
                let flag = match facet.frees {
                    FreesArgument::IfFlag(at) => given.get(at as usize).copied(),
                    _ => None,
                };
                self.trace.frees.push(Free {
                    segment: place.segment,
                    node,
                    in_order: place.in_order,
                    is_certain: flag.is_some() || facet.frees == FreesArgument::Always,
                    value: *value,
                    flag,
                    holds: Holds::Always,
                    flag_argument: None,
                    is_others_flag: flag.is_some(),
                });
            }
        }
    }

    /// A result of a known callee. `new`: new memory of earlier results, by id.
    fn returned(
        &mut self,
        op: Op<'c>,
        summary: &FunctionSummary,
        facet: &ResultFacet,
        (at, result): (usize, Val<'c>),
        given: &[Val<'c>],
        new: &mut FxHashMap<u32, Node>,
    ) {
        let argument = |at: &u32| given.get(*at as usize).copied();
        if !self.is_followed(result) {
            // A value that is not followed may be any address.
            for value in facet.address_of.iter().filter_map(argument) {
                if self.refers(value) {
                    self.captures(value);
                }
            }
            return;
        }
        let is_memref = self.semantics.class(type_of(result)).holds_memref();
        for value in facet.address_of.iter().filter_map(argument) {
            if !self.is_followed(value) {
                continue;
            }
            // `may_be` lists the memrefs separately.
            match is_memref && self.semantics.class(type_of(value)).holds_memref() {
                true => self.trace.graph.measured(value, result, facet.is_address),
                false => self.trace.graph.address(value, result),
            }
            if self.is_data(value) {
                self.number_of(value, result);
            }
        }
        if facet.is_address {
            let node = self.trace.graph.of(result).address;
            self.trace.taken.push(node);
        }
        if !is_memref {
            return;
        }
        let is_by_ownership = self.question.contract == Contract::Ownership;
        if facet.is_borrowed && is_by_ownership {
            if facet.is_moved {
                self.trace.graph.moved(result);
            }
            let arguments = facet.may_be.iter().filter_map(argument);
            return match facet.is_argument() {
                true => self.is_one_of(result, arguments),
                false => self.is_borrowed(result, arguments),
            };
        }
        if is_by_ownership && is_borrowed_by_call(op, at) {
            return self.is_borrowed(result, given.iter().copied());
        }
        if self.copies(summary) {
            return self.is_new(result, facet);
        }
        let to = self.trace.graph.of(result).address;
        for number in &facet.new {
            let graph = &mut self.trace.graph;
            let node = *new.entry(*number).or_insert_with(|| graph.node());
            graph.edge(node, to);
            if facet.is_new_captured && !is_by_ownership {
                graph.edge(node, Node::CAPTURED);
            }
            self.trace.new.push((node, facet.freed_by));
        }
        if facet.is_new() {
            // The callee may refer to memrefs that are stored there.
            self.trace.graph.outside(result);
        }
        if facet.is_moved {
            self.trace.graph.moved(result);
        }
        let is_flagged = op.has_attribute(OWNED_RESULTS);
        for value in facet.may_be.iter().filter_map(argument) {
            if self.is_followed(value) {
                match is_flagged {
                    true => self.trace.graph.comes_back(value, result),
                    false => self.trace.graph.alias(value, result),
                }
            }
        }
        if facet.is_unknown {
            self.trace.graph.elsewhere(result);
        } else if facet.elsewhere {
            self.trace.graph.foreign(result);
        }
    }

    /// Records that a result is borrowed memory, or one of these arguments.
    fn is_borrowed(&mut self, result: Val<'c>, arguments: impl Iterator<Item = Val<'c>>) {
        self.trace.graph.elsewhere(result);
        self.is_one_of(result, arguments);
    }

    /// Records that a result is the memory of one of these.
    fn is_one_of(&mut self, result: Val<'c>, arguments: impl Iterator<Item = Val<'c>>) {
        for value in arguments {
            if self.is_followed(value) && self.semantics.class(type_of(value)).holds_memref() {
                self.trace.graph.alias(value, result);
            }
        }
    }

    /// Whether results of a callee are new because it copies memrefs that it does not own.
    fn copies(&self, summary: &FunctionSummary) -> bool {
        self.question.contract == Contract::Ownership && summary.copies_returned
    }

    /// Records that a result may be new memory.
    fn is_new(&mut self, result: Val<'c>, facet: &ResultFacet) {
        let node = self.trace.graph.of(result).address;
        self.trace.new.push((node, facet.freed_by));
        // The callee may refer to memrefs that are stored there.
        self.trace.graph.outside(result);
    }
}

/// Whether a call marks a result as borrowed. If the attribute does not match its results, any may be.
fn is_borrowed_by_call(call: Op<'_>, result: usize) -> bool {
    borrowed_by_call(call).is_ok_and(|borrowed| borrowed.contains(&result))
}
