//! Memory that is used for longer than the operation that uses it: until something waits.

use super::Reader;
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Val, is_memref, is_plain_data, next_in_block, operands, parent_block,
        results, type_of, users,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo},
    rules::{self, goes_on, waits},
};
use memplan_ownership::function::{Kind, SegmentId, ValueId};
use smallvec::SmallVec;

/// Where what is inside of an operation starts.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub segment: SegmentId,
    pub value: ValueId,
    /// How many uses of what holds on to memory come before.
    pub uses: usize,
}

impl<'c> Reader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, inside: Inside, next: SegmentId) {
        let function = &self.reading.function;
        let mut used: SmallVec<[ValueId; 2]> = SmallVec::new();
        let mut note = |value: ValueId| {
            if function.value(value).segment < inside.segment && !used.contains(&value) {
                used.push(value);
            }
        };
        for segment in &function.segments[inside.segment.index()..] {
            segment.uses.iter().for_each(|(_, value)| note(*value));
            for edge in &segment.edges {
                let passed = function.edge(*edge).passed.iter();
                passed.flatten().for_each(|value| note(*value));
            }
        }
        for value in &function.values[inside.value.index()..] {
            if let Kind::Any(sources) | Kind::Told(sources) = &value.kind {
                sources.iter().for_each(|value| note(*value));
            }
        }
        self.expose_all(&used);
        let waits = self.held_until_awaited(op, &used);
        self.carry_from_inside(op, inside, next, waits);
    }

    /// What `op` uses is used until its results have been waited for. False if that is not seen.
    pub(super) fn held_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.carry(op, results(op), used);
        let here = parent_block(op).map(|block| block.key());
        let waits = results(op).any(|token| self.is_waited_for(token, here));
        if !waits {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
        waits
    }

    /// Does an operation of the block that makes a token wait for it: for itself, in a group, or for a token
    /// that is done no earlier? Each is looked at twice, however long the chains of tokens are.
    fn is_waited_for(&mut self, token: Val<'c>, here: Option<Key>) -> bool {
        if let Some(known) = self.waited.get(&token.key()) {
            return *known;
        }
        let mut open: SmallVec<[Val<'c>; 4]> = SmallVec::from_slice(&[token]);
        while let Some(at) = open.last().copied() {
            let is_new = self.waited.insert(at.key(), false).is_none();
            let mut later: SmallVec<[Val<'c>; 2]> = SmallVec::new();
            let mut waits = false;
            for user in users(at) {
                let info = self.names.info(user);
                if parent_block(user).map(|block| block.key()) != here {
                    continue;
                }
                waits |= self.is_wait(user, info);
                if is_token(at) && follows(user, info) {
                    later.extend(results(user).filter(|result| is_token(*result)));
                }
            }
            waits |= later
                .iter()
                .any(|one| self.waited.get(&one.key()) == Some(&true))
                || self.is_waited_for_in_group(at, here);
            later.retain(|one| !self.waited.contains_key(&one.key()));
            if waits || later.is_empty() || !is_new {
                self.waited.insert(at.key(), waits);
                open.pop();
            } else {
                open.extend(later);
            }
        }
        self.waited.get(&token.key()) == Some(&true)
    }

    /// Is a token added to a group, and are all waited for in one block? The group is made, added to and
    /// waited for there, so all can be named there.
    fn is_waited_for_in_group(&mut self, token: Val<'c>, here: Option<Key>) -> bool {
        users(token).any(|user| {
            let Some(group) = self.group(user) else {
                return false;
            };
            let is_here = |user: Op<'c>| parent_block(user).map(|block| block.key()) == here;
            users(group).all(is_here)
                && std::iter::successors(next_in_block(user), |op| next_in_block(*op)).any(|op| {
                    self.names.info(op).known == Known::AsyncAwaitAll
                        && operands(op).any(|operand| operand == group)
                })
        })
    }

    /// The group that an operation adds to.
    pub(super) fn group(&mut self, op: Op<'c>) -> Option<Val<'c>> {
        let adds = self.names.info(op).known == Known::AsyncAddToGroup;
        adds.then(|| operands(op).nth(1)).flatten()
    }

    /// Does control wait for what the operands of an operation stand for?
    pub(super) fn is_wait(&self, op: Op<'c>, info: NameInfo) -> bool {
        match info.known {
            Known::AsyncAwait | Known::AsyncAwaitAll => true,
            // With a token of its own, it only joins others.
            Known::GpuWait => op.result_count() == 0,
            _ => info.is_ruled && waits(op) && !goes_on(op, info),
        }
    }
}

/// Is a token that an operation gives done no earlier than those that it takes, without waiting for them?
fn follows(op: Op<'_>, info: NameInfo) -> bool {
    info.is_gpu || (info.is_ruled && waits(op) && goes_on(op, info))
}

/// Tokens: of `async`, of devices, and those that an embedder has registered.
pub(super) fn is_token(value: Val<'_>) -> bool {
    let r#type = type_of(value);
    !is_memref(r#type)
        && !is_plain_data(r#type)
        && (rules::is_token(r#type)
            || [
                "!async.token",
                "!gpu.async.token",
                "!nvgpu.device.async.token",
            ]
            .contains(&r#type.to_string().as_str()))
}
