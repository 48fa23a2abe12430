//! What goes on when control has passed it, and how it is waited for.

use super::{BUFFER, Reader};
use crate::verify::{
    pending::{Start, Token},
    program::{Action, OpId, Tag, ValueId, Values},
};
use memplan_mlir::{
    build,
    ir::{
        Identity, Key, Op, Origin, Val, is_memref, operands, origin, parent_block, results,
        type_of, users,
    },
    melior::ir::{
        attribute::DenseI32ArrayAttribute,
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
    names::{Known, NameInfo},
    rules::{goes_on, waits},
};

/// An index of a tag: a constant, or a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Index {
    Constant(i64),
    Value(Key),
}

impl<'c> Reader<'c> {
    /// May [`Reader::tokens`] have something to say?
    pub(super) fn uses_tokens(&mut self, op: Op<'c>, info: NameInfo) -> bool {
        info.starts_transfer
            || info.is_asynchronous
            || matches!(info.known, Known::DmaStart | Known::DmaWait)
            || info.known == Known::GpuLaunchFunction
            || goes_on(op, info)
            || results(op).any(|value| self.plain.is_token(value))
            || operands(op).any(|value| self.plain.is_token(value))
    }

    /// Does it go on when control has passed it?
    pub(super) fn is_asynchronous(&mut self, op: Op<'c>, info: NameInfo) -> bool {
        let has_token = results(op).any(|result| self.plain.is_token(result));
        match info.known {
            Known::AsyncExecute | Known::DmaStart | Known::DeviceAsyncCopy => true,
            Known::AsyncAwait
            | Known::AsyncAwaitAll
            | Known::AsyncAddToGroup
            | Known::DeviceAsyncCreateGroup
            | Known::DeviceAsyncWait
            | Known::DmaWait
            | Known::GpuWait => false,
            Known::GpuLaunchFunction if is_on_queue(op) => true,
            _ if info.is_gpu => has_token,
            _ if goes_on(op, info) => true,
            _ => {
                info.is_asynchronous
                    || (info.starts_transfer && operands(op).any(|value| is_memref(type_of(value))))
            }
        }
    }

    /// The value of a token. Where its block starts again, it is another.
    fn token(&mut self, value: Val<'c>) -> ValueId {
        let id = self.value(value);
        self.renewed(value, id);
        id
    }

    /// `id` is another when the block starts that `value` is made in.
    fn renewed(&mut self, value: Val<'c>, id: ValueId) {
        let block = match origin(value) {
            Some(Origin::Result(op, _)) => parent_block(op),
            Some(Origin::Argument(block, _)) => Some(block),
            None => None,
        };
        if let Some(node) = block.and_then(|block| self.nodes.get(&block.key())) {
            self.program.nodes[node.index()].fresh.push(id);
        }
    }

