//! Relocations of the joined object, and their targets.

/// A relocation of the joined object. The value of its target is known only when all object files are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reloc {
    pub offset: u64,
    pub kind: u32,
    pub target: Target,
    pub addend: i64,
}

/// The target of a relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Nothing,
    /// The start of a section.
    Section(u32),
    Local(u32),
    Global(u32),
    /// A pool entry, by a symbol of its own.
    PoolEntrySymbol(u32),
    /// A pool entry, by the section's symbol and an addend that leads into the same entry.
    PoolEntry(u32),
}
