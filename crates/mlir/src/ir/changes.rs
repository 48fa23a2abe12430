//! What this thread has changed of the IR, for those who keep answers about operations.
//!
//! Each function of this crate that changes an operation records it here, before it does; those of
//! [`units`](crate::units) do not, which cut modules up that nobody asks about. An answer about an operation
//! holds as long as neither it, nor what it holds, nor what defines its operands is recorded. Operations that are erased
//! are recorded, too: the address of one may be that of another later.

use super::{
    Block, Identity, Key, Op, Origin, Val, block_parent, blocks, ops, origin, parent, regions,
    results, users,
};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// What is known of this operation may not be true any more.
    Of(Key),
    /// Operations are others, or stand elsewhere. Nothing that is known of one is affected.
    Order,
    /// Nothing that is known of any operation may be true any more.
    All,
}

#[derive(Default)]
struct Log {
    /// How many are forgotten.
    forgotten: u64,
    kept: Vec<Change>,
    /// Operations that were recorded, with all that holds them, since somebody asked last.
    with_around: FxHashSet<Key>,
}

impl Log {
    fn count(&self) -> u64 {
        self.forgotten + self.kept.len() as u64
    }
}

/// As many changes are remembered; older ones count as [`Change::All`].
const MOST_KEPT: usize = 1 << 14;

thread_local! {
    static LOG: RefCell<Log> = RefCell::default();
}

/// How many changes this thread has made so far.
pub fn count() -> u64 {
    LOG.with_borrow_mut(|log| {
        log.with_around.clear();
        log.count()
    })
}

/// Calls `visit` for each change of this thread since there were `count`.
pub fn since(count: u64, mut visit: impl FnMut(Change)) {
    LOG.with_borrow(|log| match count.checked_sub(log.forgotten) {
        Some(first) => log
            .kept
            .iter()
            .skip(first as usize)
            .for_each(|one| visit(*one)),
        None => visit(Change::All),
    });
}

fn record(change: Change) {
    LOG.with_borrow_mut(|log| {
        if log.kept.len() == MOST_KEPT {
            log.forgotten += log.kept.len() as u64;
            log.kept.clear();
        }
        log.kept.push(change);
    });
}

/// An operation is put into a block: what holds that changes.
pub(crate) fn inserted(block: Block<'_>) {
    record(Change::Order);
    block_parent(block).into_iter().for_each(operation);
}

/// An operation moves before another one.
pub(crate) fn moved(op: Op<'_>, before: Op<'_>) {
    record(Change::Order);
    forget_around();
    let around = [op, before].map(parent);
    if around[0].map(|op| op.key()) != around[1].map(|op| op.key()) {
        around.into_iter().flatten().for_each(operation);
    }
}

/// Anything may have changed.
pub(crate) fn all() {
    record(Change::All);
    forget_around();
}

/// An operation changes, and with it what holds it.
pub(crate) fn operation(op: Op<'_>) {
    record(Change::Of(op.key()));
    // Where many operations of one block change, what holds them is recorded once.
    let mut at = parent(op);
    while let Some(op) = at {
        if !LOG.with_borrow_mut(|log| log.with_around.insert(op.key())) {
            return;
        }
        record(Change::Of(op.key()));
        at = parent(op);
    }
}

/// What holds operations may be something else from now on.
fn forget_around() {
    LOG.with_borrow_mut(|log| log.with_around.clear());
}

/// An operation goes, with all that it holds.
pub(crate) fn goes(op: Op<'_>) {
    fn nested(op: Op<'_>) {
        LOG.with_borrow_mut(|log| log.with_around.remove(&op.key()));
        for op in regions(op).flat_map(blocks).flat_map(ops) {
            record(Change::Of(op.key()));
            nested(op);
        }
    }
    operation(op);
    nested(op);
}

/// Operations use other values in place of this one.
pub(crate) fn uses_of(value: Val<'_>) {
    users(value).for_each(operation);
}

/// A value becomes another one: its type does, or what defines it.
pub(crate) fn value(value: Val<'_>) {
    match origin(value) {
        Some(Origin::Result(op, _)) => operation(op),
        Some(Origin::Argument(block, _)) => block_parent(block).into_iter().for_each(operation),
        None => {}
    }
    uses_of(value);
}

/// An attribute of an operation becomes another one: what uses the results may depend on it.
pub(crate) fn attribute(op: Op<'_>) {
    operation(op);
    results(op).for_each(uses_of);
}
