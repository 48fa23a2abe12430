//! Symbols of the joined object: what units say of the same global symbol becomes one.

use indexmap::IndexSet;
use object::elf;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{
    error::{Fault, index, shown},
    names::{Name, Names},
    unit::Symbol,
};

/// Where a symbol of the joined object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Undefined,
    Absolute(u64),
    /// Storage that the linker makes, aligned to this.
    Common(u64),
    Section(u32, u64),
    /// A place in a pool.
    Place(u32),
}

/// A place in a pool: the section, the entry, and how far into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub section: u32,
    pub entry: u32,
    pub inside: u64,
}

pub(crate) struct Local {
    pub name: Name,
    pub kind: u8,
    pub other: u8,
    pub spot: Spot,
    pub size: u64,
}

pub(crate) struct Global {
    pub name: Name,
    pub kind: u8,
    pub binding: u8,
    pub other: u8,
    pub spot: Spot,
    pub size: u64,
    /// The unit that defines it.
    unit: u32,
}

/// The locals of one source file, by its name.
pub(crate) struct File {
    pub name: Option<Name>,
    pub locals: Vec<u32>,
}

pub(crate) struct Symbols {
    pub locals: Vec<Local>,
    /// Source files in order of appearance; the first one is for symbols of none.
    pub files: Vec<File>,
    pub globals: Vec<Global>,
    /// Those that are defined, by first definition.
    pub defined: Vec<u32>,
    pub places: IndexSet<Place, FxBuildHasher>,
    /// Names that are the object's own.
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
            places: IndexSet::default(),
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

    /// A global symbol of the units that is local in the object: it has such a name, and a place in the object.
    pub fn is_private(&self, number: u32) -> bool {
        let global = &self.globals[number as usize];
        let is_there = !matches!(global.spot, Spot::Undefined | Spot::Common(_));
        is_there && self.private.contains(&global.name)
    }

    pub fn place(&mut self, place: Place) -> Result<u32, Fault> {
        index(self.places.insert_full(place).0, "references")
    }

    /// What a unit says of a global symbol. A symbol whose definition was dropped with its group comes as undefined.
    pub fn add_global(
        &mut self,
        names: &mut Names,
        machine: elf::Machine,
        unit: u32,
        symbol: &Symbol,
        spot: Spot,
    ) -> Result<u32, Fault> {
        let name = names.add(symbol.name)?;
        let (number, new) = self.names_of_globals.insert_full(name);
        let number = index(number, "symbols")?;
        let new_global = Global {
            name,
            kind: symbol.kind,
            binding: symbol.binding,
            other: symbol.other,
            spot,
            size: symbol.size,
            unit,
        };
        if new {
            self.globals.push(new_global);
            if spot != Spot::Undefined {
                self.defined.push(number);
            }
            return Ok(number);
        }
        let known = &mut self.globals[number as usize];
        if known.spot == Spot::Undefined && spot != Spot::Undefined {
            self.defined.push(number);
        }
        known
            .meet(new_global, machine)
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

/// How much one definition is worth against another.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Undefined,
    Weak,
    Common,
    Strong,
}

impl Global {
    fn rank(&self) -> Rank {
        match self.spot {
            Spot::Undefined => Rank::Undefined,
            Spot::Common(_) => Rank::Common,
            _ if self.is_weak() => Rank::Weak,
            _ => Rank::Strong,
        }
    }

    fn is_weak(&self) -> bool {
        self.binding == elf::STB_WEAK.0
    }

    /// One symbol out of what is known and what another unit says.
    fn meet(&mut self, other: Self, machine: elf::Machine) -> Result<(), Clash> {
        let types = [self.kind, other.kind];
        if !types.contains(&elf::STT_NOTYPE.0)
            && (types[0] == elf::STT_TLS.0) != (types[1] == elf::STT_TLS.0)
        {
            return Err(Clash::ThreadLocal);
        }
        let st_other = merge_other(self, &other, machine);
        match (self.rank(), other.rank()) {
            (Rank::Strong, Rank::Strong) => return Err(Clash::Twice(self.unit)),
            (Rank::Common, Rank::Common) => {
                if let (Spot::Common(align), Spot::Common(more)) = (self.spot, other.spot) {
                    self.spot = Spot::Common(align.max(more));
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

/// The most constraining visibility; what else is in the byte is the definition's, or, where it says how functions are
/// called, that of any.
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
