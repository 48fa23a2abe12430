//! Operations that go on when control has passed them: what they touch is needed until the wait that
//! covers them.
//!
//! A wait covers what was started if it stands behind it in the same block, so that no path goes around
//! it, and takes its token, or that of an operation that itself waits for it. A transfer without a
//! token is covered by the wait for its tag. Where no such wait is found, the memory is left alone.

use super::{Mode, Place, Reader, memory::is_token};
use crate::{
    program::{Position, UseKind, ValueId},
    reason::Reason,
};
use memplan_mlir::{
    ir::{Identity, Op, Val, is_before, is_memref, operands, results, type_of, users},
    melior::ir::{
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
    names::{Known, NameInfo},
};
use rustc_hash::FxHashSet;

impl<'c> Reader<'c, '_> {
    /// The wait that covers `op`, which goes on after control has passed it.
    pub(super) fn covering_wait(&mut self, op: Op<'c>) -> Option<Op<'c>> {
        if self.names.info(op).known == Known::DmaStart {
            return self.wait_for_tag(op);
        }
        let mut seen = FxHashSet::default();
        let mut first = None;
        let mut work: Vec<Op<'c>> = vec![op];
        while let Some(started) = work.pop() {
            for token in results(started).filter(|result| is_token(type_of(*result))) {
                for user in users(token) {
                    if !is_before(op, user) || !seen.insert(user.key()) {
                        continue;
                    }
                    if results(user).any(|result| is_token(type_of(result))) {
                        // It starts, or is done, when what it depends on is done.
                        work.push(user);
                    } else if self.is_wait(user) && first.is_none_or(|first| is_before(user, first))
                    {
                        first = Some(user);
                    }
                }
            }
        }
        first
    }

    fn is_wait(&mut self, op: Op<'c>) -> bool {
        match self.names.info(op).known {
            Known::AsyncAwait | Known::GpuWait => true,
            // With a number it lets as many groups go on.
            Known::DeviceAsyncWait => !op.has_attribute("numGroups"),
            _ => false,
        }
    }

    /// The first `memref.dma_wait` behind a `memref.dma_start` for the same element of its tag. Every
    /// transfer looks at all that share its tag, which are few.
    fn wait_for_tag(&mut self, start: Op<'c>) -> Option<Op<'c>> {
        let tag = |op: Op<'c>, memrefs: usize| -> Option<Vec<Val<'c>>> {
            let all: Vec<Val<'c>> = operands(op).collect();
            let mut places = (0..all.len()).filter(|at| is_memref(type_of(all[*at])));
            let place = places.nth(memrefs)?;
            let rank = MemRefType::try_from(type_of(all[place])).ok()?.rank();
            Some(all.get(place..=place + rank)?.to_vec())
        };
        let started = tag(start, 2)?;
        let mut first: Option<(Op<'c>, bool)> = None;
        for user in users(started[0]) {
            let waits = match self.names.info(user).known {
                Known::DmaWait if tag(user, 0).as_ref() == Some(&started) => true,
                Known::DmaStart if tag(user, 2).as_ref() == Some(&started) => false,
                _ => continue,
            };
            if is_before(start, user) && first.is_none_or(|(first, _)| is_before(user, first)) {
                first = Some((user, waits));
            }
        }
        // Behind another start, which of the two the wait is for is not known.
        first.and_then(|(op, waits)| waits.then_some(op))
    }

    /// A transfer, or a launch whose kernel only uses its arguments while it runs.
    pub(super) fn started(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        let asynchronous =
            info.known == Known::DmaStart || results(op).any(|result| is_token(type_of(result)));
        let wait = match place.mode {
            Mode::Flow if asynchronous => self.covering_wait(op),
            _ => None,
        };
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            match wait {
                Some(wait) => self.needed_until(wait, [memref]),
                None if asynchronous => self.escape(memref, Reason::Asynchronous),
                None => {}
            }
        }
    }

    /// What is needed until `wait`, which is read later.
    pub(super) fn needed_until(&mut self, wait: Op<'c>, values: impl IntoIterator<Item = ValueId>) {
        self.awaited.entry(wait.key()).or_default().extend(values);
    }

    /// Everything that `op` waits for is touched here for the last time.
    pub(super) fn wait(&mut self, op: Op<'c>, place: Place, position: Position) {
        if self.awaited.is_empty() {
            return;
        }
        for value in self.awaited.remove(&op.key()).unwrap_or_default() {
            self.uses(value, place, position, UseKind::Touch);
        }
    }
}
