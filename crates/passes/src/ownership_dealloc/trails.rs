//! Where numbers and pointers go in a function that may be addresses, or computed from some.

use super::facts::{ByCall, Facts};
use crate::block_graph::walk;
use crate::words::{Word, Words};
use memplan_mlir::{
    calls,
    copy::integer_width,
    flow,
    ir::{
        Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, parent, regions,
        results, successors, type_of, users,
    },
};
use memplan_semantics::{
    Capture, ResultFact, ResultUse, Semantics, graph::RegionEdge, names::OpKind,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// What becomes of values.
#[derive(Clone, Copy, Default)]
struct Trail {
    /// They may be stored, freed, or go where they are not followed.
    is_kept: bool,
    /// They may be returned.
    is_returned: bool,
}

/// What is lost may be anywhere.
const LOST: Trail = Trail {
    is_kept: true,
    is_returned: true,
};

/// Follows numbers and pointers.
pub struct Trails<'n, 'f, 'c> {
    /// What callees do.
    by_call: &'f ByCall,
    words: Words<'c>,
    semantics: &'n mut Semantics,
}

impl<'n, 'f, 'c> Trails<'n, 'f, 'c> {
    /// Of a function whose callees do that.
    pub fn new(by_call: &'f ByCall, semantics: &'n mut Semantics) -> Self {
        Self {
            by_call,
            words: Words::default(),
            semantics,
        }
    }

    /// Tells what becomes of a function's arguments that are numbers or pointers, and of the addresses that it takes.
    pub fn tell(mut self, body: Region<'c>, facts: &mut Facts) {
        let entry = blocks(body).next();
        let mut returned = SmallVec::new();
        for (at, argument) in entry.into_iter().flat_map(arguments).enumerate() {
            if is_memref(type_of(argument)) {
                continue;
            }
            let trail = self.follow(SmallVec::from_slice(&[argument]));
            if trail.is_kept {
                facts.keep_numbers([at]);
            }
            if trail.is_returned {
                returned.push(at);
            }
        }
        facts.returns_numbers = Some(returned);
        let mut taken = SmallVec::new();
        walk(body, &mut |op| {
            let called = self.by_call.get(&op.key());
            if gives_address(op, &mut self.words, self.semantics)
                || called.is_some_and(|facts| facts.returns_addresses)
            {
                taken.extend(results(op));
            }
        });
        facts.returns_addresses |= self.follow(taken).is_returned;
    }

    /// What becomes of values, what is computed from them, and memrefs made of them.
    fn follow(&mut self, values: SmallVec<[Val<'c>; 8]>) -> Trail {
        let mut open = values;
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let mut trail = Trail::default();
        while let Some(val) = open.pop() {
            // A flag is no address.
            if !seen.insert(val.key()) || integer_width(type_of(val)) == Some(1) {
                continue;
            }
            for user in users(val) {
                let more = self.used(user, val, &mut open);
                trail.is_kept |= more.is_kept;
                trail.is_returned |= more.is_returned;
                if trail.is_kept && trail.is_returned {
                    return trail;
                }
            }
        }
        trail
    }

    /// What `user` does with a value; `open` gets the values that may be it, too.
    fn used(&mut self, user: Op<'c>, val: Val<'c>, open: &mut SmallVec<[Val<'c>; 8]>) -> Trail {
        let nothing = Trail::default();
        let info = self.semantics.info(user);
        if let Some(range) = calls::call_arguments(user) {
            return self.called(user, range.start, val, open);
        }
        let on = |edges: Option<Vec<RegionEdge<'c>>>, open: &mut SmallVec<[Val<'c>; 8]>| {
            let Some(edges) = edges else { return false };
            let given = edges.iter().flat_map(|edge| &edge.values);
            let before = open.len();
            open.extend(given.filter(|(from, _)| *from == val).map(|(_, to)| *to));
            open.len() > before
        };
        if regions(user).next().is_some() {
            // What is no bound or the like, but only handed on, is followed.
            let mut others = operands(user).filter(|operand| *operand == val);
            let is_once = others.next().is_some() && others.next().is_none();
            return match is_once && on(self.semantics.entry_edges(user), open) {
                true => nothing,
                false => LOST,
            };
        }
        if successors(user).next().is_some() {
            for (index, successor) in successors(user).enumerate() {
                let Some(branch) = flow::branch_operands(user, index) else {
                    return LOST;
                };
                let given = arguments(successor).skip(branch.produced);
                let given = given.zip(&branch.forwarded);
                open.extend(given.filter(|(_, from)| **from == val).map(|(to, _)| to));
            }
            return nothing;
        }
        if info.is_terminator() {
            let is_function = |around: Op<'c>| self.semantics.info(around).is_function();
            if parent(user).is_some_and(is_function) {
                return Trail {
                    is_returned: true,
                    ..nothing
                };
            }
            let edges = self.semantics.terminator_edges(user);
            return match edges.is_some() {
                true => {
                    on(edges, open);
                    nothing
                }
                false => LOST,
            };
        }
        let memory = self.semantics.of(user);
        if memory.opaque.is_some() {
            return LOST;
        }
        // A word stays with the memref that it is one of.
        if !is_memref(type_of(val)) && self.words.of(user).is_some() {
            return nothing;
        }
        let mut trail = nothing;
        let mut is_read = false;
        for (at, _) in operands(user).enumerate().filter(|(_, one)| *one == val) {
            match memory.operand(at) {
                // As the place to read from or to write to, it is used, not kept.
                Some(used) => {
                    trail.is_kept |= used.frees.is_some() || used.capture != Capture::No;
                    is_read |= used.touch.reads();
                }
                // Of numbers, it is not said which are stored; of those of a store, all but the first are indices.
                None => {
                    let is_index = info.kind == OpKind::Store && at > 0;
                    let writes = memory.writes() || memory.unnamed.other_resources;
                    trail.is_kept |= writes && !is_index;
                }
            }
        }
        // What is read there is something else, and so is new memory of that size.
        let is_new = |result: &ResultUse| matches!(result.fact, ResultFact::New { .. });
        if !is_read && !memory.unnamed.allocates && !memory.results.iter().any(is_new) {
            open.extend(results(user));
        }
        trail
    }

    /// What a call does with its operand.
    fn called(
        &mut self,
        call: Op<'c>,
        first: usize,
        val: Val<'c>,
        open: &mut SmallVec<[Val<'c>; 8]>,
    ) -> Trail {
        let is = |at: usize| operands(call).nth(first + at) == Some(val);
        let Some(facts) = self.by_call.get(&call.key()) else {
            open.extend(results(call));
            return Trail::default();
        };
        let freed = facts.frees.iter().map(|freed| freed.argument);
        let kept = facts.keeps_numbers.iter().chain(&facts.keeps).copied();
        let returned = facts.returns_numbers.as_ref();
        if returned.is_none_or(|returned| returned.iter().any(|at| is(*at)))
            || is_memref(type_of(val))
        {
            open.extend(results(call));
        }
        Trail {
            is_kept: kept.chain(freed).any(is),
            is_returned: false,
        }
    }
}

/// Does an operation give the address of memory as a number or pointer?
pub(super) fn gives_address<'c>(
    op: Op<'c>,
    words: &mut Words<'c>,
    semantics: &mut Semantics,
) -> bool {
    let info = semantics.info(op);
    semantics.gives_addresses(op)
        || (Words::concern(info) && matches!(words.of(op), Some(Word::Address(_))))
}
