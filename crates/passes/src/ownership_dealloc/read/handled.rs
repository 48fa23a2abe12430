//! Operations that take memory, and those that somebody has said of what they do: handlers, and models of
//! upstream's deallocation.

use super::{Reader, Start, Way};
use crate::ownership_dealloc::{
    error::What,
    handlers::{Behavior, Given},
};
use memplan_mlir::{
    ir::{Op, Val, holds_memref, operands, results, type_of},
    model::{self, Gives},
};
use memplan_ownership::function::{Kind, RegionId, Room, SegmentId, Step, ValueId};
use memplan_semantics::Allocator;
use smallvec::SmallVec;

/// What an operation's model of upstream's deallocation says that it does; `None` where that is none of what
/// handlers say.
pub(super) fn modelled(op: Op<'_>) -> Option<Behavior> {
    let answer = model::ask(op)?;
    // Who owns it is said, but not whose memory it is: it may be that of any operand.
    let memrefs = || {
        operands(op)
            .enumerate()
            .filter(|(_, val)| holds_memref(type_of(*val)))
    };
    let shared = || match memrefs().next() {
        None => Given::Foreign,
        Some(_) => Given::Operands(memrefs().map(|(at, _)| at).collect()),
    };
    let mut gives = Vec::new();
    for (result, given) in results(op).zip(&answer.gives) {
        if holds_memref(type_of(result)) {
            gives.push(match given {
                Gives::New => Given::New { freed_by: None },
                Gives::Shared => shared(),
            });
        }
    }
    Some(Behavior {
        gives,
        takes: answer.takes,
    })
}

impl<'c> Reader<'c, '_> {
    /// An operation takes memory: behind it that belongs to parameters that are not the function's; the
    /// segment behind it.
    pub(super) fn takes(
        &mut self,
        op: Op<'c>,
        taken: impl Iterator<Item = Val<'c>>,
        segment: SegmentId,
        region: RegionId,
    ) -> SegmentId {
        let next = self.segment(region, Start::Behind(op));
        self.reading.function.segments[next.index()].behind = Some(segment);
        let mut passed = Vec::new();
        let taken: SmallVec<[ValueId; 2]> = taken.filter_map(|operand| self.id(operand)).collect();
        for id in taken {
            let param = self.value(Kind::Param, next, None, None);
            self.reading.function.taken.insert(param);
            passed.push(Some(id));
        }
        self.edge(segment, Some(next), passed, Room::None, Way::Enter(op));
        next
    }

    /// An operation does what its handler says; the segment behind it.
    pub(super) fn behaves(
        &mut self,
        op: Op<'c>,
        behavior: &Behavior,
        segment: SegmentId,
        step: Step,
        region: RegionId,
    ) -> SegmentId {
        let all: SmallVec<[Val<'c>; 4]> = operands(op).collect();
        let memrefs: SmallVec<[Val<'c>; 2]> = results(op)
            .filter(|result| holds_memref(type_of(*result)))
            .collect();
        let numbers = behavior.gives.iter().flat_map(|given| match given {
            Given::Operands(numbers) => numbers.as_slice(),
            _ => &[],
        });
        let is_memref = |at: &usize| {
            all.get(*at)
                .is_some_and(|operand| holds_memref(type_of(*operand)))
        };
        if memrefs.len() != behavior.gives.len()
            || behavior.gives.contains(&Given::Operands(Vec::new()))
            || !numbers.chain(&behavior.takes).all(is_memref)
        {
            self.fails(op, What::Handler);
            return segment;
        }
        for (at, operand) in all.iter().enumerate() {
            self.expose(*operand);
            if let Some(id) = self.id(*operand)
                && !behavior.takes.contains(&at)
            {
                self.uses(segment, step, id);
            }
        }
        let used = self.ids(op);
        self.carry(op, results(op), &used);
        for (result, given) in memrefs.into_iter().zip(&behavior.gives) {
            let kind = match given {
                Given::New { .. } => Kind::Fresh {
                    owned: true,
                    same_as: None,
                },
                Given::Operands(numbers) => {
                    let ids = numbers.iter().filter_map(|at| self.id(all[*at]));
                    Kind::Any(ids.collect::<SmallVec<[ValueId; 2]>>())
                }
                Given::Foreign => Kind::Foreign,
            };
            let id = self.value(kind, segment, Some(step), Some(result));
            if let Given::New { freed_by } = given {
                let freeing = freed_by.map_or(Allocator::Memref, Allocator::FreedBy);
                self.reading.freeing.insert(id, freeing);
                if freeing != Allocator::Memref {
                    self.reading.function.apart.push(id);
                }
            }
        }
        if behavior.takes.is_empty() {
            return segment;
        }
        for at in &behavior.takes {
            let id = self.id(all[*at]);
            self.reading.freed.extend(id.map(|id| (op, id, true)));
        }
        let taken = behavior.takes.iter().map(|at| all[*at]);
        self.takes(op, taken, segment, region)
    }
}
