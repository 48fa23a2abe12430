//! Relocations of the joined object, and what they are for.

/// A relocation of the joined object. What its target's value will be is known only when all units are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reloc {
    pub offset: u64,
    pub kind: u32,
    pub target: Target,
    pub addend: i64,
}

/// What a relocation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Nothing,
    /// The start of a section.
    Section(u32),
    Local(u32),
    Global(u32),
    /// A place in a pool, by a symbol of its own.
    PlaceSymbol(u32),
    /// A place in a pool, by the section's symbol and an addend that leads into the same entry.
    Place(u32),
}
