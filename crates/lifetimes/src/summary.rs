//! What calls do with memrefs.

use crate::{
    alias::{Aliases, Root},
    read,
    reason::Reason,
};
use memplan_mlir::{
    calls::function_body,
    ir::{Identity, Key, Op},
    layout::DataLayout,
    names::Names,
};
use rustc_hash::FxHashMap;

/// What becomes of one memref argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallPolicy {
    /// The callee only uses it while it runs.
    Borrows,
    /// The callee may keep it, or free it.
    Keeps,
    /// The callee has a body that may not be looked at from here.
    Unseen,
}

/// What is known of callees.
pub trait Callees: Sync {
    /// What a call does with the memref among its operands at place `argument` of its arguments,
    /// given the function that it calls.
    fn policy(&self, callee: Op<'_>, argument: usize) -> CallPolicy;
}

/// For passes that run on one function: the bodies of others may be changing at this moment.
#[derive(Clone, Copy, Debug)]
pub struct NoCallees {
    /// A callee without a body keeps nothing, unless this is set.
    pub bodyless_keep: bool,
}

impl Callees for NoCallees {
    fn policy(&self, callee: Op<'_>, _argument: usize) -> CallPolicy {
        if function_body(callee).is_some() {
            CallPolicy::Unseen
        } else if self.bodyless_keep {
            CallPolicy::Keeps
        } else {
            CallPolicy::Borrows
        }
    }
}

/// For passes that run on a module: what each function's body does with its arguments, found
/// before anything is changed.
#[derive(Debug, Default)]
pub struct Summaries {
    kept: FxHashMap<Key, Vec<bool>>,
    bodyless_keep: bool,
}

impl Summaries {
    /// Looks into all functions. An argument is kept if the body stores it, hands it to what keeps
    /// it, frees it, or loses sight of it; returning it is not keeping. Functions that call each other are
    /// solved together, starting from the assumption that they keep nothing.
    pub fn of<'c>(functions: impl IntoIterator<Item = Op<'c>>, bodyless_keep: bool) -> Self {
        let mut summaries = Self {
            kept: FxHashMap::default(),
            bodyless_keep,
        };
        let functions: Vec<Op<'c>> = functions.into_iter().collect();
        let mut names = Names::default();
        for function in &functions {
            summaries.kept.insert(function.key(), Vec::new());
        }
        loop {
            let mut changed = false;
            for function in &functions {
                let mut layout = DataLayout::at(*function);
                let (program, _) = read::read(*function, &mut names, &mut layout, &summaries);
                let aliases = Aliases::of(&program);
                let (_, mut arguments) =
                    aliases.escapes(&program, |reason| reason != Reason::Returned);
                let mut seen = vec![false; program.values.len()];
                for dealloc in &program.deallocs {
                    aliases.visit_origins(&program, dealloc.value, &mut seen, |root| {
                        if let Root::Argument(number) = root {
                            arguments[number as usize].get_or_insert(Reason::FreedElsewhere);
                        }
                    });
                }
                let mut kept: Vec<bool> = Vec::new();
                for (place, reason) in program.argument_places.iter().zip(arguments) {
                    if kept.len() <= *place {
                        kept.resize(*place + 1, false);
                    }
                    kept[*place] = reason.is_some();
                }
                let old = summaries.kept.insert(function.key(), kept.clone());
                changed |= old.as_ref() != Some(&kept);
            }
            if !changed {
                return summaries;
            }
        }
    }
}

impl Callees for Summaries {
    fn policy(&self, callee: Op<'_>, argument: usize) -> CallPolicy {
        let keeps = match self.kept.get(&callee.key()) {
            Some(kept) => kept.get(argument).copied().unwrap_or(false),
            None if function_body(callee).is_some() => return CallPolicy::Unseen,
            None => self.bodyless_keep,
        };
        if keeps {
            CallPolicy::Keeps
        } else {
            CallPolicy::Borrows
        }
    }
}
