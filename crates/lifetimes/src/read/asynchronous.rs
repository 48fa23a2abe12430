//! Operations that go on when control has passed them, and what is waited for.
//!
//! What a token, a value to come or a group of the dialects async, gpu and nvgpu says is known. A
//! token of another kind is waited for in ways that are not: what such an operation uses is left alone.

use super::{Mode, Place, Reader};
use crate::{
    asynchronous::{
        Act, ActKind, Edge, HandleFact, HandleId, Handles, Index, Source, StartFact, StartId, Tag,
    },
    program::{Position, Successor, UseKind},
    reason::Reason,
};
use memplan_mlir::{
    build,
    ir::{
        Block, Identity, Op, Origin, Type, Val, is_memref, is_plain_data, operands, origin,
        parent_block, results, type_of, users,
    },
    melior::ir::{
        attribute::DenseI32ArrayAttribute,
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
    names::{Known, NameInfo},
    rules,
};
use smallvec::SmallVec;

/// Tokens, and values and groups to come, whose waits are known.
fn is_handle(r#type: Type<'_>) -> bool {
    if is_memref(r#type) || is_plain_data(r#type) {
        return false;
    }
    if rules::is_token(r#type) {
        return true;
    }
    let text = r#type.to_string();
    text.starts_with("!async.") || text == "!gpu.async.token" || text == "!nvgpu.device.async.token"
}

impl<'c> Reader<'c, '_> {
    fn is_handle(&mut self, value: Val<'c>) -> bool {
        let r#type = type_of(value);
        let known = self.handle_types.entry(r#type.key());
        *known.or_insert_with(|| is_handle(r#type))
    }

    /// The handle that a value is. `None` if it is none, or made where blocks are not told apart.
    fn handle(&mut self, value: Val<'c>) -> Option<HandleId> {
        if !self.is_handle(value) {
            return None;
        }
        if let Some(handle) = self.handles_by_value.get(&value.key()) {
            return Some(*handle);
        }
        let block = match origin(value)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        let block = *self.blocks.get(&block.key())?;
        let handle = self.new_handle(HandleFact {
            made_in: SmallVec::from_slice(&[block]),
            tag: None,
        });
        self.handles_by_value.insert(value.key(), handle);
        Some(handle)
    }

    fn new_handle(&mut self, fact: HandleFact) -> HandleId {
        let handle = HandleId(self.asynchronous.handles.len() as u32);
        self.asynchronous.handles.push(fact);
        handle
    }

    fn handles_of(&mut self, values: impl Iterator<Item = Val<'c>>) -> Handles {
        values.filter_map(|value| self.handle(value)).collect()
    }

    fn act(&mut self, place: Place, position: Position, kind: ActKind) {
        self.asynchronous.acts.push(Act {
            block: place.block,
            position,
            kind,
        });
    }

    /// What an operation waits for, and what waits for its operands.
    pub(super) fn waits(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        let concerned = info.is_gpu
            || info.is_ruled
            || matches!(
                info.known,
                Known::AsyncAwait
                    | Known::AsyncAwaitAll
                    | Known::AsyncAddToGroup
                    | Known::AsyncExecute
                    | Known::DeviceAsyncCreateGroup
                    | Known::DeviceAsyncWait
                    | Known::DmaWait
                    | Known::Select
            );
        if !concerned
            || !(info.is_registered() || info.is_ruled)
            || !matches!(place.mode, Mode::Flow)
        {
            return;
        }
        if info.known == Known::DmaWait {
            if let Some(tag) = self.tag(op, 0) {
                let waited = Handles::from_slice(&[tag]);
                self.act(place, position, ActKind::Wait(waited));
            }
            return;
        }
        let used = self.handles_of(operands(op));
        if info.is_ruled {
            match (rules::waits(op), rules::goes_on(op, info)) {
                // It starts when these are done.
                (true, true) => {
                    for to in self.handles_of(results(op)) {
                        let (from, all) = (used.clone(), false);
                        self.act(place, position, ActKind::After { from, to, all });
                    }
                }
                (true, false) => self.act(place, position, ActKind::Wait(used)),
                (false, _) => {}
            }
            return;
        }
        match info.known {
            Known::AsyncAwait | Known::AsyncAwaitAll => {
                self.act(place, position, ActKind::Wait(used));
            }
            Known::GpuWait if op.result_count() == 0 => {
                self.act(place, position, ActKind::Wait(used));
            }
            Known::AsyncAddToGroup => {
                if let [token, group] = used[..] {
                    let from = Handles::from_slice(&[token]);
                    let (to, all) = (group, false);
                    self.act(place, position, ActKind::After { from, to, all });
                }
            }
            Known::DeviceAsyncWait => {
                let most =
                    build::integer(op, "numGroups").and_then(|most| u32::try_from(most).ok());
                let waits = match (op.has_attribute("numGroups"), most) {
                    (false, _) => ActKind::Wait(used),
                    (true, Some(most)) => ActKind::Drain(most),
                    (true, None) => return,
                };
                self.act(place, position, waits);
            }
            Known::DeviceAsyncCreateGroup => {
                for to in self.handles_of(results(op)) {
                    let from = used.clone();
                    self.act(place, position, ActKind::Group { from, to });
                }
            }
            // What starts when these are done, or is one of them.
            _ => {
                let all = info.known == Known::Select;
                if used.is_empty() || (all && used.len() < 2) {
                    return;
                }
                for to in self.handles_of(results(op)) {
                    let from = used.clone();
                    self.act(place, position, ActKind::After { from, to, all });
                }
            }
        }
    }

    /// An operation goes on when control has passed it. `None` if it is not known how it is waited
    /// for; else what it uses from now on, until it is [`Reader::started`], is needed until then.
    pub(super) fn starts(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        goes_on: bool,
        place: Place,
        position: Position,
    ) -> Option<StartId> {
        if !matches!(place.mode, Mode::Flow) || !(info.is_registered() || goes_on) {
            return None;
        }
        let handles = match info.known {
            Known::DmaStart => Handles::from_slice(&[self.tag(op, 2)?]),
            Known::GpuLaunchFunction if has_async_object(op) => return None,
            Known::AsyncExecute | Known::DeviceAsyncCopy => self.handles_of(results(op)),
            _ if goes_on => self.handles_of(results(op)),
            _ if info.is_gpu => self.handles_of(results(op)),
            _ => return None,
        };
        if handles.is_empty() {
            return None;
        }
        let start = StartId(self.asynchronous.starts.len() as u32);
        let here = self.program.uses.len();
        self.asynchronous.starts.push(StartFact {
            scope: place.scope,
            span: (position, position),
            uses: here..here,
            handles,
            grouped: info.known == Known::DeviceAsyncCopy,
        });
        self.act(place, position, ActKind::Start(start));
        Some(start)
    }

    /// All that an operation uses has been read.
    pub(super) fn started(&mut self, start: StartId) {
        let fact = &mut self.asynchronous.starts[start.0 as usize];
        fact.uses.end = self.program.uses.len();
        fact.span.1 = self.position - 1;
    }

    /// A transfer, or a launch whose kernel only uses its arguments while it runs.
    pub(super) fn transfer(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        place: Place,
        position: Position,
    ) {
        let asynchronous = info.known == Known::DmaStart
            || has_async_object(op)
            || results(op).any(|result| super::memory::is_token(type_of(result)));
        let start = match asynchronous {
            true => self.starts(op, info, false, place, position),
            false => None,
        };
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            if asynchronous && start.is_none() {
                self.escape(memref, Reason::Asynchronous);
            }
        }
        if let Some(start) = start {
            self.started(start);
        }
    }

    /// The tag of a transfer, which comes behind so many memrefs. `None` if something else may use
    /// the tag's memory.
    fn tag(&mut self, op: Op<'c>, memrefs: usize) -> Option<HandleId> {
        let all: Vec<Val<'c>> = operands(op).collect();
        let mut places = (0..all.len()).filter(|at| is_memref(type_of(all[*at])));
        let place = places.nth(memrefs)?;
        let rank = MemRefType::try_from(type_of(all[place])).ok()?.rank();
        let Some(Origin::Result(maker, _)) = origin(all[place]) else {
            return None;
        };
        let is_memory = matches!(self.names.info(maker).known, Known::Alloc | Known::Alloca);
        if !is_memory || !self.is_only_tag(all[place]) {
            return None;
        }
        let mut made_in = SmallVec::from_slice(&[self.block_of(all[place])?]);
        let mut indices = SmallVec::new();
        for index in all.get(place + 1..=place + rank)? {
            indices.push(match self.constant(*index) {
                Some(constant) => Index::Constant(constant),
                None => {
                    made_in.push(self.block_of(*index)?);
                    let next = self.numbers.len() as u32;
                    Index::Value(*self.numbers.entry(index.key()).or_insert(next))
                }
            });
        }
        let memref = self.value(all[place]);
        let tag = Tag { memref, indices };
        if let Some(handle) = self.tags.get(&tag) {
            return Some(*handle);
        }
        let handle = self.new_handle(HandleFact {
            made_in,
            tag: Some(tag.clone()),
        });
        self.tags.insert(tag, handle);
        Some(handle)
    }

    /// True if nothing but transfers that have it as their tag uses a memref. Asked once.
    fn is_only_tag(&mut self, memref: Val<'c>) -> bool {
        if let Some(known) = self.only_tags.get(&memref.key()) {
            return *known;
        }
        let only = users(memref).all(|user| {
            let memrefs = || operands(user).filter(|value| is_memref(type_of(*value)));
            let times = memrefs().filter(|value| *value == memref).count();
            match self.names.info(user).known {
                Known::DmaStart => times == 1 && memrefs().nth(2) == Some(memref),
                Known::DmaWait | Known::Dealloc => true,
                _ => false,
            }
        });
        self.only_tags.insert(memref.key(), only);
        only
    }

    fn constant(&mut self, value: Val<'c>) -> Option<i64> {
        match origin(value)? {
            Origin::Result(op, _) if self.names.info(op).known == Known::Constant => {
                build::integer(op, "value")
            }
            _ => None,
        }
    }

    /// The block that a value is made in.
    fn block_of(&self, value: Val<'c>) -> Option<crate::program::BlockId> {
        let block = match origin(value)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        self.blocks.get(&block.key()).copied()
    }

    /// An edge that hands values over; what takes them are `targets`.
    pub(super) fn hand_over(
        &mut self,
        source: Source,
        to: Successor,
        targets: impl Iterator<Item = Val<'c>>,
        handed: &[(Val<'c>, Val<'c>)],
    ) {
        let mut takes = false;
        for target in targets {
            takes |= self.is_handle(target);
        }
        if !takes {
            return;
        }
        let mut pairs = SmallVec::new();
        for (from, into) in handed {
            if let (Some(from), Some(into)) = (self.handle(*from), self.handle(*into)) {
                pairs.push((from, into));
            }
        }
        let edges = self.asynchronous.edges.entry(source).or_default();
        edges.push(Edge { to, pairs });
    }

    /// As [`Reader::hand_over`], from a branch to a block, whose arguments from `produced` on are
    /// these values.
    pub(super) fn hand_over_to_block(
        &mut self,
        source: Source,
        (block, target): (Block<'c>, crate::program::BlockId),
        produced: usize,
        forwarded: &[Val<'c>],
    ) {
        let arguments: SmallVec<[Val<'c>; 4]> = memplan_mlir::ir::arguments(block).collect();
        let taken = arguments.iter().skip(produced).copied();
        let handed: Vec<(Val<'c>, Val<'c>)> = forwarded.iter().copied().zip(taken).collect();
        let to = Successor::Block(target);
        self.hand_over(source, to, arguments.into_iter(), &handed);
    }
}

/// A launch on a queue that is waited for elsewhere.
fn has_async_object(op: Op<'_>) -> bool {
    op.attribute("operandSegmentSizes")
        .and_then(DenseI32ArrayAttribute::try_from)
        .is_ok_and(|sizes| match sizes.len().checked_sub(1) {
            Some(last) => sizes.element(last).is_ok_and(|count| count > 0),
            None => false,
        })
}
