//! The names of memplan's own attributes.

/// An attribute of memplan's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Where it stands and what it means, in Markdown.
    pub about: &'static str,
}

/// Declares names of attributes as constants, and all of them as `ALL`; the doc comments are the manual's text.
macro_rules! attributes {
    ($($(#[doc = $about:literal])* pub const $constant:ident: &str = $name:literal;)*) => {
        $($(#[doc = $about])* pub const $constant: &str = $name;)*

        /// All attributes that passes read or write.
        pub const ALL: &[Attribute] = &[$(Attribute {
            name: $name,
            about: concat!($($about),*),
        }),*];
    };
}

attributes! {
    // Plans.

    /// On a loop: its iterations are strips of a chain of operations. Their number; -1 if it is known only at run time. A
    /// function with such a loop is not split again.
    pub const STRIPS: &str = "memplan.strips";
    /// On such a loop: what the chain was, for reports. `number`: its number in the function. `seed`: the operation in whose
    /// loops it is split, by its number. `loops`, `extents`, `rows`, `strips`: for each loop over strips, the innermost first,
    /// the seed's loop, its extent, the iterations of it in a strip, and the number of strips. `sums`: strips add up to a
    /// result. `executions`: how often operations are executed in a call. `copied`: the bytes that are copied between strips in
    /// a call. `repeated`: the innermost iterations that strips repeat. `before` and `after`: the most bytes that are held in the chain without strips, and with them.
    pub const CHAIN: &str = "memplan.chain";
    /// On an allocation: rows stay in it from one strip to the next. `chain`: the number of the chain. `kind`: `line`, or
    /// `border` between strips of an outer dimension. `kept`: how many rows stay. `type`: the type of the buffer whose
    /// rows these are.
    pub const LINE_BUFFER: &str = "memplan.line_buffer";
    /// On such a loop: the numbers of the operations in it, in their order. A pass of memplan's that may change them removes
    /// it: then `memplan-verify` does not compare strips with operations any more.
    pub const PIECES: &str = "memplan.pieces";
    /// On a function: `memplan-split` chose its form within the limits of memory spaces. Passes that would give it another one
    /// for a smaller plan leave it alone. `memplan-assign-spaces` removes it.
    pub const KEEP_FORM: &str = "memplan.keep_form";
    /// On an operation in such a loop: the operation that it was, for `memplan-verify`. `number`: its number among the
    /// operations of its block. `loops`: the extents of its loops.
    /// `split`: for each loop over strips, the innermost first, the number of the operation's loop that is split, and `rate`,
    /// `ahead` and `limit`; strip t begins at iteration rate * t + ahead, but at least 0 and at most limit. A fifth number says
    /// how many iterations earlier it begins, which it repeats. `operands`,
    /// `buffers`, `indices`: for each operand that is accessed, its number, the number of the memory that it was, which is
    /// negative if that is whole, and the indices of an element of that memory for an iteration of the loops.
    pub const ROWS: &str = "memplan.rows";
    /// On a loop over strips whose number is known only at run time: the sizes that depend on what the function gets.
    /// `inputs`: arguments of the function by number, each with one of its dimensions, or -1 for the argument itself.
    /// `sizes`: an affine map of these. In `memplan.rows`, -1 is its first result, -2 the second one, and so on.
    pub const LENGTHS: &str = "memplan.lengths";
    /// On a loop: its iterations are items of a chain of operations, as those of a batch, whose number is known only at run
    /// time. The numbers of the operations in it. A pass of memplan's that may change them removes it, as `memplan.pieces`.
    pub const ITEMS: &str = "memplan.items";
    /// On an operation in such a loop: the operation that it was on all items, as in `memplan.rows`. The extent of the loop over
    /// items is -1. Indices of whole memory that has items are those of the operand.
    pub const ITEM: &str = "memplan.item";
    /// On a function: what its buffers cost in the memory spaces of a machine, for reports. JSON, as `costs` of a report.
    pub const COSTS: &str = "memplan.costs";
    /// On an operation: it repeats an earlier one, whose result is not held until here.
    pub const RECOMPUTED: &str = "memplan.recomputed";
    /// On an allocation: it is an arena. On a global: it is an arena with this alignment, in bytes.
    pub const ARENA: &str = "memplan.arena";
    /// On an arena: where the banks of its memory space are, from its first address on: `0-4096,4096-8192`, or `32x4` for 32
    /// interleaved banks of 4 bytes. Attributes of banks on its slices are those of the allocations.
    pub const BANKS: &str = "memplan.banks";
    /// On a slice of an arena: the number of its buffer. CSE then keeps the slices of different buffers apart.
    pub const BUFFER: &str = "memplan.buffer";
    /// On `@NAME_arena_size`: for each parameter, the number of an argument of `@NAME`, and its dimension, or -1 where the
    /// argument itself is meant.
    pub const DIMENSIONS: &str = "memplan.dimensions";
    /// On a slice with several slots: their offsets, in bytes.
    pub const SLOTS: &str = "memplan.slots";
    /// On a slice that a callee receives: the alignment that the callee needs, in bytes.
    pub const SLICE_ALIGNMENT: &str = "memplan.slice_alignment";
    /// On a slice: its address is taken, so it does not move.
    pub const PINNED: &str = "memplan.pinned";
    /// On an operation: the slices of these buffers end before it, and no address of them is used any more.
    pub const ENDED: &str = "memplan.ended";
    /// On a global that is an arena, and on operations that refer to it: the bytes of the state in it, each range as start and
    /// end. No slice lies there.
    pub const STATE: &str = "memplan.state";
    /// On the arena of a parallel body inside an arena of the scope around: the offset of the first iteration's arena, the
    /// distance between these arenas, and the number of iterations.
    pub const ITERATIONS: &str = "memplan.iterations";
    /// On a slice: a buffer moves there. On a copy, or on a loop that copies: it is that move, a step of the layout and not
    /// of the program.
    pub const MOVE: &str = "memplan.move";

    // What a user asks for.

    /// On an allocation or a global: passes leave it alone.
    pub const KEEP: &str = "memplan.keep";
    /// On an allocation, or on a global with `state=arena`: its required offset in the arena, in bytes. After an analysis:
    /// its offset in the plan.
    pub const OFFSET: &str = "memplan.offset";
    /// On an allocation with a required offset: its memory space, if it moves there. `default` is the default space.
    pub const MEMORY_SPACE: &str = "memplan.memory_space";
    /// On allocations with required offsets: those of a function with the same number are one buffer, in place.
    pub const IN_PLACE: &str = "memplan.in_place";
    /// On an allocation with a required offset: the number of its arena, where its scope has several arenas in one memory
    /// space. Without it, the first one.
    pub const ARENA_NUMBER: &str = "memplan.arena_number";
    /// On a call, or on a parallel loop: the required offsets of the arenas of its callee, or of its iterations, in the
    /// arenas around it, in bytes.
    pub const NESTED_OFFSETS: &str = "memplan.nested_offsets";
    /// Beside these: the numbers of the arenas around them, if one is another than the first.
    pub const NESTED_ARENAS: &str = "memplan.nested_arenas";
    /// On an allocation with a required offset: each iteration of the loop around it allocates its arena. Beside
    /// `memplan.nested_offsets`: 1 for each arena of which this is true, else 0.
    pub const EACH_ITERATION: &str = "memplan.each_iteration";
    /// On an allocation in a memory space with banks: the bank in which it lies, or the banks, as in `array<i64: 0, 1>`. In
    /// interleaved banks: where its first byte may be.
    pub const BANK: &str = "memplan.bank";
    /// On such an allocation: it may cross from a bank to the next one.
    pub const ACROSS_BANKS: &str = "memplan.across_banks";
    /// On such an allocation: the name of a group, or a list of names. No two allocations of a group in one function and memory
    /// space are in one bank while both are live: ping and pong.
    pub const APART: &str = "memplan.apart";
    /// On an operation: the buffers that it reads or writes in a memory space with banks are in different ones.
    pub const OPERANDS_APART: &str = "memplan.operands_apart";
    /// On a module or a function, or an entry of `#dlti.target_device_spec`: the memory spaces of the machine, as in the file of
    /// the option `machine`: a dictionary with `version`, `unit` and the list `spaces`.
    pub const MACHINE: &str = "memplan.machine";
    /// On a function: where its arenas live. It overrides the option `arena`.
    pub const ARENA_IN: &str = "memplan.arena_in";
    /// On a function or a loop: temporaries share the region around them.
    pub const SINGLE_REGION: &str = "memplan.single_region";

    // What functions and calls say of themselves.

    /// On a result of a function: it is borrowed, so the caller does not free it.
    pub const BORROWED: &str = "memplan.borrowed";
    /// On a memref result of a function without a body: it is new memory that the caller frees, and it aliases no argument.
    pub const OWNED: &str = "memplan.owned";
    /// On an argument: during a call, nothing that is not derived from it refers to its memory.
    pub const NOALIAS: &str = "memplan.noalias";
    /// On an argument, by LLVM: the same.
    pub const LLVM_NOALIAS: &str = "llvm.noalias";
    /// The alignment of the memory of an argument, of the LLVM dialect.
    pub const LLVM_ALIGN: &str = "llvm.align";
    /// On an argument: the caller needs its contents no more, and refers to its memory in no other way during the call.
    pub const DONATED: &str = "memplan.donated";
    /// On an argument: the least and the largest value of each of its dynamic dimensions, as in `[[1, 8], [1, 512]]`, or of
    /// itself, if it is a number.
    pub const BOUNDS: &str = "memplan.bounds";
    /// On an argument, by JAX: the same as `memplan.donated`.
    pub const JAX_DONOR: &str = "jax.buffer_donor";
    /// On an argument, by JAX and TensorFlow: the result with this number may be its memory.
    pub const ALIASING_OUTPUT: &str = "tf.aliasing_output";
    /// On a call: for each of its memref results, 1 where it is borrowed, else 0.
    pub const BORROWED_RESULTS: &str = "memplan.borrowed_results";
    /// On a function without a body: it never calls back into the module.
    pub const NO_CALLBACK: &str = "memplan.nocallback";
    /// On a function without a body: its execution is bounded.
    pub const BOUNDED: &str = "memplan.bounded";
    /// On functions that return ownership flags, and on calls of them: the ownership of results has been decided.
    pub const OWNED_RESULTS: &str = "memplan.owned_results";
    /// On a call of a function without a body: deallocation assumed that its results are new memory, which it frees.
    pub const ASSUMED_OWNED: &str = "memplan.assumed_owned";
    /// On functions that use regions: `memplan-regions` has processed them.
    pub const REGIONS: &str = "memplan.regions";
    /// On an argument: it is the region in which the function allocates its results.
    pub const DESTINATION: &str = "memplan.destination";
    /// On a helper function of deallocation.
    pub const DEALLOC_HELPER: &str = "memplan.dealloc_helper";

    // What `apply=false` leaves.

    /// On an allocation: the number of its scope.
    pub const SCOPE: &str = "memplan.scope";
    /// On an allocation: its live range.
    pub const LIVE: &str = "memplan.live";
    /// On an allocation of dynamic size: the number of its slot.
    pub const SLOT: &str = "memplan.slot";
    /// On an allocation: the id of the reason why a pass leaves it alone.
    pub const SKIP: &str = "memplan.skip";
    /// On an operation: the offsets of its allocations, in bytes.
    pub const OFFSETS: &str = "memplan.offsets";
    /// On an operation: the moves before it, each as old offset, new offset and size, in bytes.
    pub const MOVES: &str = "memplan.moves";
    /// On a function: the number of operations, and the bytes of the best stack without moves, before code after branches was
    /// duplicated.
    pub const BEFORE_TREE: &str = "memplan.before_tree";

    // Names of the version before.

    /// The old name of `memplan.borrowed` and of `memplan.slice_alignment`.
    pub const OLD_SHARED_NAME: &str = "memplan.lent";
    /// The old name of `memplan.iterations`.
    pub const OLD_ITERATIONS: &str = "memplan.turns";
    /// The old name of `memplan.borrowed_results`.
    pub const OLD_BORROWED_RESULTS: &str = "memplan.lent_results";
}
