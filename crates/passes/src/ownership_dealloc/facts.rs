//! What called functions do to memory that a caller has to know of.

use super::kinds::Returned;
use memplan_mlir::ir::Key;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// An argument that a function frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// Its number.
    pub argument: usize,
    /// Whichever way the function goes, as far as can be seen.
    pub always: bool,
}

/// Of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The arguments that it frees.
    pub frees: SmallVec<[Freed; 1]>,
    /// The arguments that something may hold on to behind the call.
    pub keeps: SmallVec<[usize; 1]>,
    /// The arguments that are numbers or pointers and may be stored: if they are addresses, that keeps memory, too.
    pub keeps_numbers: SmallVec<[usize; 1]>,
    /// The arguments that are numbers or pointers and that results may be computed from, if its body has been followed.
    pub returns_numbers: Option<SmallVec<[usize; 1]>>,
    /// Numbers or pointers that it returns may be addresses that it takes.
    pub returns_addresses: bool,
    /// How the memory that it returns is given back.
    pub returned: Returned,
    /// The results that stay somebody else's. Of calls alone: that is said by the function itself.
    pub lends: SmallVec<[usize; 1]>,
}

impl Facts {
    pub fn free(&mut self, freed: Freed) {
        let known = self.frees.iter_mut();
        match known
            .into_iter()
            .find(|known| known.argument == freed.argument)
        {
            Some(known) => known.always |= freed.always,
            None => self.frees.push(freed),
        }
    }

    pub fn keep_numbers(&mut self, arguments: impl IntoIterator<Item = usize>) {
        for argument in arguments {
            if !self.keeps_numbers.contains(&argument) {
                self.keeps_numbers.push(argument);
            }
        }
    }

    pub fn keep(&mut self, arguments: impl IntoIterator<Item = usize>) {
        for argument in arguments {
            if !self.keeps.contains(&argument) {
                self.keeps.push(argument);
            }
        }
    }

    /// Of this or another function, whichever is called: what one of them frees may be gone.
    pub fn or(&mut self, other: &Self) {
        self.keep(other.frees.iter().map(|freed| freed.argument));
        self.keep(other.keeps.iter().copied());
        self.keep_numbers(other.keeps_numbers.iter().copied());
        self.returns_addresses |= other.returns_addresses;
        if other.returned.has_others() {
            self.returned = Returned::Anything;
        }
        self.returns_numbers = match (self.returns_numbers.take(), &other.returns_numbers) {
            (Some(mut own), Some(others)) => {
                own.extend(others.iter().copied());
                own.sort_unstable();
                own.dedup();
                Some(own)
            }
            _ => None,
        };
    }

    /// Of a function with so many arguments that was not read to the end: it may hold on to all of them, or free them.
    pub fn anything(count: usize) -> Self {
        Self {
            frees: SmallVec::new(),
            keeps: (0..count).collect(),
            keeps_numbers: (0..count).collect(),
            returns_numbers: Some((0..count).collect()),
            returns_addresses: true,
            returned: Returned::default(),
            lends: SmallVec::new(),
        }
    }

    /// Is there nothing to be known of it?
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Of the calls of a function, by call; those are left out of which nothing is to be known.
pub type ByCall = FxHashMap<Key, Arc<Facts>>;

/// By function: when its calls are made anew, other functions have operations where they were.
pub type ByFunction = FxHashMap<Key, ByCall>;
