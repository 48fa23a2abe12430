//! Asynchronous operations, and waits for them.

use super::ProgramReader;
use crate::program::{Action, OpId, Start, Tag, Token, ValueId, Values};
use memplan_mlir::{
    ir::{Identity, Key, Op, Origin, Val, operands, origin, parent_block, results, type_of, users},
    melior::ir::{
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
};
use memplan_semantics::attributes::BUFFER;
use memplan_semantics::{Join, OpMemory, ResultFact, TokenRef};
use smallvec::SmallVec;

/// An index of a tag: a constant, or a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Index {
    Constant(i64),
    Value(Key),
}

impl<'c> ProgramReader<'c, '_> {
    /// The value of a token. It stands for a new start each time that its block starts.
    fn token(&mut self, value: Val<'c>) -> ValueId {
        let id = self.value(value);
        self.redefined_on_entry(value, id);
        id
    }

    /// Records that `id` stands for a new start each time that the block of `value` starts.
    fn redefined_on_entry(&mut self, value: Val<'c>, id: ValueId) {
        let block = match origin(value) {
            Some(Origin::Result(op, _)) => parent_block(op),
            Some(Origin::Argument(block, _)) => Some(block),
            None => None,
        };
        if let Some(node) = block.and_then(|block| self.nodes.get(&block.key())) {
            self.program.nodes[node.index()].redefined.push(id);
        }
    }

    fn is_token(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)).is_token()
    }

    fn tokens_among(&mut self, values: impl Iterator<Item = Val<'c>>) -> Values {
        let mut tokens = Values::new();
        for value in values {
            if self.is_token(value) {
                tokens.push(self.token(value));
            }
        }
        tokens
    }

    /// The values of a token that an edge binds to another.
    pub(super) fn bind_token(
        &mut self,
        from: Val<'c>,
        into: Val<'c>,
    ) -> Option<(ValueId, ValueId)> {
        (self.is_token(from) && self.is_token(into)).then(|| (self.token(from), self.token(into)))
    }

    /// Records the effect of an operation on tokens. `used` are the values whose memory it uses.
    pub(super) fn tokens(&mut self, op: Op<'c>, memory: &OpMemory, used: &[ValueId]) {
        let id = self.id(op);
        for join in &memory.joins {
            match join {
                Join::Wait(tokens) => {
                    let tokens = self.proofs(op, tokens);
                    self.token_action(id, Token::Wait(tokens));
                }
                Join::After { all_of, to } => self.joined(op, id, all_of, *to, false),
                Join::OneOf { of, to } => self.joined(op, id, of, *to, true),
                Join::Group { of, to } => {
                    let from = self.proofs(op, of);
                    for to in self.proofs(op, &[*to]) {
                        let from = from.clone();
                        self.token_action(id, Token::Group { from, to });
                    }
                }
                Join::Drain { at_most } => self.token_action(id, Token::Drain(*at_most)),
            }
        }
        if let Some(start) = &memory.start {
            self.starts(op, &start.tokens, start.grouped, id, used);
        }
    }

    /// The values of tokens and tags.
    fn proofs(&mut self, op: Op<'c>, tokens: &[TokenRef]) -> Values {
        let operands_of: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let results_of: SmallVec<[Val<'c>; 4]> = results(op).collect();
        let mut values = Values::new();
        for token in tokens {
            values.extend(match *token {
                TokenRef::Operand(at) => {
                    operands_of.get(at as usize).map(|token| self.token(*token))
                }
                TokenRef::Result(at) => results_of.get(at as usize).map(|token| self.token(*token)),
                TokenRef::Tag {
                    memref,
                    first_index,
                } => self.tag(op, memref, first_index).map(|(tag, _)| tag),
            });
        }
        values
    }

    fn joined(&mut self, op: Op<'c>, id: OpId, from: &[TokenRef], to: TokenRef, all: bool) {
        let from = self.proofs(op, from);
        for to in self.proofs(op, &[to]) {
            self.after(op, id, from.clone(), to, all);
        }
    }

    fn after(&mut self, op: Op<'c>, id: OpId, from: Values, to: ValueId, all: bool) {
        // Used once, in the block that defines it: it is a new value when control returns here.
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
        self.token_action(
            id,
            Token::After {
                from,
                to,
                all,
                spent,
            },
        );
    }

    fn starts(
        &mut self,
        op: Op<'c>,
        tokens: &[TokenRef],
        grouped: bool,
        id: OpId,
        used: &[ValueId],
    ) {
        let tag = tokens.iter().find_map(|token| match *token {
            TokenRef::Tag {
                memref,
                first_index,
            } => self.tag(op, memref, first_index),
            _ => None,
        });
        let start = Start {
            uses: used.iter().copied().collect(),
            proofs: self.proofs(op, tokens),
            grouped,
            tag: tag.map(|(_, number)| number),
        };
        self.token_action(id, Token::Start(start));
    }

    fn token_action(&mut self, id: OpId, token: Token) {
        self.action(id, Action::Token(token));
    }

    /// The value and the number of the tag that is an element of an operand. `None` if its memory may have other uses.
    fn tag(&mut self, op: Op<'c>, memref: u32, first_index: u32) -> Option<(ValueId, u32)> {
        let all: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let memref = *all.get(memref as usize)?;
        let rank = MemRefType::try_from(type_of(memref)).ok()?.rank();
        let first = first_index as usize;
        let written = all.get(first..first + rank)?;
        let Some(Origin::Result(maker, _)) = origin(memref) else {
            return None;
        };
        let mut users = users(memref);
        if !self.is_own_memory(memref) || !users.all(|user| self.uses_as_tag(user, memref, maker)) {
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
                let value = self.new_value();
                self.redefined_on_entry(memref, value);
                for index in written {
                    self.redefined_on_entry(*index, value);
                }
                self.tags.insert(key, (value, number));
                (value, number)
            }
        };
        Some(known)
    }

    /// Whether a memref is all of an allocation, or a buffer of an arena.
    fn is_own_memory(&mut self, memref: Val<'c>) -> bool {
        let Some(Origin::Result(maker, at)) = origin(memref) else {
            return false;
        };
        if maker.has_attribute(BUFFER) {
            return self.semantics.byte_view(maker).is_some();
        }
        let memory = self.semantics.of(maker);
        matches!(
            memory.result(at),
            Some(ResultFact::New {
                may_share: None,
                ..
            })
        )
    }

    /// Whether an operation uses a memref only as a tag, in order with all other users, or frees it. In bodies that run
    /// in parallel, each may wait for transfers of the others.
    fn uses_as_tag(&mut self, user: Op<'c>, memref: Val<'c>, maker: Op<'c>) -> bool {
        let memory = self.semantics.of(user);
        let is_tag = |token: &TokenRef, at: u32| matches!(token, TokenRef::Tag { memref, .. } if *memref == at);
        let started = memory.start.iter().flat_map(|start| &start.tokens);
        let waited = memory.joins.iter().filter_map(|join| match join {
            Join::Wait(tokens) => Some(tokens),
            _ => None,
        });
        let tokens: SmallVec<[&TokenRef; 2]> = started.chain(waited.flatten()).collect();
        let is_freed = |at: u32| {
            let used = memory.operand(at as usize);
            let frees = used.and_then(|used| used.frees);
            frees.is_some_and(|frees| frees.by.is_some()) && memory.results.is_empty()
        };
        let mut places = operands(user)
            .zip(0..)
            .filter(|(operand, _)| *operand == memref);
        let is_tag = |at: u32| tokens.iter().any(|token| is_tag(token, at));
        let mut all_freed = true;
        let known = places.all(|(_, at)| {
            all_freed &= is_freed(at);
            is_freed(at) || is_tag(at)
        });
        known && (all_freed || self.semantics.runs_in_order(user, maker))
    }
}
