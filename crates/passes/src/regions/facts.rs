//! A function as plain data: its scopes, its memrefs and the flow between them, and its allocation sites.

use memplan_flow::ids;
use smallvec::SmallVec;

ids! {
    /// A memref of a function.
    pub ValueId,
    /// A part of a function that executes as a unit: its body, or the body of a loop.
    pub ScopeId,
}

/// The scope of the function body.
pub const ROOT: ScopeId = ScopeId(0);

pub use memplan_declarations::regions::Reason;

/// How a scope executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// Once.
    Function,
    /// Once for each iteration of a sequential loop.
    Iteration,
    /// Several times at once.
    Parallel,
    /// Not known.
    Opaque,
}

/// A part of a function that executes as a unit.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// How it executes.
    pub kind: ScopeKind,
    /// The enclosing scope.
    pub parent: Option<ScopeId>,
    /// The number of enclosing scopes.
    pub depth: u32,
    /// The innermost scope, of this one and the enclosing ones, that is parallel or opaque.
    pub barrier: Option<ScopeId>,
    /// The innermost scope, of this one and the enclosing ones, with stack memory of its own: the function,
    /// or a parallel body.
    pub frame: ScopeId,
    /// Its temporaries share the enclosing region.
    pub is_single_region: bool,
    /// It is entered at most once in each execution of the enclosing scope. For a loop, all iterations are
    /// one entry.
    pub is_once: bool,
    /// The trip count of a loop, if it is constant.
    pub iterations: Option<u64>,
}

/// A `memref.alloc`.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// The memref to the new memory.
    pub value: ValueId,
    /// The scope of the operation.
    pub scope: ScopeId,
    /// The number of the operation.
    pub number: u32,
    /// The operation executes at most once in each execution of its scope.
    pub is_once: bool,
    /// The size is known only at run time.
    pub is_dynamic: bool,
    /// An upper bound of the size in bytes. If there is one, no size is negative, either.
    pub bytes: Option<u64>,
}

/// One entry for each of several values: the memref, or `None` for a value of another type.
pub type Slots = Vec<Option<ValueId>>;

/// A `func.call` of a function with a body.
#[derive(Clone, Debug)]
pub struct Call {
    /// The number of the callee.
    pub callee: usize,
    /// The scope of the operation.
    pub scope: ScopeId,
    /// The number of the operation.
    pub number: u32,
    /// The operation executes at most once in each execution of its scope.
    pub is_once: bool,
    /// The callee may call the caller.
    pub is_recursive: bool,
    /// The memrefs among the arguments.
    pub arguments: Slots,
    /// The memrefs among the results.
    pub results: Slots,
}

/// The facts of a function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The scopes, parents first.
    pub scopes: Vec<Scope>,
    /// For each memref, the scope that defines it.
    pub value_scopes: Vec<ScopeId>,
    /// Pairs of memrefs that may alias: memory flows from the first to the second.
    pub value_flow: Vec<(ValueId, ValueId)>,
    /// Memrefs that stand for the contents of nested memrefs, and for no value of the IR.
    pub nested_memrefs: Vec<ValueId>,
    /// Loop-carried memrefs: the body of the loop, the argument of an iteration, and the value that the
    /// iteration yields for it.
    pub loop_carried: Vec<(ScopeId, ValueId, ValueId)>,
    /// Memrefs whose memory cannot be placed in a region.
    pub rejected: Vec<(ValueId, Reason)>,
    /// Uses of memrefs, with the numbers of the operations in textual order.
    pub uses: Vec<(ValueId, u32)>,
    /// For each scope of one block, the numbers of the operations of that block; empty for several blocks.
    pub op_numbers: Vec<Vec<u32>>,
    /// Its allocations.
    pub allocations: Vec<Allocation>,
    /// Its calls.
    pub calls: Vec<Call>,
    /// The memrefs among its arguments.
    pub arguments: Slots,
    /// The memrefs among the operands of each return.
    pub returns: SmallVec<[Slots; 1]>,
    /// Its temporaries share the region of its results.
    pub is_single_region: bool,
}

impl Function {
    /// The scope of this number.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// The innermost scope that contains both.
    pub fn common_ancestor(&self, mut one: ScopeId, mut other: ScopeId) -> ScopeId {
        while one != other {
            let deeper = if self.scope(one).depth >= self.scope(other).depth {
                &mut one
            } else {
                &mut other
            };
            *deeper = self.scopes[deeper.index()].parent.unwrap_or(ROOT);
        }
        one
    }

    /// Whether a scope is another one, or in it.
    pub fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let mut at = Some(inner);
        let depth = self.scope(outer).depth;
        while let Some(scope) = at.filter(|scope| self.scope(*scope).depth > depth) {
            at = self.scope(scope).parent;
        }
        at == Some(outer)
    }
}