    fn tokens_among(&mut self, values: impl Iterator<Item = Val<'c>>) -> Values {
        values
            .filter(|value| self.plain.is_token(*value))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|value| self.token(value))
            .collect()
    }

    /// A token that an edge hands over as another.
    pub(super) fn handed_token(
        &mut self,
        from: Val<'c>,
        into: Val<'c>,
    ) -> Option<(ValueId, ValueId)> {
        (self.plain.is_token(from) && self.plain.is_token(into))
            .then(|| (self.token(from), self.token(into)))
    }

    /// What an operation that uses these values has to do with tokens.
    pub(super) fn tokens(&mut self, op: Op<'c>, info: NameInfo, used: &[ValueId]) {
        let waited = self.tokens_among(operands(op));
        let made = self.tokens_among(results(op));
        let id = self.id(op);
        match info.known {
            Known::AsyncAwait | Known::AsyncAwaitAll => self.say(id, Token::Wait(waited)),
            Known::GpuWait if made.is_empty() => self.say(id, Token::Wait(waited)),
            Known::AsyncAddToGroup => {
                if let [token, group] = waited[..] {
                    let from = Values::from_slice(&[token]);
                    self.after(op, id, from, group, false);
                }
            }
            Known::DeviceAsyncCreateGroup => {
                for to in made {
                    let from = waited.clone();
                    self.say(id, Token::Group { from, to });
                }
            }
            Known::DeviceAsyncWait if !op.has_attribute("numGroups") => {
                self.say(id, Token::Wait(waited));
            }
            Known::DeviceAsyncWait => {
                let groups = build::integer(op, "numGroups");
                if let Some(groups) = groups.and_then(|groups| u32::try_from(groups).ok()) {
                    self.say(id, Token::Drain(groups));
                }
            }
            Known::DmaWait => {
                if let Some((tag, _)) = self.tag(op, 0) {
                    self.say(id, Token::Wait(Values::from_slice(&[tag])));
                }
            }
            Known::Select if waited.len() == 2 => {
                for to in made {
                    self.after(op, id, waited.clone(), to, true);
                }
            }
            // What depends on something is done after it.
            Known::AsyncExecute => self.depends(op, id, &waited, &made),
            _ if info.is_gpu => self.depends(op, id, &waited, &made),
            _ if info.is_ruled && waits(op) => match goes_on(op, info) {
                true => self.depends(op, id, &waited, &made),
                false => self.say(id, Token::Wait(waited)),
            },
            _ => {}
        }
        if self.is_asynchronous(op, info) {
            self.starts(op, info, id, used);
        }
    }

    fn depends(&mut self, op: Op<'c>, id: OpId, waited: &Values, made: &Values) {
        if !waited.is_empty() {
            for to in made {
                self.after(op, id, waited.clone(), *to, false);
            }
        }
    }

    fn after(&mut self, op: Op<'c>, id: OpId, from: Values, to: ValueId, all: bool) {
        // Used once, in the block that makes it: there is a new one when this comes again.
        let here = parent_block(op).map(|block| block.key());
        let is_spent = |value: &Val<'c>| match origin(*value) {
            Some(Origin::Result(maker, _)) => {
                parent_block(maker).map(|block| block.key()) == here
                    && users(*value).take(2).count() == 1
                    && op.result_count() < 2
            }
            _ => false,
        };
        let spent: Vec<Val<'c>> = operands(op).filter(is_spent).collect();
        let spent = self.tokens_among(spent.into_iter());
        self.say(
            id,
            Token::After {
                from,
                to,
                all,
                spent,
            },
        );
    }

    fn starts(&mut self, op: Op<'c>, info: NameInfo, id: OpId, used: &[ValueId]) {
        let mut tag = None;
        let proofs = match info.known {
            Known::DmaStart => match self.tag(op, 2) {
                Some((value, number)) => {
                    tag = Some(number);
                    Values::from_slice(&[value])
                }
                None => Values::new(),
            },
            Known::GpuLaunchFunction if is_on_queue(op) => Values::new(),
            Known::AsyncExecute | Known::DeviceAsyncCopy => self.tokens_among(results(op)),
            _ if info.is_gpu || goes_on(op, info) => self.tokens_among(results(op)),
            // How it is waited for is not known.
            _ => Values::new(),
        };
        let start = Start {
            uses: used.iter().copied().collect(),
            proofs,
            grouped: info.known == Known::DeviceAsyncCopy,
            tag,
        };
        self.say(id, Token::Start(start));
    }

    fn say(&mut self, id: OpId, token: Token) {
        self.step(id, Action::Token(token));
    }

    /// The tag of a transfer, behind so many memrefs: what stands for it, and its number. `None` if
    /// its memory may be used by something else.
    fn tag(&mut self, op: Op<'c>, memrefs: usize) -> Option<(ValueId, u32)> {
        let all: Vec<Val<'c>> = operands(op).collect();
        let mut places = (0..all.len()).filter(|place| is_memref(type_of(all[*place])));
        let place = places.nth(memrefs)?;
        let memref = all[place];
        let Some(Origin::Result(maker, _)) = origin(memref) else {
            return None;
        };
        let is_memory = match self.names.info(maker).known {
            Known::Alloc | Known::Alloca => true,
            Known::View => maker.has_attribute(BUFFER),
            _ => false,
        };
        let rank = MemRefType::try_from(type_of(memref)).ok()?.rank();
        let written = all.get(place + 1..=place + rank)?;
        let mut others = users(memref).filter(|user| {
            let mut of_user = operands(*user).filter(|value| is_memref(type_of(*value)));
            match self.names.info(*user).known {
                Known::DmaWait | Known::Dealloc => false,
                Known::DmaStart => {
                    let is_tag = of_user.position(|value| value == memref) == Some(2);
                    !is_tag
                }
                _ => true,
            }
        });
        if !is_memory || others.next().is_some() {
            return None;
        }
        let indices: Vec<Index> = written
            .iter()
            .map(|index| match self.constant(*index) {
                Some(constant) => Index::Constant(constant),
                None => Index::Value(index.key()),
            })
            .collect();
        let key = (memref.key(), indices);
        let known = match self.tags.get(&key) {
            Some(known) => *known,
            None => {
                let indices = key.1.iter().map(|index| match index {
                    Index::Constant(constant) => Some(*constant),
                    Index::Value(_) => None,
                });
                let number = self.program.tags.len() as u32;
                let tag = Tag {
                    memref: self.value(memref),
                    indices: indices.collect(),
                };
                self.program.tags.push(tag);
                let value = self.fresh();
                self.renewed(memref, value);
                for index in written {
                    self.renewed(*index, value);
                }
                self.tags.insert(key, (value, number));
                (value, number)
            }
        };
        Some(known)
    }
}

/// A launch on a queue that is waited for elsewhere: its last operand, if it has that.
fn is_on_queue(op: Op<'_>) -> bool {
    let sizes = op
        .attribute("operandSegmentSizes")
        .and_then(DenseI32ArrayAttribute::try_from);
    sizes.is_ok_and(|sizes| {
        let last = sizes.len().checked_sub(1);
        last.is_some_and(|last| sizes.element(last).is_ok_and(|count| count > 0))
    })
}
