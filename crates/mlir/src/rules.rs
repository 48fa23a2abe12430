//! Operations of other compilers: whoever embeds memplan says what they do with memory.
//!
//! Rules are known by the name of an operation, in all contexts of the process, and stand in for the
//! interfaces of an operation without regions that ends no block. All passes go by them: where a buffer
//! is live, who frees it, and what `memplan-verify` takes for a use.

use crate::{
    contained,
    contents::Contents,
    effects::{Effect, EffectKind},
    ir::{Op, Type, Val, is_memref, next_in_block, operands, regions, results, type_of},
    names::{Known, NameInfo, Names},
};
use melior::ir::operation::OperationLike;
use smallvec::SmallVec;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// What an operation does with the memrefs that it gets and gives. Operands and results are counted
/// from 0, among all that the operation has. A memref that no rule names is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Operands that it reads.
    pub reads: Vec<usize>,
    /// Operands that it writes.
    pub writes: Vec<usize>,
    /// Operands of which it writes every element, and reads none through them.
    pub overwrites: Vec<usize>,
    /// Operands that it reads element by element, each before it writes the element at the same place of
    /// the other one, which has the same shape.
    pub in_step: Vec<(usize, usize)>,
    /// Operands whose memory it gives back.
    pub frees: Vec<usize>,
    /// Operands that it may keep for longer than can be said, as memory that it takes: such memory is left alone.
    pub keeps: Vec<usize>,
    /// Results that are new memory, which is given back by the program itself, or as a deallocation handler says.
    pub makes: Vec<usize>,
    /// The operand that all memref results are views of. Goes with reads and writes of other operands alone.
    pub views: Option<usize>,
    /// It goes on when control has passed it: what it uses is needed until all that its tokens stand for
    /// has been waited for.
    pub goes_on: bool,
    /// What its tokens stand for is done when it is.
    pub waits: bool,
}

/// Says what an operation does; `None`: what its interfaces say.
pub type Collector = dyn Fn(Op<'_>) -> Result<Option<Rules>, String> + Send + Sync;

static ANY: AtomicBool = AtomicBool::new(false);
static COLLECTORS: RwLock<BTreeMap<String, Arc<Collector>>> = RwLock::new(BTreeMap::new());
static TOKENS: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());

