//! What functions that the threads of a kernel call do: to memory that they receive, and to the threads.
//!
//! A callee is read as a kernel of its own. Its accesses become those of the call, before its first barrier, at any time in it, and
//! after its last barrier. A barrier counts if each path through the callee has one in uniform control; arguments count as
//! different in each thread.

use super::{
    Kernel,
    callees::{Argument, Callee, Callees},
    code::{self, Buffer, Code, What},
};
use crate::{graph::SegmentId, semantics::Semantics};
use memplan_interface::SkipReason;
use memplan_mlir::{
    calls::{callee, function_body},
    ir::{Identity, Op, Val, arguments, blocks, is_memref, ops, regions, type_of},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest chain of calls that is followed.
const MOST_DEPTH: usize = 32;

/// Reads the functions that kernels in these functions call. None of them may change meanwhile.
pub fn read_callees<'c>(
    functions: impl Iterator<Item = Op<'c>>,
    semantics: &mut Semantics,
) -> Callees {
    let mut reader = CalleeReader {
        semantics,
        found: Callees::default(),
    };
    for function in functions {
        reader.kernels(function, false);
    }
    reader.found
}

struct CalleeReader<'s> {
    semantics: &'s mut Semantics,
    found: Callees,
}

impl CalleeReader<'_> {
    fn kernels<'c>(&mut self, op: Op<'c>, is_inside: bool) {
        let is_inside = is_inside || Kernel::of(op, self.semantics).is_some();
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            let info = self.semantics.info(nested);
            if is_inside && info.is_call() {
                self.call(nested, 0);
            }
            if !info.is_function() && !info.is_symbol_table() {
                self.kernels(nested, is_inside);
            }
        }
    }

    fn calls<'c>(&mut self, op: Op<'c>, depth: usize) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            if self.semantics.info(nested).is_call() {
                self.call(nested, depth);
            }
            self.calls(nested, depth);
        }
    }

    fn call<'c>(&mut self, call: Op<'c>, depth: usize) {
        let Some(function) = callee(call) else {
            return;
        };
        let Some(body) = function_body(function) else {
            return;
        };
        self.found.functions.insert(call.key(), function.key());
        if depth >= MOST_DEPTH || self.found.of.contains_key(&function.key()) {
            return;
        }
        // Until it is read: it may call itself.
        self.found.of.insert(function.key(), None);
        self.calls(function, depth + 1);
        let Some(entry) = blocks(body).next() else {
            return;
        };
        let all: Vec<Val<'c>> = arguments(entry).collect();
        let buffers = all.iter().copied().filter(|one| is_memref(type_of(*one)));
        let buffers: Vec<Val<'c>> = buffers.collect();
        let kernel = Kernel::of_callee(function, body);
        let code = code::read(&kernel, &buffers, &self.found, self.semantics);
        if code.has_exits {
            let known = described(&code, &all, &buffers);
            self.found.of.insert(function.key(), Some(known));
        }
    }
}

/// The segments at whose start a thread may be, or at whose end, before a barrier or after the last one.
struct Open {
    before: FxHashSet<SegmentId>,
    after: FxHashSet<SegmentId>,
    synchronizes: bool,
}

impl Open {
    fn of(code: &Code<'_>) -> Self {
        let has_barrier = |segment: SegmentId| {
            let mut events = code.parts[segment].events.iter();
            events.any(|event| event.what == What::Barrier)
        };
        let mut predecessors: FxHashMap<SegmentId, Vec<SegmentId>> = FxHashMap::default();
        for (segment, part) in &code.parts {
            for to in &part.successors {
                predecessors.entry(*to).or_default().push(segment);
            }
        }
        let reached = |mut open: Vec<SegmentId>, next: &dyn Fn(SegmentId) -> Vec<SegmentId>| {
            let mut seen = FxHashSet::default();
            while let Some(segment) = open.pop() {
                if seen.insert(segment) && !has_barrier(segment) {
                    open.extend(next(segment));
                }
            }
            seen
        };
        let before = reached(vec![SegmentId::new(0)], &|segment| {
            code.parts[segment].successors.clone()
        });
        let is_exit = |segment: &SegmentId| code.parts[*segment].successors.is_empty();
        let exits: Vec<SegmentId> = code.parts.keys().filter(is_exit).collect();
        let mut passed = before.iter().filter(|segment| !has_barrier(**segment));
        Self {
            synchronizes: !passed.any(is_exit),
            after: reached(exits, &|segment| {
                predecessors.get(&segment).cloned().unwrap_or_default()
            }),
            before,
        }
    }
}

fn described<'c>(code: &Code<'c>, all: &[Val<'c>], buffers: &[Val<'c>]) -> Callee {
    let mut found: Vec<Argument> = vec![Argument::default(); buffers.len()];
    let open = Open::of(code);
    let mut has_barrier = !code.divergent_barriers.is_empty();
    for (segment, part) in &code.parts {
        let events = &part.events;
        let is_barrier = |at: &usize| events[*at].what == What::Barrier;
        let first = (0..events.len()).find(is_barrier).unwrap_or(events.len());
        let last = (0..events.len()).rfind(is_barrier);
        has_barrier |= last.is_some();
        for (at, event) in events.iter().enumerate() {
            let is_before = open.before.contains(&segment) && at < first;
            let is_after = open.after.contains(&segment) && last.is_none_or(|last| at > last);
            let mut add = |buffer: Buffer, reads: bool, writes: bool| {
                for (own, is_then) in found[buffer]
                    .accesses
                    .iter_mut()
                    .zip([is_before, true, is_after])
                {
                    own.0 |= reads && is_then;
                    own.1 |= writes && is_then;
                }
            };
            match &event.what {
                What::Read(buffer) => add(*buffer, true, false),
                What::Write(buffer) => add(*buffer, false, true),
                // A copy may be in flight after the call.
                What::Copy { reads, writes } => {
                    for buffer in reads.iter().chain(writes) {
                        found[*buffer].obstacle = Some(SkipReason::Asynchronous);
                    }
                }
                // Commits and waits that are not known only let copies end earlier.
                What::Discard(_) | What::Barrier | What::Commit | What::Wait(_) => {}
            }
        }
    }
    for (argument, alignment) in found.iter_mut().zip(&code.alignments) {
        argument.alignment = *alignment;
    }
    for obstacle in &code.obstacles {
        found[obstacle.buffer].obstacle = Some(match obstacle.reason {
            SkipReason::Returned => SkipReason::KeptByCallee,
            reason => reason,
        });
    }
    for buffer in code.frees.iter().flat_map(|(_, of)| of) {
        found[*buffer].obstacle = Some(SkipReason::FreedElsewhere);
    }
    let mut known = buffers.iter().zip(found);
    let arguments = all.iter().map(|one| match is_memref(type_of(*one)) {
        true => known
            .next()
            .map(|(_, argument)| argument)
            .unwrap_or_default(),
        false => Argument::default(),
    });
    Callee {
        arguments: arguments.collect(),
        synchronizes: open.synchronizes,
        has_other_barriers: has_barrier && !open.synchronizes,
    }
}
