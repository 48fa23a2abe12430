//! What asynchronous operations still use when the function returns.
//!
//! An operation is done where control waits for its token, or for one that is done no earlier. A forward search from each
//! operation carries the values that surely stand for it; where paths merge, those of all paths. If it comes to where the
//! function returns, what the operation uses is captured. Tags and drains are not followed: what they end is captured.

use super::{Place, Started, Tracer};
use memplan_flow::SecondaryMap;
use memplan_mlir::ir::{Identity, Key, Op, Val, operands, results};
use memplan_semantics::{
    Join, OpMemory, TokenRef,
    graph::{ControlGraph, End, EnteredId, SegmentId, Taken},
};
use smallvec::SmallVec;

/// Values that stand for an operation, each once.
type Names = SmallVec<[Key; 4]>;

/// So many segments are looked at for all operations of a function together; what is left then is captured.
const MOST_LOOKED_AT: usize = 1 << 16;

impl<'c> Tracer<'c, '_> {
    /// An operation without regions goes on after control has passed it.
    pub(super) fn goes_on(&mut self, op: Op<'c>, memory: &OpMemory, place: Place) {
        self.starts(op, memory, place.segment);
        if !place.in_order
            && let Some(started) = self.started.last_mut()
        {
            started.tokens.clear();
        }
    }

    /// An operation goes on after control has passed it, into the segment.
    pub(super) fn starts(&mut self, op: Op<'c>, memory: &OpMemory, segment: SegmentId) {
        let used = operands(op).filter(|value| self.refers(*value)).collect();
        let tokens = memory.start.iter().flat_map(|start| &start.tokens);
        let tokens = tokens.filter_map(|token| token_of(op, *token)).collect();
        self.started.push(Started {
            op,
            segment,
            tokens,
            used,
        });
    }

    /// Captures what is still used when the function returns.
    pub(super) fn pending(&mut self, control: &ControlGraph<'c>) {
        let mut left = MOST_LOOKED_AT;
        for started in std::mem::take(&mut self.started) {
            if started.tokens.is_empty() || self.may_return(control, &started, &mut left) {
                for value in started.used {
                    self.captures(value);
                }
            }
        }
    }

    /// May the function return before an operation is known to be done?
    fn may_return(
        &mut self,
        control: &ControlGraph<'c>,
        started: &Started<'c>,
        left: &mut usize,
    ) -> bool {
        let names: Names = started.tokens.iter().map(|token| token.key()).collect();
        let mut known: SecondaryMap<SegmentId, Option<Names>> = SecondaryMap::default();
        let mut open: Vec<(SegmentId, Option<Op<'c>>)> = Vec::new();
        let is_region = control.segments[started.segment]
            .after
            .is_some_and(|entered| control.entered[entered].op == started.op);
        // The search comes back to the segment of the operation by a loop: then it starts anew.
        let first = (started.segment, (!is_region).then_some(started.op));
        let mut start = Some(names);
        open.push(first);
        while let Some((at, after)) = open.pop() {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            let Some(mut names) = start.take().or_else(|| known[at].clone()) else {
                continue;
            };
            let mut is_before = after.is_some();
            let mut is_done = false;
            for op in control.ops(at) {
                if is_before {
                    is_before = Some(op) != after;
                    continue;
                }
                names.retain(|name| results(op).all(|result| result.key() != *name));
                if self.joins(op, &mut names) {
                    is_done = true;
                    break;
                }
            }
            if is_done {
                continue;
            }
            let mut next: SmallVec<[(SegmentId, Names); 2]> = SmallVec::new();
            match control.segments[at].end {
                End::NeverLeft(_) => continue,
                End::Enters(entered) if self.outlives(control, entered) => {
                    let entered = &control.entered[entered];
                    names.retain(|name| results(entered.op).all(|one| one.key() != *name));
                    if self.joins(entered.op, &mut names) {
                        continue;
                    }
                    match entered.after {
                        Some(after) => next.push((after, names)),
                        None => return true,
                    }
                }
                _ => {
                    for edge in control.edges_from(at) {
                        if edge.taken == Taken::Never {
                            continue;
                        }
                        let Some(to) = edge.to else { return true };
                        let values = control.values(edge);
                        next.push((to, passed(&names, values, &control.targets(to))));
                    }
                }
            }
            for (to, names) in next {
                match &mut known[to] {
                    Some(known) => {
                        let before = known.len();
                        known.retain(|name| names.contains(name));
                        if known.len() < before {
                            open.push((to, None));
                        }
                    }
                    unknown => {
                        *unknown = Some(names);
                        open.push((to, None));
                    }
                }
            }
        }
        false
    }

    fn outlives(&mut self, control: &ControlGraph<'c>, entered: EnteredId) -> bool {
        let op = control.entered[entered].op;
        self.semantics.region_order(op).outlives()
    }

    /// Adds what is done no earlier; does control wait here?
    fn joins(&mut self, op: Op<'c>, names: &mut Names) -> bool {
        let stands = |names: &Names, token: &TokenRef| {
            token_of(op, *token).is_some_and(|token| names.contains(&token.key()))
        };
        // Most operations have nothing to do with tokens.
        if !operands(op).any(|operand| names.contains(&operand.key())) {
            return false;
        }
        for join in &self.describe(op).joins {
            let later = match join {
                Join::Wait(tokens) if tokens.iter().any(|token| stands(names, token)) => {
                    return true;
                }
                Join::After { all_of: of, to } | Join::Group { of, to }
                    if of.iter().any(|token| stands(names, token)) =>
                {
                    *to
                }
                Join::OneOf { of, to } if of.iter().all(|token| stands(names, token)) => *to,
                _ => continue,
            };
            if let Some(later) = token_of(op, later)
                && !names.contains(&later.key())
            {
                names.push(later.key());
            }
        }
        false
    }
}

/// The names behind an edge: what it forwards, and what keeps its meaning.
fn passed<'c>(names: &Names, values: &[(Val<'c>, Val<'c>)], targets: &[Val<'c>]) -> Names {
    let stays = |name: &&Key| targets.iter().all(|target| target.key() != **name);
    let mut passed: Names = names.iter().filter(stays).copied().collect();
    for (_, to) in values
        .iter()
        .filter(|(from, _)| names.contains(&from.key()))
    {
        if !passed.contains(&to.key()) {
            passed.push(to.key());
        }
    }
    passed
}

/// The value that a token is.
fn token_of<'c>(op: Op<'c>, token: TokenRef) -> Option<Val<'c>> {
    match token {
        TokenRef::Operand(at) => operands(op).nth(at as usize),
        TokenRef::Result(at) => results(op).nth(at as usize),
        TokenRef::Tag { .. } => None,
    }
}
