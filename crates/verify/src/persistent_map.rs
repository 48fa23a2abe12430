//! A persistent map: versions share their common parts.
//!
//! A treap whose priorities are a function of the keys, so that equal sets of keys always form the same tree. A
//! version that differs from another one in a few keys shares the rest of the tree, and a join skips shared parts.

use super::proofs::{Key, PendingStarts};
use std::rc::Rc;

type Link = Option<Rc<Node>>;

#[derive(Debug)]
struct Node {
    key: Key,
    value: PendingStarts,
    left: Link,
    right: Link,
}

/// The change of an entry.
pub enum Change {
    /// The entry stays.
    Keep,
    /// The entry gets this value.
    To(PendingStarts),
    /// The entry is removed.
    Drop,
}

/// A version of the map.
#[derive(Clone, Debug, Default)]
pub struct PersistentMap(Link);

/// A pseudo-random number, distinct for each key.
const fn priority(key: Key) -> u64 {
    let mut mixed = (key.0.0 as u64) << 32 | key.1.0 as u64;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn is_same(one: &Link, other: &Link) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

fn node(key: Key, value: PendingStarts, left: Link, right: Link) -> Link {
    Some(Rc::new(Node {
        key,
        value,
        left,
        right,
    }))
}

/// The entries before `key`, its value, and the entries after it.
fn split(link: &Link, key: Key) -> (Link, Option<PendingStarts>, Link) {
    let Some(this) = link else {
        return (None, None, None);
    };
    if key == this.key {
        return (
            this.left.clone(),
            Some(this.value.clone()),
            this.right.clone(),
        );
    }
    if key < this.key {
        let (before, at, after) = split(&this.left, key);
        let after = node(this.key, this.value.clone(), after, this.right.clone());
        (before, at, after)
    } else {
        let (before, at, after) = split(&this.right, key);
        let before = node(this.key, this.value.clone(), this.left.clone(), before);
        (before, at, after)
    }
}

/// The union of two maps; all keys of `one` come before those of `other`.
fn append(one: Link, other: Link) -> Link {
    match (one, other) {
        (Some(one), Some(other)) if priority(one.key) > priority(other.key) => {
            let right = append(one.right.clone(), Some(other));
            node(one.key, one.value.clone(), one.left.clone(), right)
        }
        (Some(one), Some(other)) => {
            let left = append(Some(one), other.left.clone());
            node(other.key, other.value.clone(), left, other.right.clone())
        }
        (one, other) => one.or(other),
    }
}

fn join(one: &Link, other: &Link) -> Link {
    let (Some(this), Some(that)) = (one, other) else {
        return one.clone().or_else(|| other.clone());
    };
    if Rc::ptr_eq(this, that) {
        return one.clone();
    }
    if priority(this.key) >= priority(that.key) {
        let (before, at, after) = split(other, this.key);
        let (left, right) = (join(&this.left, &before), join(&this.right, &after));
        let value = match at {
            Some(at) => this.value.join(&at),
            None => this.value.clone(),
        };
        let same = is_same(&left, &this.left) && is_same(&right, &this.right);
        match same && value == this.value {
            true => one.clone(),
            false => node(this.key, value, left, right),
        }
    } else {
        let (before, _, after) = split(one, that.key);
        let (left, right) = (join(&before, &that.left), join(&after, &that.right));
        node(that.key, that.value.clone(), left, right)
    }
}

fn change(link: &Link, to: &mut impl FnMut(&PendingStarts) -> Change) -> Link {
    let this = link.as_ref()?;
    let (left, right) = (change(&this.left, to), change(&this.right, to));
    match to(&this.value) {
        Change::Keep if is_same(&left, &this.left) && is_same(&right, &this.right) => link.clone(),
        Change::Keep => node(this.key, this.value.clone(), left, right),
        Change::To(value) => node(this.key, value, left, right),
        Change::Drop => append(left, right),
    }
}

impl PersistentMap {
    /// Whether the map has no entry.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let mut open: Vec<&Node> = Vec::new();
        let mut next = self.0.as_deref();
        std::iter::from_fn(move || {
            while let Some(node) = next {
                open.push(node);
                next = node.left.as_deref();
            }
            let node = open.pop()?;
            next = node.right.as_deref();
            Some(node.key)
        })
    }

    /// Changes an entry, which is empty if it is new.
    pub fn put(&mut self, key: Key, to: impl FnOnce(PendingStarts) -> PendingStarts) {
        let (before, at, after) = split(&self.0, key);
        let entry = node(key, to(at.unwrap_or_default()), None, None);
        self.0 = append(append(before, entry), after);
    }

    /// Changes all entries.
    pub fn change(&mut self, mut to: impl FnMut(&PendingStarts) -> Change) {
        self.0 = change(&self.0, &mut to);
    }

    /// Replaces the map by the union of both. Returns true if it changed.
    pub fn join(&mut self, other: &Self) -> bool {
        let joined = join(&self.0, &other.0);
        let changed = !is_same(&joined, &self.0);
        self.0 = joined;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{OpId, SliceId};
    use memplan_problems::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn the_map_has_the_keys_of_a_set() {
        let mut random = Random(7);
        let mut below = |limit: u64| random.below(limit as usize) as u64;
        let mut versions: Vec<(PersistentMap, BTreeSet<Key>)> = vec![Default::default()];
        for _ in 0..2000 {
            let (mut map, mut set) = versions[below(versions.len() as u64) as usize].clone();
            if below(4) == 0 {
                let (other, keys) = &versions[below(versions.len() as u64) as usize];
                let grows = !keys.is_subset(&set);
                assert_eq!(map.join(other), grows);
                set.extend(keys);
                assert!(!map.join(other), "once is enough");
            } else if below(8) == 0 {
                map.change(|_| Change::Drop);
                set.clear();
            } else {
                let key = (OpId(below(40) as u32), SliceId(below(3) as u32));
                map.put(key, |starts| starts);
                set.insert(key);
            }
            assert!(map.keys().eq(set.iter().copied()));
            versions.push((map, set));
        }
    }
}
