//! A log of the changes that this thread made to the IR, for caches of facts about operations.
//!
//! Each function of this crate that changes an operation records the change here first. The functions of
//! [`split`](crate::split) do not: nobody caches facts about the modules that they split. A fact about an operation
//! holds as long as no change of the operation, of its nested operations, or of the definitions of its operands is
//! recorded. Erased operations are recorded, too, as another operation may get the address later.

use super::{
    Block, Identity, Key, Op, Origin, Val, block_parent, blocks, ops, origin, parent, regions,
    results, users,
};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// A recorded change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Facts about this operation may be invalid.
    Operation(Key),
    /// Operations were inserted, erased or moved. Facts about other operations stay valid.
    Order,
    /// Facts about all operations may be invalid.
    All,
}

#[derive(Default)]
struct Log {
    /// Number of changes that were dropped from the log.
    dropped: u64,
    changes: Vec<Change>,
    /// Operations that were recorded with their parents since the last call of [`count`].
    recorded_with_parents: FxHashSet<Key>,
}

impl Log {
    fn count(&self) -> u64 {
        self.dropped + self.changes.len() as u64
    }
}

/// Most changes in the log; older ones count as [`Change::All`].
const MAX_LOGGED: usize = 1 << 14;

thread_local! {
    static LOG: RefCell<Log> = RefCell::default();
}

/// Number of changes that this thread has made.
pub fn count() -> u64 {
    LOG.with_borrow_mut(|log| {
        log.recorded_with_parents.clear();
        log.count()
    })
}

/// Calls `visit` for each change that this thread made since [`count`] returned `count`.
pub fn since(count: u64, mut visit: impl FnMut(Change)) {
    LOG.with_borrow(|log| match count.checked_sub(log.dropped) {
        Some(first) => log
            .changes
            .iter()
            .skip(first as usize)
            .for_each(|one| visit(*one)),
        None => visit(Change::All),
    });
}

fn record(change: Change) {
    LOG.with_borrow_mut(|log| {
        if log.changes.len() == MAX_LOGGED {
            log.dropped += log.changes.len() as u64;
            log.changes.clear();
        }
        log.changes.push(change);
    });
}

/// Records that an operation is inserted into a block, which changes the parent.
pub(crate) fn inserted(block: Block<'_>) {
    record(Change::Order);
    block_parent(block).into_iter().for_each(operation);
}

/// Records that an operation moves to before another one.
pub(crate) fn moved(op: Op<'_>, before: Op<'_>) {
    record(Change::Order);
    clear_recorded_parents();
    let around = [op, before].map(parent);
    if around[0].map(|op| op.key()) != around[1].map(|op| op.key()) {
        around.into_iter().flatten().for_each(operation);
    }
}

/// Records that anything may have changed.
pub(crate) fn all() {
    record(Change::All);
    clear_recorded_parents();
}

/// Records a change of an operation, and of all operations that contain it.
pub(crate) fn operation(op: Op<'_>) {
    record(Change::Operation(op.key()));
    // When many operations of one block change, their parents are recorded once.
    let mut at = parent(op);
    while let Some(op) = at {
        if !LOG.with_borrow_mut(|log| log.recorded_with_parents.insert(op.key())) {
            return;
        }
        record(Change::Operation(op.key()));
        at = parent(op);
    }
}

/// Forgets which parents were recorded, as operations may get other parents.
fn clear_recorded_parents() {
    LOG.with_borrow_mut(|log| log.recorded_with_parents.clear());
}

/// Records that an operation is erased with all nested operations.
pub(crate) fn erased(op: Op<'_>) {
    fn nested(op: Op<'_>) {
        LOG.with_borrow_mut(|log| log.recorded_with_parents.remove(&op.key()));
        for op in regions(op).flat_map(blocks).flat_map(ops) {
            record(Change::Operation(op.key()));
            nested(op);
        }
    }
    operation(op);
    nested(op);
}

/// Records a change of all users of a value.
pub(crate) fn uses_of(value: Val<'_>) {
    users(value).for_each(operation);
}

/// Records a change of a value: of its type, or of its definition.
pub(crate) fn value(value: Val<'_>) {
    match origin(value) {
        Some(Origin::Result(op, _)) => operation(op),
        Some(Origin::Argument(block, _)) => block_parent(block).into_iter().for_each(operation),
        None => {}
    }
    uses_of(value);
}

/// Records a change of an attribute. The users of the results may depend on it.
pub(crate) fn attribute(op: Op<'_>) {
    operation(op);
    results(op).for_each(uses_of);
}
