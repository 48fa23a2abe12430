//! Symbols of the joined object: global symbols of the same name are merged.

use indexmap::IndexSet;
use object::elf;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{
    error::{Fault, index, shown},
    names::{Name, Names},
    object_file::Symbol,
};

/// The location of a symbol in the joined object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolLocation {
    Undefined,
    Absolute(u64),
    /// Storage that the linker allocates, with this alignment.
    Common(u64),
    Section(u32, u64),
    /// A pool entry.
    PoolEntry(u32),
}

/// An offset in a pool entry: the section, the entry, and the offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PoolEntry {
    pub section: u32,
    pub entry: u32,
    pub inside: u64,
}

pub(crate) struct Local {
    pub name: Name,
    pub kind: u8,
    pub other: u8,
    pub location: SymbolLocation,
    pub size: u64,
}

pub(crate) struct Global {
    pub name: Name,
    pub kind: u8,
    pub binding: u8,
    pub other: u8,
    pub location: SymbolLocation,
    pub size: u64,
    /// The object file that defines it.
    object: u32,
}

/// The local symbols of one source file, by its name.
pub(crate) struct File {
    pub name: Option<Name>,
    pub locals: Vec<u32>,
}

pub(crate) struct Symbols {
    pub locals: Vec<Local>,
    /// Source files in order of appearance; the first one is for symbols without one.
    pub files: Vec<File>,
    pub globals: Vec<Global>,
    /// Defined symbols, by first definition.
    pub defined: Vec<u32>,
    pub pool_entries: IndexSet<PoolEntry, FxBuildHasher>,
    /// Names that are private to the joined object.
    private: FxHashSet<Name>,
    names_of_globals: IndexSet<Name, FxBuildHasher>,
    names_of_files: IndexSet<Option<Name>, FxBuildHasher>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self {
            locals: Vec::new(),
            files: vec![File {
                name: None,
                locals: Vec::new(),
            }],
            globals: Vec::new(),
            defined: Vec::new(),
            pool_entries: IndexSet::default(),
            private: FxHashSet::default(),
            names_of_globals: IndexSet::default(),
            names_of_files: [None].into_iter().collect(),
        }
    }
}

impl Symbols {
    /// The number of a source file.
    pub fn file(&mut self, name: Name) -> usize {
        let (file, new) = self.names_of_files.insert_full(Some(name));
        if new {
            self.files.push(File {
                name: Some(name),
                locals: Vec::new(),
            });
        }
        file
    }

    pub fn add_local(&mut self, file: usize, local: Local) -> Result<u32, Fault> {
        let number = index(self.locals.len(), "symbols")?;
        self.locals.push(local);
        self.files[file].locals.push(number);
        Ok(number)
    }

    pub fn keep_private(&mut self, name: Name) {
        self.private.insert(name);
    }

    /// Whether a global symbol is local in the joined object: it is private and defined.
    pub fn is_private(&self, number: u32) -> bool {
        let global = &self.globals[number as usize];
        let is_there = !matches!(
            global.location,
            SymbolLocation::Undefined | SymbolLocation::Common(_)
        );
        is_there && self.private.contains(&global.name)
    }

    pub fn add_pool_entry(&mut self, entry: PoolEntry) -> Result<u32, Fault> {
        index(self.pool_entries.insert_full(entry).0, "references")
    }

    /// Merges a global symbol of an object file. A symbol whose definition was discarded with its group is passed as
    /// undefined.
    pub fn add_global(
        &mut self,
        names: &mut Names,
        machine: elf::Machine,
        object: u32,
        symbol: &Symbol,
        location: SymbolLocation,
    ) -> Result<u32, Fault> {
        let name = names.add(symbol.name)?;
        let (number, new) = self.names_of_globals.insert_full(name);
        let number = index(number, "symbols")?;
        let new_global = Global {
            name,
            kind: symbol.kind,
            binding: symbol.binding,
            other: symbol.other,
            location,
            size: symbol.size,
            object,
        };
        if new {
            self.globals.push(new_global);
            if location != SymbolLocation::Undefined {
                self.defined.push(number);
            }
            return Ok(number);
        }
        let known = &mut self.globals[number as usize];
        if known.location == SymbolLocation::Undefined && location != SymbolLocation::Undefined {
            self.defined.push(number);
        }
        known
            .merge(new_global, machine)
            .map_err(|clash| match clash {
                Clash::Twice(first) => Fault::DefinedTwice {
                    symbol: shown(symbol.name),
                    first,
                },
                Clash::ThreadLocal => Fault::Differs(format!(
                    "symbol {} is {}thread-local",
                    shown(symbol.name),
                    if symbol.kind == elf::STT_TLS.0 {
                        ""
                    } else {
                        "not "
                    }
                )),
            })?;
        Ok(number)
    }
}

enum Clash {
    Twice(u32),
    ThreadLocal,
}

/// The precedence of a definition.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Undefined,
    Weak,
    Common,
    Strong,
}

impl Global {
    fn rank(&self) -> Rank {
        match self.location {
            SymbolLocation::Undefined => Rank::Undefined,
            SymbolLocation::Common(_) => Rank::Common,
            _ if self.is_weak() => Rank::Weak,
            _ => Rank::Strong,
        }
    }

    fn is_weak(&self) -> bool {
        self.binding == elf::STB_WEAK.0
    }

    /// Merges two symbols of the same name.
    fn merge(&mut self, other: Self, machine: elf::Machine) -> Result<(), Clash> {
        let types = [self.kind, other.kind];
        if !types.contains(&elf::STT_NOTYPE.0)
            && (types[0] == elf::STT_TLS.0) != (types[1] == elf::STT_TLS.0)
        {
            return Err(Clash::ThreadLocal);
        }
        let st_other = merge_other(self, &other, machine);
        match (self.rank(), other.rank()) {
            (Rank::Strong, Rank::Strong) => return Err(Clash::Twice(self.object)),
            (Rank::Common, Rank::Common) => {
                if let (SymbolLocation::Common(align), SymbolLocation::Common(more)) =
                    (self.location, other.location)
                {
                    self.location = SymbolLocation::Common(align.max(more));
                }
                self.size = self.size.max(other.size);
            }
            (Rank::Undefined, Rank::Undefined) => {
                if !other.is_weak() {
                    self.binding = other.binding;
                }
                if self.kind == elf::STT_NOTYPE.0 {
                    self.kind = other.kind;
                }
                self.size = self.size.max(other.size);
            }
            (known, new) if new > known => *self = other,
            _ => {}
        }
        self.other = st_other;
        Ok(())
    }
}

/// The `st_other` byte of the merged symbol: the most constraining visibility. The other bits are those of the
/// definition or, where they describe the calling convention, of either.
fn merge_other(known: &Global, other: &Global, machine: elf::Machine) -> u8 {
    let visibility = |global: &Global| global.other & elf::STV_MASK;
    let visibility = match (visibility(known), visibility(other)) {
        (0, constraint) | (constraint, 0) => constraint,
        (one, other) => one.min(other),
    };
    let rest = match machine {
        elf::EM_AARCH64 | elf::EM_RISCV => known.other | other.other,
        _ if other.rank() > known.rank() => other.other,
        _ => known.other,
    };
    visibility | rest & !elf::STV_MASK
}
