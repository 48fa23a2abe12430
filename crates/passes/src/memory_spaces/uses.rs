//! The uses of an allocation, with what they cost, and its type in another memory space.

use memplan_mlir::{
    ir::{Attribute, Op, Type, Val, context_of, parent, results, set_type, type_of, uses},
    layout::{memory_space_of, with_memory_space},
};
use memplan_semantics::{OpMemory, Semantics, Touch, loops::trip_count};

/// Assumed trip count of a loop without a constant one.
const ASSUMED_TRIP_COUNT: u64 = 10;

/// Type of an allocation in another memory space.
pub fn moved_type<'c>(op: Op<'c>, to: &str) -> Option<Type<'c>> {
    let space: Option<Attribute<'c>> = if to.is_empty() {
        None
    } else {
        Some(context_of(op).parse_attribute(to)?)
    };
    with_memory_space(type_of(results(op).next()?), space)
}

/// Whether results are views of an operand.
pub fn is_viewed(memory: &OpMemory, operand: usize) -> bool {
    memory.view_source() == u32::try_from(operand).ok()
}

/// How often memory is used, by executions of operations.
#[derive(Clone, Copy, Default)]
pub struct Uses {
    pub all: u64,
    pub reads: u64,
    pub writes: u64,
}

/// The uses of an allocation and its views; or a user that requires its memory space.
pub fn weighted_uses<'c>(op: Op<'c>, semantics: &mut Semantics) -> Result<Uses, Op<'c>> {
    let mut total = Uses::default();
    let mut open: Vec<Val<'c>> = results(op).collect();
    while let Some(value) = open.pop() {
        for (user, operand) in uses(value) {
            let memory = semantics.of(user);
            if !memory.any_space {
                return Err(user);
            }
            if !is_viewed(&memory, operand) {
                let times = executions(user, semantics);
                let touch = memory
                    .operand(operand)
                    .map_or(Touch::BOTH, |used| used.touch);
                let count = |is_so: bool| if is_so { times } else { 0 };
                total.all = total.all.saturating_add(times);
                total.reads = total.reads.saturating_add(count(touch.reads()));
                total.writes = total.writes.saturating_add(count(touch.writes()));
                continue;
            }
            for result in results(user) {
                // For example, a cast that drops the rank.
                with_memory_space(type_of(result), None).ok_or(user)?;
                open.push(result);
            }
        }
    }
    Ok(total)
}

/// A user that requires the memory space of an allocation, if there is one.
pub fn refuser<'c>(op: Op<'c>) -> Option<Op<'c>> {
    weighted_uses(op, &mut Semantics::default()).err()
}

/// Number of executions of an operation in one of its function.
pub fn executions(op: Op<'_>, semantics: &mut Semantics) -> u64 {
    let (mut count, mut at) = (1_u64, parent(op));
    while let Some(op) = at {
        let info = semantics.info(op);
        if info.is_function() {
            break;
        }
        if info.is_loop() {
            count = count.saturating_mul(trip_count(op, semantics).unwrap_or(ASSUMED_TRIP_COUNT));
        }
        at = parent(op);
    }
    count
}

/// Updates the memory space of all views of a moved value.
pub fn retype<'c>(value: Val<'c>) {
    let mut semantics = Semantics::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let space = memory_space_of(type_of(value));
        for (user, operand) in uses(value) {
            if is_viewed(&semantics.of(user), operand) {
                for result in results(user) {
                    if let Some(r#type) = with_memory_space(type_of(result), space) {
                        set_type(result, r#type);
                        open.push(result);
                    }
                }
            }
        }
    }
}
