//! The parents of regions: regions that a region keeps alive.

use std::collections::BTreeSet;
use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::header::Header;
use crate::{Error, header_table};

/// Serializes all changes of parents, so that a search for cycles sees a consistent graph.
static GRAPH: Mutex<()> = Mutex::new(());

fn lock() -> MutexGuard<'static, ()> {
    GRAPH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes `parent` a parent of `child`, which keeps it alive. Does nothing if it is one already.
pub(crate) fn refer(child: i64, parent: i64) -> Result<(), Error> {
    let header = header_table::alive(child)?;
    let kept = header_table::alive(parent)?;
    if child == parent {
        return Err(Error::Cycle);
    }
    let _filling = header.begin_filling()?;
    let _lock = lock();
    // SAFETY: the parents of a live region stay allocated while the lock is held.
    if unsafe { header.parents.load(Relaxed).as_ref() }.is_some_and(|all| all.contains(parent)) {
        return Ok(());
    }
    // A region without children cannot be reached. Most regions have none when they get a parent, so chains can be
    // built from either end without walking them.
    if header.children.load(Relaxed) > 0 && reaches(parent, child) {
        return Err(Error::Cycle);
    }
    kept.count.retain(header_table::life(parent))?;
    kept.children.fetch_add(1, Relaxed);
    let mut parents = header.parents.load(Relaxed);
    if parents.is_null() {
        parents = Box::into_raw(Box::default());
        header.parents.store(parents, Relaxed);
    }
    let position = header.position();
    // A parent takes one byte of position, so that marks before and after it differ.
    header.advance(1);
    header
        .parent_count
        .store(header.parent_count.load(Relaxed) + 1, Relaxed);
    // SAFETY: as above, and only changed under the lock.
    let list = unsafe { &mut *parents };
    list.push(parent, position, header.shift.load(Relaxed));
    Ok(())
}

/// Does a region keep another alive? The caller holds the lock.
fn reaches(from: i64, wanted: i64) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(handle) = left.pop() {
        if handle == wanted {
            return true;
        }
        let Some(header) = header_table::at(header_table::index(handle)) else {
            continue;
        };
        // SAFETY: parents are only changed and freed under the lock.
        let Some(parents) = (unsafe { header.parents.load(Relaxed).as_ref() }) else {
            continue;
        };
        left.extend(parents.handles().filter(|parent| seen.insert(*parent)));
    }
    false
}

/// Removes the parents that were added at `position` or after it. The caller releases them.
pub(crate) fn take_added_since(header: &Header, position: u64) -> Vec<i64> {
    if header.parents.load(Relaxed).is_null() {
        return Vec::new();
    }
    let _lock = lock();
    let parents = header.parents.load(Relaxed);
    // SAFETY: the caller fills the region or ends it, so its parents stay, and they are only changed under the lock.
    let list = unsafe { &mut *parents };
    let taken = list.truncate(position);
    for handle in &taken {
        if let Some(parent) = header_table::at(header_table::index(*handle)) {
            parent.children.fetch_sub(1, Relaxed);
        }
    }
    header.parent_count.store(list.len() as u32, Relaxed);
    if list.len() == 0 {
        header.parents.store(null_mut(), Relaxed);
        // SAFETY: it was allocated as a `Box`, and nothing points to it any more.
        drop(unsafe { Box::from_raw(parents) });
    }
    taken
}

/// Position and shift of the last parent before `position`.
pub(crate) fn last_before(header: &Header, position: u64) -> Option<(u64, u64)> {
    if header.parents.load(Relaxed).is_null() {
        return None;
    }
    let _lock = lock();
    // SAFETY: the caller fills the region, so its parents stay.
    unsafe { header.parents.load(Relaxed).as_ref() }?.last_before(position)
}
