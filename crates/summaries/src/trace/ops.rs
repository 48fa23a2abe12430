//! Effects of one operation on addresses, and on numbers that may be addresses.

use super::{Contract, Free, Holds, OpContext, Tracer};
use crate::{
    spilled::{DescriptorAccess, SpilledDescriptors},
    value_graph::Node,
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{Op, Val, arguments, blocks, operand, operands, ops, regions, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Allocator, Capture, OpMemory, OperandUse, ResultFact, Unnamed, c_allocation,
    names::{NameInfo, OpKind},
};
use smallvec::SmallVec;

/// Operands of an operation.
type Given<'c> = SmallVec<[Val<'c>; 8]>;

impl<'c> Tracer<'c, '_> {
    /// An operation whose regions, if any, are not followed.
    pub(super) fn op(&mut self, op: Op<'c>, place: OpContext) {
        let info = self.semantics.info(op);
        let has_regions = regions(op).next().is_some();
        if !has_regions && !self.question.numbers && !info.is_call() && !self.semantics.concerns(op)
        {
            return;
        }
        self.uses_inside(op);
        let memory = self.describe(op);
        if !has_regions || info.is_function() || info.is_symbol_table() {
            return self.simple(op, info, &memory, place);
        }
        let is_known = info.has_memory_effects() || info.has_recursive_effects();
        let escapes = place.escapes || memory.regions.outlives() || !is_known;
        let inside = OpContext {
            in_order: false,
            escapes,
            ..place
        };
        match escapes {
            true => self.unknown(op),
            false => self.simple(op, info, &memory, place),
        }
        self.nested(op, Some(&memory), inside);
    }

    /// Operations that are nested in one, in unknown order. `memory`: effects of the parent itself.
    pub(super) fn nested(&mut self, op: Op<'c>, memory: Option<&OpMemory>, place: OpContext) {
        let entries = regions(op).flat_map(blocks).flat_map(arguments);
        let inner: SmallVec<[Val<'c>; 8]> = entries.collect();
        for argument in &inner {
            self.produced(*argument, std::iter::once(op));
            if self.semantics.class(type_of(*argument)).holds_memref() {
                self.captures_all(op);
            }
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            if self.semantics.info(nested).is_terminator() {
                self.leaves(nested, op, memory, &inner);
            }
            if place.escapes {
                self.captures_all(nested);
            }
            self.op(nested, place);
        }
    }

    /// A terminator with unknown destinations. Its numbers may reach all that the parent writes or returns.
    fn leaves(&mut self, end: Op<'c>, op: Op<'c>, memory: Option<&OpMemory>, inner: &[Val<'c>]) {
        let written = memory.filter(|memory| !memory.unnamed.writes && memory.opaque.is_none());
        let Some(memory) = written else {
            return self.captures_all(end);
        };
        let writes = memory.operands.iter().filter(|used| used.touch.writes());
        let written: Given<'c> = writes
            .filter_map(|used| operand(op, used.operand))
            .collect();
        for value in operands(end) {
            if !self.is_followed(value) {
                continue;
            }
            if !self.is_data(value) {
                self.captures(value);
                continue;
            }
            for memref in &written {
                self.trace.graph.store(value, *memref);
            }
            for target in results(op).chain(inner.iter().copied()) {
                self.may_be_part(value, target);
            }
        }
    }

    /// An operation of unknown effects.
    fn unknown(&mut self, op: Op<'c>) {
        self.captures_all(op);
        for result in results(op) {
            self.produced(result, std::iter::once(op));
        }
    }

    fn simple(&mut self, op: Op<'c>, info: NameInfo, memory: &OpMemory, place: OpContext) {
        self.allocates(op, memory, place);
        if memory.is_call {
            return self.call(op, memory, place);
        }
        if memory.opaque.is_some() {
            return self.unknown(op);
        }
        if SpilledDescriptors::concern(info)
            && let Some(word) = self.spilled.of(op)
        {
            return self.word(op, word);
        }
        let given: Given<'c> = operands(op).collect();
        for used in &memory.operands {
            let value = given[used.operand as usize];
            match used.capture {
                Capture::No => {}
                Capture::Inside(at) if self.is_followed(value) => {
                    self.trace.graph.store(value, given[at as usize]);
                }
                Capture::Inside(_) | Capture::Anywhere => self.captures(value),
            }
            if used.frees.is_some() && self.is_followed(value) {
                self.frees(op, memory, used, (value, &given), place);
            }
        }
        if memory.start.is_some() {
            self.goes_on(op);
        }
        self.moves_contents(memory, &given);
        if self.question.numbers {
            self.stores_numbers(info, memory, &given);
        }
        self.results(op, memory, &given);
    }

    /// A field of a spilled descriptor stays with its memref.
    fn word(&mut self, op: Op<'c>, word: DescriptorAccess<'c>) {
        for result in results(op) {
            match word {
                DescriptorAccess::Stored => {}
                DescriptorAccess::Memref(memref) => {
                    self.trace.graph.alias(memref, result);
                    // The fields may have changed places.
                    self.trace.graph.moved(result);
                }
                DescriptorAccess::Address(memref) => self.is_address_of(memref, result),
            }
        }
    }

    /// Records that the result of an operation may be an address of a memref.
    fn is_address_of(&mut self, memref: Val<'c>, result: Val<'c>) {
        if !self.is_followed(memref) {
            return;
        }
        if !self.is_followed(result) {
            return self.captures(memref);
        }
        self.trace.graph.address(memref, result);
        let node = self.trace.graph.of(result).address;
        self.trace.taken.push(node);
    }

    fn frees(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        used: &OperandUse,
        (value, given): (Val<'c>, &Given<'c>),
        place: OpContext,
    ) {
        let Some(frees) = used.frees else { return };
        let flag = frees.flag.map(|at| given[at as usize]);
        self.trace.is_done |= flag.is_some();
        let all = memory
            .operands
            .iter()
            .map(|used| given[used.operand as usize]);
        let memrefs: Given<'c> = all.filter(|value| self.is_followed(*value)).collect();
        let frees_only = || {
            memory.only_frees()
                && memrefs.len() == 1
                && results(op).next().is_none()
                && !op.has_attribute(MANUAL_DEALLOCATION)
        };
        // An operation with more effects, or an asynchronous one, may use it afterwards.
        if flag.is_none() && !used.is_taken() && !frees_only() {
            return self.captures(value);
        }
        let node = self.trace.graph.of(value).address;
        self.trace.frees.push(Free {
            segment: place.segment,
            node,
            in_order: place.in_order,
            is_certain: flag.is_none() || memory.retained.is_empty(),
            value,
            flag,
            holds: Holds::Always,
            flag_argument: None,
            is_others_flag: false,
        });
    }

    /// Records that memrefs that are read may be written.
    fn moves_contents(&mut self, memory: &OpMemory, given: &Given<'c>) {
        let mut pairs: SmallVec<[(Val<'c>, bool, bool); 4]> = SmallVec::new();
        for used in &memory.operands {
            let value = given[used.operand as usize];
            if self.is_followed(value) {
                pairs.push((value, used.touch.reads(), used.touch.writes()));
            }
        }
        let (mut reads, mut writes) = (false, false);
        for (_, is_read, is_written) in &pairs {
            reads |= is_read;
            writes |= is_written;
        }
        if !reads || !writes || pairs.len() < 2 {
            return;
        }
        let (through, deep) = (self.trace.graph.node(), self.trace.graph.node());
        for (value, is_read, is_written) in pairs {
            let nodes = self.trace.graph.of(value);
            if is_read {
                self.trace.graph.edge(nodes.contents, through);
            }
            if is_written {
                self.trace.graph.edge(through, nodes.contents);
            }
            // The memory that they refer to is the same on both sides.
            self.trace.graph.same(nodes.deep, deep);
        }
    }

    /// Records that numbers and pointers may be written to the written memory, or anywhere. An index is
    /// neither.
    fn stores_numbers(&mut self, info: NameInfo, memory: &OpMemory, given: &Given<'c>) {
        if memory.unnamed == Unnamed::default() && !memory.writes() {
            return;
        }
        let is_unnamed = memory.unnamed.writes || memory.unnamed.allocates;
        if is_unnamed {
            for value in given {
                self.captures_number(*value);
            }
        }
        let is_anywhere = is_unnamed || memory.unnamed.other_resources;
        let writes = memory.operands.iter().filter(|used| used.touch.writes());
        let written: Given<'c> = writes.map(|used| given[used.operand as usize]).collect();
        for (at, value) in given.iter().enumerate() {
            let is_index = info.kind == OpKind::Store && at > 0;
            if is_index || !self.is_data(*value) || !self.is_followed(*value) {
                continue;
            }
            match is_anywhere {
                true => self.captures(*value),
                false => {
                    for memref in &written {
                        self.trace.graph.store(*value, *memref);
                    }
                }
            }
        }
    }

    /// Captures a number or pointer, or the numbers of a memref.
    pub(super) fn captures_number(&mut self, value: Val<'c>) {
        if self.semantics.class(type_of(value)).holds_memref() {
            let numbers = self.trace.graph.of(value).numbers;
            self.trace.graph.edge(numbers, Node::CAPTURED);
        } else {
            self.captures(value);
        }
    }

    fn results(&mut self, op: Op<'c>, memory: &OpMemory, given: &Given<'c>) {
        for (at, result) in results(op).enumerate() {
            let fact = memory.result(at);
            if let Some(ResultFact::Address { of }) = fact {
                if self.question.contract == Contract::Ownership
                    && c_allocation::makes_memref(op, self.semantics)
                {
                    let node = self.trace.graph.of(result).address;
                    self.trace.new.push((node, Some(Allocator::Memref)));
                    continue;
                }
                for at in of {
                    self.is_address_of(given[*at as usize], result);
                }
            }
            if !self.is_followed(result) {
                continue;
            }
            match fact {
                Some(ResultFact::Address { of }) => {
                    let is_memref = self.semantics.class(type_of(result)).holds_memref();
                    if is_memref || of.is_empty() && !self.is_data(result) {
                        self.trace.graph.elsewhere(result);
                    }
                    for at in of {
                        let from = given[*at as usize];
                        let used = memory.operand(*at as usize);
                        if used.is_some_and(|used| used.touch.reads()) && self.is_followed(from) {
                            self.trace.graph.load(from, result);
                        }
                    }
                }
                Some(fact) => self.result(op, memory, (result, fact), given),
                None => self.computed(memory, result, given),
            }
            if fact.is_some() && self.question.numbers {
                for number in given {
                    if self.is_data(*number) && self.is_followed(*number) {
                        self.number_of(*number, result);
                    }
                }
            }
        }
    }

    /// A result that can hold an address.
    fn result(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        (result, fact): (Val<'c>, &ResultFact),
        given: &Given<'c>,
    ) {
        let alias = |tracer: &mut Self, of: u32| {
            let from = given[of as usize];
            if tracer.is_followed(from) {
                tracer.trace.graph.alias(from, result);
            }
        };
        match fact {
            ResultFact::View { of, start } => {
                alias(self, *of);
                if start.moves(op) {
                    self.trace.graph.moved(result);
                }
            }
            ResultFact::AnyOf(of) => of.iter().for_each(|of| alias(self, *of)),
            ResultFact::Unknown { may_be: of } => {
                of.iter().for_each(|of| alias(self, *of));
                self.trace.graph.elsewhere(result);
            }
            ResultFact::Loaded { from } => {
                self.trace.graph.load(given[*from as usize], result);
            }
            ResultFact::New {
                by,
                automatic,
                may_share,
            } => {
                let is_copy = |of: &u32| {
                    let used = memory.operand(*of as usize);
                    self.question.contract != Contract::AsWritten
                        && used.is_some_and(|used| used.frees.is_none())
                };
                if let Some(of) = may_share.filter(|of| !is_copy(of)) {
                    alias(self, of);
                }
                let node = self.trace.graph.of(result).address;
                let is_copied = self.question.contract == Contract::Ownership
                    && (*automatic
                        || *by == Allocator::Program
                        || op.has_attribute(MANUAL_DEALLOCATION));
                let freed_by = match is_copied {
                    true => Allocator::Memref,
                    false => by.counterpart(),
                };
                self.trace.new.push((node, Some(freed_by)));
            }
            ResultFact::Borrowed => self.trace.graph.foreign(result),
            ResultFact::Token => self.trace.graph.elsewhere(result),
            ResultFact::Address { .. } => {}
        }
    }

    /// A result that is computed from operands, or read from their memory.
    fn computed(&mut self, memory: &OpMemory, result: Val<'c>, given: &Given<'c>) {
        for (at, value) in given.iter().enumerate() {
            if !self.is_followed(*value) {
                continue;
            }
            let touch = memory.operand(at).map(|used| used.touch);
            if touch.is_some_and(|touch| touch.reads()) {
                self.trace.graph.load(*value, result);
            } else if self.semantics.class(type_of(*value)).holds_memref() {
                let (value, result) = (self.trace.graph.of(*value), self.trace.graph.of(result));
                self.trace.graph.edge(value.numbers, result.address);
            } else {
                self.trace.graph.alias(*value, result);
            }
        }
    }
}
