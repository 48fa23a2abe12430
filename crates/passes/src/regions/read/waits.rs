//! Asynchronous operations that control waits for in their block.
//!
//! The operation that waits then stands between such an operation and the end of every scope that what it uses is of, and is
//! a use of all that. Where control may wait elsewhere, or may not, nothing is known.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Op, Val, parent_block, results, uses},
    values::is_before,
};
use memplan_semantics::{Join, OpMemory, Start, TokenRef};
use std::ops::Range;

/// So many operations that start one after another are looked at: what bounds the time where chains of them are long.
const MOST_LINKS: usize = 64;

impl<'c> Reader<'c, '_> {
    /// Is it known what an operation uses, and until when?
    pub(super) fn is_over(&mut self, op: Op<'c>, memory: &OpMemory) -> bool {
        match &memory.start {
            None => true,
            Some(start) => self.wait(op, start).is_some(),
        }
    }

    /// What was used, as far as it is noted in these places, is used until control has waited for `op`.
    pub(super) fn uses_until_wait(&mut self, op: Op<'c>, start: &Start, noted: Range<usize>) {
        if let Some(wait) = self.wait(op, start) {
            let used = self.reading.function.uses[noted].iter();
            let used = used.map(|(value, _)| *value);
            self.pending.entry(wait.key()).or_default().extend(used);
        }
    }

    /// The first operation of the block that waits for what was started.
    fn wait(&mut self, op: Op<'c>, start: &Start) -> Option<Op<'c>> {
        let block = parent_block(op)?.key();
        let tokens = start.tokens.iter().filter_map(|token| match token {
            TokenRef::Result(at) => results(op).nth(*at as usize),
            _ => None,
        });
        let mut open: Vec<Val<'c>> = tokens.collect();
        let mut first: Option<Op<'c>> = None;
        for _ in 0..MOST_LINKS {
            let Some(token) = open.pop() else { break };
            for (user, number) in uses(token) {
                if parent_block(user).is_none_or(|other| other.key() != block) {
                    continue;
                }
                let is_token =
                    |one: &TokenRef| matches!(one, TokenRef::Operand(at) if *at as usize == number);
                let memory = self.semantics.of(user);
                for join in &memory.joins {
                    match join {
                        Join::Wait(tokens)
                            if tokens.iter().any(is_token)
                                && first.is_none_or(|first| is_before(user, first)) =>
                        {
                            first = Some(user);
                        }
                        // What it gives is done no earlier.
                        Join::After {
                            all_of,
                            to: TokenRef::Result(at),
                        } if all_of.iter().any(is_token) => {
                            open.extend(results(user).nth(*at as usize));
                        }
                        _ => {}
                    }
                }
            }
        }
        first
    }
}