/// From now on, `collector` is asked about all operations of this name, in place of one that was before.
/// An error, or a panic, fails the pass that asks, at the operation.
pub fn register(
    name: impl Into<String>,
    collector: impl Fn(Op<'_>) -> Result<Option<Rules>, String> + Send + Sync + 'static,
) {
    let mut all = COLLECTORS.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(name.into(), Arc::new(collector));
    ANY.store(true, Ordering::Release);
}

/// From now on, values of the type that prints so are tokens: what [`Rules::goes_on`] is waited for by.
pub fn register_token(r#type: impl Into<String>) {
    let mut all = TOKENS.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(r#type.into());
    ANY.store(true, Ordering::Release);
}

/// Has a type been registered as that of tokens?
pub fn is_token(r#type: Type<'_>) -> bool {
    let all = || TOKENS.read().unwrap_or_else(PoisonError::into_inner);
    ANY.load(Ordering::Acquire) && all().contains(&r#type.to_string())
}

/// Is somebody asked about operations of this name?
pub(crate) fn is_ruled(name: &str) -> bool {
    let all = || COLLECTORS.read().unwrap_or_else(PoisonError::into_inner);
    ANY.load(Ordering::Acquire) && all().contains_key(name)
}

/// What somebody has said of an operation.
pub fn rules(op: Op<'_>) -> Option<Rules> {
    if !ANY.load(Ordering::Acquire) || regions(op).next().is_some() {
        return None;
    }
    let name = op.name();
    let name = name.as_string_ref().as_str().ok()?;
    let collector = {
        let all = COLLECTORS.read().unwrap_or_else(PoisonError::into_inner);
        all.get(name).map(Arc::clone)?
    };
    let found = may_be_ruled(op)
        .and_then(|()| contained::call(|| collector(op)))
        .and_then(|rules| match rules {
            Some(rules) => rules.check(op).map(|()| Some(rules)),
            None => Ok(None),
        });
    found.unwrap_or_else(|why| contained::fail(op, format!("the rules of '{name}': {why}")))
}

/// Rules stand in for interfaces, not for what memplan knows by itself, nor for ways of control.
fn may_be_ruled(op: Op<'_>) -> Result<(), String> {
    let info = Names::default().info(op);
    let why = if info.known != Known::Other {
        "memplan knows what this operation does"
    } else if info.is_call() {
        "what a call does, its callee shows"
    } else if info.is_terminator()
        || op.successor_count() > 0
        || (!info.is_registered() && next_in_block(op).is_none())
    {
        "it ends a block, or may: nothing else is known of an operation that is not registered"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// Does an operation go on when control has passed it, as its rules say?
pub fn goes_on(op: Op<'_>, info: NameInfo) -> bool {
    info.is_ruled && rules(op).is_some_and(|rules| rules.goes_on)
}

/// Does an operation wait for its tokens, as its rules say?
pub fn waits(op: Op<'_>) -> bool {
    rules(op).is_some_and(|rules| rules.waits)
}

impl Rules {
    /// Do they speak of memrefs that the operation has, and of one token where it goes on?
    fn check(&self, op: Op<'_>) -> Result<(), String> {
        let is_memref = |value: Val<'_>| is_memref(type_of(value));
        let given: SmallVec<[bool; 8]> = operands(op).map(is_memref).collect();
        let made: SmallVec<[bool; 4]> = results(op).map(is_memref).collect();
        let pairs = self
            .in_step
            .iter()
            .flat_map(|(read, written)| [read, written]);
        let named = [
            &self.reads,
            &self.writes,
            &self.overwrites,
            &self.frees,
            &self.keeps,
        ];
        let named = named.into_iter().flatten().chain(pairs).chain(&self.views);
        for at in named {
            if given.get(*at) != Some(&true) {
                return Err(format!("operand {} is no memref", *at as isize));
            }
        }
        for at in &self.makes {
            if made.get(*at) != Some(&true) {
                return Err(format!("result {} is no memref", *at as isize));
            }
        }
        let tokens = results(op).filter(|result| is_token(type_of(*result)));
        if self.goes_on && tokens.count() > 1 {
            return Err("it goes on, and has more than one token to be waited for by".to_owned());
        }
        if let Some(source) = self.views {
            let others = [&self.frees, &self.keeps, &self.makes];
            let mut used = self
                .reads
                .iter()
                .chain(&self.writes)
                .chain(&self.overwrites);
            if self.goes_on
                || !self.in_step.is_empty()
                || others.iter().any(|other| !other.is_empty())
                || used.any(|at| *at == source)
            {
                return Err(
                    "a view reads and writes other operands, and does nothing else".to_owned(),
                );
            }
        }
        Ok(())
    }

    /// As the effects of an operation.
    pub(crate) fn effects<'c>(&self, op: Op<'c>) -> SmallVec<[Effect<'c>; 8]> {
        let mut all = SmallVec::new();
        let mut add = |kind: EffectKind, value: Val<'c>| {
            all.push(Effect {
                kind,
                value: Some(value),
                automatic_scope: false,
                memory: true,
            });
        };
        for (at, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let is_written = self.writes.contains(&at)
                || self.overwrites.contains(&at)
                || self.in_step.iter().any(|(_, written)| *written == at);
            let is_used = is_written || self.frees.contains(&at) || self.views == Some(at);
            if self.reads.contains(&at)
                || self.in_step.iter().any(|(read, _)| *read == at)
                || (!is_used && !self.keeps.contains(&at))
            {
                add(EffectKind::Read, operand);
            }
            if is_written {
                add(EffectKind::Write, operand);
            }
            if self.frees.contains(&at) {
                add(EffectKind::Free, operand);
            }
            if self.keeps.contains(&at) {
                add(EffectKind::Keep, operand);
            }
        }
        for (at, result) in results(op).enumerate() {
            if self.makes.contains(&at) {
                add(EffectKind::Allocate, result);
            }
        }
        all
    }

    /// As what an operation does to elements.
    pub(crate) fn contents(&self, op: Op<'_>) -> Contents {
        // When it happens is not known.
        if self.goes_on {
            return Contents::default();
        }
        let all: SmallVec<[Val<'_>; 8]> = operands(op).collect();
        let is_once = |at: usize| all.iter().filter(|other| **other == all[at]).count() == 1;
        let others = [&self.reads, &self.frees, &self.keeps];
        let is_otherwise = |at: usize| others.iter().any(|other| other.contains(&at));
        let is_written = |at: usize| self.writes.contains(&at) || self.overwrites.contains(&at);
        let in_step = self.in_step.iter().copied().filter(|(read, written)| {
            is_once(*read)
                && is_once(*written)
                && !is_otherwise(*read)
                && !is_otherwise(*written)
                && !is_written(*read)
        });
        let overwritten = self.overwrites.iter().copied();
        Contents {
            overwritten: overwritten.filter(|at| !self.reads.contains(at)).collect(),
            in_step: in_step.collect(),
            matches: SmallVec::new(),
            copied: SmallVec::new(),
        }
    }

    /// What results are views of.
    pub(crate) fn view_source<'c>(&self, op: Op<'c>) -> Option<Val<'c>> {
        operands(op).nth(self.views?)
    }
}
