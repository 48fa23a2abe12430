//! Operations of other compilers: whoever embeds memplan says what they do with memory.
//!
//! A handler is asked before the interfaces of an operation are, for operations without regions. It is
//! known by the operation's name, in all contexts of the process.

use memplan_mlir::{contained, ir::Op, melior::ir::operation::OperationLike, names::name_key};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

/// What an operation gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// New memory, which the function has to give back.
    New {
        /// By an operation of this name, with the memref for its only operand; `None`: by
        /// `memref.dealloc`.
        freed_by: Option<&'static str>,
    },
    /// The memory of any of its operands of these numbers.
    Operands(Vec<usize>),
    /// Memory of someone else.
    Foreign,
}

/// What an operation does with memory. It uses all memrefs that it gets, as long as it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behavior {
    /// For each memref among its results.
    pub gives: Vec<Given>,
    /// The numbers of the operands whose memory it takes: the function does not give that back any more.
    pub takes: Vec<usize>,
}

/// Says what an operation does; `None`: what its interfaces say.
pub type Handler = dyn Fn(Op<'_>) -> Result<Option<Behavior>, String> + Send + Sync;

static REGISTRY: RwLock<BTreeMap<String, Arc<Handler>>> = RwLock::new(BTreeMap::new());

/// From now on, `handler` is asked about all operations of this name, in place of one that was before.
/// An error, or a panic, fails the pass, at the operation.
pub fn register(
    name: impl Into<String>,
    handler: impl Fn(Op<'_>) -> Result<Option<Behavior>, String> + Send + Sync + 'static,
) {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    registry.insert(name.into(), Arc::new(handler));
}

/// Is somebody asked about operations of this name?
pub(super) fn is_handled(op: Op<'_>) -> bool {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    // Most compilers have none.
    !registry.is_empty()
        && op
            .name()
            .as_string_ref()
            .as_str()
            .is_ok_and(|name| registry.contains_key(name))
}

/// The handlers that are registered now.
pub(super) struct Handlers {
    all: BTreeMap<String, Arc<Handler>>,
    by_name: FxHashMap<usize, Option<Arc<Handler>>>,
}

impl Handlers {
    pub(super) fn now() -> Self {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        Self {
            all: registry.clone(),
            by_name: FxHashMap::default(),
        }
    }

    /// What an operation does, if somebody has said so.
    pub(super) fn behavior(&mut self, op: Op<'_>) -> Option<Behavior> {
        if self.all.is_empty() {
            return None;
        }
        let all = &self.all;
        let handler = self.by_name.entry(name_key(op)).or_insert_with(|| {
            let name = op.name();
            all.get(name.as_string_ref().as_str().ok()?).cloned()
        });
        let handler = handler.as_ref()?;
        contained::call(|| handler(op)).unwrap_or_else(|why| {
            let name = op.name();
            let name = name.as_string_ref().as_str().unwrap_or_default();
            contained::fail(op, format!("the handler of '{name}': {why}"))
        })
    }
}
