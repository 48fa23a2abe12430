//! Which regions a region keeps alive.

use std::collections::BTreeSet;
use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::header::Header;
use crate::{Error, table};

/// Nobody adds or takes a parent anywhere while somebody searches for cycles.
static GRAPH: Mutex<()> = Mutex::new(());

fn lock() -> MutexGuard<'static, ()> {
    GRAPH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a region a parent of another, and keeps it alive as long as that; nothing where it is one already.
pub(crate) fn refer(child: i64, parent: i64) -> Result<(), Error> {
    let header = table::alive(child)?;
    let kept = table::alive(parent)?;
    if child == parent {
        return Err(Error::Cycle);
    }
    let _filling = header.fill()?;
    let _lock = lock();
    // SAFETY: the parents of a region that is alive are there as long as the lock is held.
    if unsafe { header.parents.load(Relaxed).as_ref() }.is_some_and(|all| all.contains(parent)) {
        return Ok(());
    }
    // A region that is nobody's parent is not reached from any. Most are, so that chains are built in one way or the
    // other without walking them.
    if header.children.load(Relaxed) > 0 && reaches(parent, child) {
        return Err(Error::Cycle);
    }
    kept.count.retain(table::life(parent))?;
    kept.children.fetch_add(1, Relaxed);
    let mut parents = header.parents.load(Relaxed);
    if parents.is_null() {
        parents = Box::into_raw(Box::default());
        header.parents.store(parents, Relaxed);
    }
    let position = header.position();
    // One more, so that a mark of before tells this parent from one of behind it.
    header.advance(1);
    header
        .parent_count
        .store(header.parent_count.load(Relaxed) + 1, Relaxed);
    // SAFETY: as above, and changed under the lock only.
    let list = unsafe { &mut *parents };
    list.push(parent, position, header.shift.load(Relaxed));
    Ok(())
}

/// Whether one region keeps another alive. The lock is held.
fn reaches(from: i64, wanted: i64) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(handle) = left.pop() {
        if handle == wanted {
            return true;
        }
        let Some(header) = table::at(table::index(handle)) else {
            continue;
        };
        // SAFETY: parents are changed and dropped under the lock only.
        let Some(parents) = (unsafe { header.parents.load(Relaxed).as_ref() }) else {
            continue;
        };
        left.extend(parents.handles().filter(|parent| seen.insert(*parent)));
    }
    false
}

/// Takes the parents away that were added at a position or behind it; the caller releases them.
pub(crate) fn take_behind(header: &Header, position: u64) -> Vec<i64> {
    if header.parents.load(Relaxed).is_null() {
        return Vec::new();
    }
    let _lock = lock();
    let parents = header.parents.load(Relaxed);
    // SAFETY: the caller fills the region or ends it, so its parents are there, and changed under the lock.
    let list = unsafe { &mut *parents };
    let taken = list.truncate(position);
    for handle in &taken {
        if let Some(parent) = table::at(table::index(*handle)) {
            parent.children.fetch_sub(1, Relaxed);
        }
    }
    header.parent_count.store(list.len() as u32, Relaxed);
    if list.len() == 0 {
        header.parents.store(null_mut(), Relaxed);
        // SAFETY: it came from a box, and nobody finds it any more.
        drop(unsafe { Box::from_raw(parents) });
    }
    taken
}

/// The position and the shift of the last parent in front of a position.
pub(crate) fn last_before(header: &Header, position: u64) -> Option<(u64, u64)> {
    if header.parents.load(Relaxed).is_null() {
        return None;
    }
    let _lock = lock();
    // SAFETY: the caller fills the region, so its parents are there.
    unsafe { header.parents.load(Relaxed).as_ref() }?.last_before(position)
}
