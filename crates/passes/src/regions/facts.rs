//! A function as plain data: its memrefs and which of them are one memory, what makes memory, and in what.

use memplan_flow::ids;
use memplan_mlir::reasons;
use smallvec::SmallVec;

ids! {
    /// A memref of a function.
    pub ValueId,
    /// A stretch of a function that is executed as one: its body, or that of a loop.
    pub ScopeId,
}

/// The body of the function.
pub const ROOT: ScopeId = ScopeId(0);

reasons! {
    /// Why memory does not go to a region.
    Reason;
    /// The program frees it, or somebody whom it is given to does.
    Deallocated = "deallocated": "the program frees it",
    /// A memref to it is in memory that others may know of.
    Stored = "stored": "a memref to it is stored in memory that other code may read",
    /// A memref to it is read from memory.
    Loaded = "loaded": "it may be a memref that is loaded from memory",
    /// Its address is taken.
    AddressTaken = "address-taken": "its address is taken",
    /// Something asynchronous, or on a device, uses it.
    Asynchronous = "asynchronous": "an asynchronous or device operation uses it",
    /// Something uses it of which it is not known what that does.
    UnknownUse = "unknown-use": "an operation of unknown effects uses it",
    /// Control goes in ways that are not known.
    UnknownFlow = "unknown-flow": "it is forwarded along unknown control flow",
    /// It goes to what is called as a value, or has no body and gives memrefs.
    UnknownCallee = "unknown-callee": "it is passed to an unknown callee",
    /// It goes to a function that an earlier run has worked on.
    WorkedOn = "worked-on": "it is passed to a function that already has regions",
    /// The caller frees it.
    Owned = "owned": "it is returned to a caller that frees it",
    /// Something else than `memref.alloc` made it.
    OtherAllocator = "other-allocator": "it may be memory of another allocator",
    /// It is not in the default memory space, not row by row, or of elements whose size is not known.
    Form = "form": "regions do not support its memory space, layout or element type",
    /// One of its sizes is negative, or they are more than there are addresses.
    Size = "size": "its size exceeds the address space",
    /// It is marked to be left alone.
    Marked = "marked": "it is marked memplan.keep or bufferization.manual_deallocation",
    /// It is made where several run at once, and used outside of that.
    Parallel = "parallel": "a parallel body allocates it for use outside of the body",
    /// It is made in a body of which nobody knows how it is executed.
    Body = "body": "it is allocated in a body of unknown execution",
    /// A loop or a recursion makes it again and again, and its region would keep all of that until that is over.
    PilesUp = "piles-up": "its instances of loop iterations or recursion levels would \
    accumulate until the loop or recursion ends",
    /// Functions that call each other were not understood in so many rounds.
    Rounds = "rounds": "the analysis of mutually recursive functions reached its limit of rounds",
}

/// How a scope is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// Once.
    Function,
    /// Once a turn, one after another.
    Turn,
    /// Several at once.
    Parallel,
    /// Nobody knows.
    Opaque,
}

/// A stretch of a function that is executed as one.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// How.
    pub kind: ScopeKind,
    /// The one around.
    pub parent: Option<ScopeId>,
    /// How many are around.
    pub depth: u32,
    /// The innermost, it or around it, that runs several at once or as nobody knows.
    pub barrier: Option<ScopeId>,
    /// The innermost, it or around it, that has memory of its own: the function, or a body that runs in parallel.
    pub frame: ScopeId,
    /// Its temporaries share the memory around it.
    pub is_single: bool,
    /// It is entered at most once in each run of the scope around; as a loop, that is: all of its turns.
    pub is_once: bool,
    /// For a loop, how many turns it has, where that is known.
    pub turns: Option<u64>,
}

/// A `memref.alloc`.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// What it makes.
    pub value: ValueId,
    /// Where it is.
    pub scope: ScopeId,
    /// The number of the operation.
    pub number: u32,
    /// It is executed at most once in each run of its scope.
    pub is_once: bool,
    /// Only the run knows how large.
    pub is_dynamic: bool,
    /// The most bytes that it takes, where that is known; that none of its sizes is negative, too, then.
    pub bytes: Option<u64>,
}

/// A memref, as far as it is one.
pub type Slots = Vec<Option<ValueId>>;

/// A `func.call` of a function with a body.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub callee: usize,
    /// Where it is.
    pub scope: ScopeId,
    /// The number of the operation.
    pub number: u32,
    /// It is executed at most once in each run of its scope.
    pub is_once: bool,
    /// The function may call the one that this call is in.
    pub is_recursive: bool,
    /// The memrefs among its arguments.
    pub arguments: Slots,
    /// The memrefs among its results.
    pub results: Slots,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The scopes; parents come first.
    pub scopes: Vec<Scope>,
    /// For each memref, where it comes into being.
    pub values: Vec<ScopeId>,
    /// Memrefs that may be one memory: that of the first comes to the second.
    pub joined: Vec<(ValueId, ValueId)>,
    /// Of the memrefs, those that no value of the IR is: what memory of memrefs holds.
    pub held: Vec<ValueId>,
    /// For a loop, the memrefs that a turn gets from the one before: as what they come, and as what they go.
    pub carried: Vec<(ScopeId, ValueId, ValueId)>,
    /// Memory that cannot go to a region.
    pub stuck: Vec<(ValueId, Reason)>,
    /// Where memrefs are used, by the numbers of operations in the order of the text.
    pub uses: Vec<(ValueId, u32)>,
    /// For each scope, the numbers of the operations that it is a row of; none where it is several blocks.
    pub lines: Vec<Vec<u32>>,
    /// What it makes.
    pub allocations: Vec<Allocation>,
    /// What it calls.
    pub calls: Vec<Call>,
    /// The memrefs among its arguments.
    pub arguments: Slots,
    /// The memrefs that each return gives.
    pub returns: SmallVec<[Slots; 1]>,
    /// A function whose temporaries go where its results do.
    pub is_single: bool,
}

impl Function {
    /// A scope.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// The innermost scope around two.
    pub fn around(&self, mut one: ScopeId, mut other: ScopeId) -> ScopeId {
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

    /// Is a scope another one, or in it?
    pub fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let mut at = Some(inner);
        let depth = self.scope(outer).depth;
        while let Some(scope) = at.filter(|scope| self.scope(*scope).depth > depth) {
            at = self.scope(scope).parent;
        }
        at == Some(outer)
    }
}
