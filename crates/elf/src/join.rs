//! Sections and symbols of all objects so far.

use crate::{
    JoinError,
    frames::Frames,
    pool::{Entries, Pool},
    read::{Machine, Object, Place, Relocation, Section, Symbol, read},
    symbols::{Globals, Said, State},
    write,
};
use object::elf;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place in what is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// In a section.
    Section { section: u32, offset: u64 },
    /// In an entry of a section whose entries are kept once.
    Entry {
        section: u32,
        entry: u32,
        within: u64,
    },
    /// A number.
    Absolute(u64),
}

/// What a relocation refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Nothing,
    /// The start of a section.
    Section(u32),
    /// A place in an entry, to which the addend is added.
    Entry {
        section: u32,
        entry: u32,
        within: u64,
    },
    /// The same, where the addend says which place that is.
    EntryByAddend {
        section: u32,
        entry: u32,
        within: u64,
    },
    Local(u32),
    Global(u32),
}

/// A relocation of what is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub offset: u64,
    pub kind: u32,
    pub target: Target,
    pub addend: i64,
}

/// A section of what is being made.
#[derive(Debug)]
pub struct Made {
    pub name: Box<[u8]>,
    pub kind: u32,
    pub flags: u64,
    pub entry_size: u64,
    pub align: u64,
    pub size: u64,
    pub data: Vec<u8>,
    pub relocations: Vec<Moved>,
    pub pool: Option<Pool>,
    pub link: Option<u32>,
}

/// A symbol that only its object refers to.
#[derive(Debug)]
pub struct Local {
    pub name: Box<[u8]>,
    pub kind: u8,
    pub other: u8,
    pub at: At,
    pub size: u64,
}

/// What makes sections one.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    name: Box<[u8]>,
    kind: u32,
    flags: u64,
    entry_size: u64,
    link: Option<u32>,
    is_pool: bool,
}

/// What became of a section of an object.
enum Mapped {
    /// It is no section that is joined.
    Nothing,
    /// Another object has it.
    Dropped,
    /// It is elsewhere, frame by frame.
    Frames,
    At(u32, u64),
    Pooled(u32, Entries),
}

/// What became of a symbol of an object.
#[derive(Clone, Copy)]
enum Meaning {
    Nothing,
    Dropped,
    Section(usize),
    Local(u32),
    Entry(u32, u32, u64),
    Global(u32),
}

/// Takes objects and makes one.
#[derive(Debug, Default)]
pub struct Joiner {
    pub(crate) machine: Option<Machine>,
    units: Vec<Box<str>>,
    pub(crate) sections: Vec<Made>,
    keys: FxHashMap<Key, u32>,
    pub(crate) locals: Vec<Local>,
    /// Names of sources.
    pub(crate) files: Vec<Box<[u8]>>,
    known_files: FxHashSet<Box<[u8]>>,
    pub(crate) globals: Globals,
    groups: FxHashSet<Box<[u8]>>,
    frames: Frames,
    /// Objects that say whether their stack may be executed, and whether one may.
    stacks: usize,
    pub(crate) has_executable_stack: bool,
    /// What all objects so far say of the machine's features, where they agree.
    properties: Option<Vec<u8>>,
    have_properties: usize,
}

const GROUP: u64 = elf::SHF_GROUP as u64;
const MERGE: u64 = elf::SHF_MERGE as u64;
const STRINGS: u64 = elf::SHF_STRINGS as u64;
const LINKED: u64 = elf::SHF_LINK_ORDER as u64;

impl Joiner {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the object of a unit behind the others.
    ///
    /// # Errors
    /// It is damaged, of another kind, or does not fit the others. The joiner is of no use then.
    pub fn add(&mut self, unit: &str, bytes: &[u8]) -> Result<(), JoinError> {
        let object = read(unit, bytes)?;
        match self.machine {
            Some(machine) if machine != object.machine => {
                return Err(JoinError::Machine(unit.to_owned()));
            }
            _ => self.machine = Some(object.machine),
        }
        self.units.push(unit.into());
        let mapped = self.place(unit, &object)?;
        let meanings = self.symbols(unit, &object, &mapped)?;
        for (section, place) in object.sections.iter().zip(&mapped) {
            let Some(section) = section else { continue };
            let moved = |relocation: &Relocation, may_drop| {
                resolve(unit, relocation, may_drop, &meanings, &mapped)
            };
            match place {
                Mapped::At(made, base) => {
                    let may_drop = section.flags & u64::from(elf::SHF_ALLOC) == 0;
                    let made = &mut self.sections[*made as usize].relocations;
                    made.reserve(section.relocations.len());
                    for relocation in &section.relocations {
                        if let Some((target, addend)) = moved(relocation, may_drop)? {
                            made.push(Moved {
                                offset: base + relocation.offset,
                                kind: relocation.kind,
                                target,
                                addend,
                            });
                        }
                    }
                }
                Mapped::Frames => {
                    let mut relocations = Vec::with_capacity(section.relocations.len());
                    for relocation in &section.relocations {
                        relocations.push((*relocation, moved(relocation, true)?));
                    }
                    relocations.sort_by_key(|(relocation, _)| relocation.offset);
                    let made = self.made(section, section.flags & !GROUP, None, false);
                    let made = &mut self.sections[made as usize];
                    made.align = made.align.max(section.align);
                    self.frames.add(made, unit, section.data, &relocations)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The object.
    ///
    /// # Errors
    /// There is none, or it would be too large.
    pub fn finish(mut self) -> Result<Vec<u8>, JoinError> {
        if self.units.is_empty() {
            return Err(JoinError::NoUnits);
        }
        if self.stacks < self.units.len() {
            self.has_executable_stack = true;
        }
        if self.have_properties < self.units.len() {
            self.properties = None;
        }
        if let Some(data) = self.properties.take().filter(|data| !data.is_empty()) {
            self.sections.push(Made {
                name: (*PROPERTIES).into(),
                kind: elf::SHT_NOTE,
                flags: u64::from(elf::SHF_ALLOC),
                entry_size: 0,
                align: 8,
                size: data.len() as u64,
                data,
                relocations: Vec::new(),
                pool: None,
                link: None,
            });
        }
        write::write(self)
    }

    /// Puts the sections of an object behind those of the others.
    fn place(&mut self, unit: &str, object: &Object<'_>) -> Result<Vec<Mapped>, JoinError> {
        let mut is_dropped = vec![false; object.sections.len()];
        for group in &object.groups {
            let is_new = self.groups.insert(group.name.into());
            for member in group.members.iter().filter(|_| !is_new) {
                if let Some(is_dropped) = is_dropped.get_mut(*member) {
                    *is_dropped = true;
                }
            }
        }
        let mut mapped: Vec<Mapped> = Vec::with_capacity(object.sections.len());
        for (section, is_dropped) in object.sections.iter().zip(is_dropped) {
            mapped.push(match section {
                None => Mapped::Nothing,
                Some(_) if is_dropped => Mapped::Dropped,
                Some(section) if section.flags & LINKED != 0 => Mapped::Nothing,
                Some(section) => self.place_one(unit, section, None)?,
            });
        }
        for (at, section) in object.sections.iter().enumerate() {
            let Some(section) = section.as_ref().filter(|one| one.flags & LINKED != 0) else {
                continue;
            };
            if matches!(mapped[at], Mapped::Dropped) {
                continue;
            }
            mapped[at] = match mapped.get(section.link) {
                Some(Mapped::At(made, _)) => {
                    let link = *made;
                    self.place_one(unit, section, Some(link))?
                }
                Some(Mapped::Dropped) => Mapped::Dropped,
                _ => {
                    let what = "a section goes with one that is not joined";
                    return Err(JoinError::Unsupported(unit.to_owned(), what));
                }
            };
        }
        Ok(mapped)
    }

    fn place_one(
        &mut self,
        unit: &str,
        section: &Section<'_>,
        link: Option<u32>,
    ) -> Result<Mapped, JoinError> {
        match section.name {
            b".note.GNU-stack" => {
                self.stacks += 1;
                let is_executable = section.flags & u64::from(elf::SHF_EXECINSTR) != 0;
                self.has_executable_stack |= is_executable;
                return Ok(Mapped::Nothing);
            }
            PROPERTIES => {
                let known = match self.have_properties {
                    0 => section.data.to_vec(),
                    _ => self.properties.take().unwrap_or_default(),
                };
                self.have_properties += 1;
                // What one lacks, all lack.
                self.properties = (known == section.data).then_some(known);
                return Ok(Mapped::Nothing);
            }
            b".eh_frame" => return Ok(Mapped::Frames),
            _ => {}
        }
        let flags = section.flags & !GROUP;
        let is_strings = flags & STRINGS != 0;
        if flags & MERGE != 0 && section.relocations.is_empty() && section.kind != elf::SHT_NOBITS {
            let made = self.made(section, flags, link, true);
            let made_section = &mut self.sections[made as usize];
            let pool = made_section.pool.get_or_insert_default();
            if let Some(entries) = pool.add(section.data, section.entry_size, is_strings) {
                made_section.align = made_section.align.max(section.align);
                return Ok(Mapped::Pooled(made, entries));
            }
        }
        let is_code = flags & u64::from(elf::SHF_EXECINSTR) != 0;
        let is_x86 = self
            .machine
            .is_some_and(|one| one.machine == elf::EM_X86_64);
        let made = self.made(section, flags & !(MERGE | STRINGS), link, false);
        let into = &mut self.sections[made as usize];
        into.align = into.align.max(section.align);
        let base = into
            .size
            .checked_next_multiple_of(section.align)
            .filter(|base| {
                base.checked_add(section.size)
                    .is_some_and(|end| end < 1 << 48)
            });
        let base = base.ok_or_else(|| {
            let name = String::from_utf8_lossy(section.name);
            JoinError::TooLarge(format!("section '{name}' behind the unit of '{unit}'"))
        })?;
        into.size = base + section.size;
        if section.kind != elf::SHT_NOBITS {
            let padding = if is_code && is_x86 { 0x90 } else { 0 };
            into.data.resize(base as usize, padding);
            into.data.extend_from_slice(section.data);
        }
        Ok(Mapped::At(made, base))
    }

    /// The section that those of a kind become.
    fn made(&mut self, section: &Section<'_>, flags: u64, link: Option<u32>, is_pool: bool) -> u32 {
        let key = Key {
            name: section.name.into(),
            kind: section.kind,
            flags,
            entry_size: section.entry_size,
            link,
            is_pool,
        };
        let next = self.sections.len() as u32;
        let made = *self.keys.entry(key).or_insert(next);
        if made == next {
            self.sections.push(Made {
                name: section.name.into(),
                kind: section.kind,
                flags,
                entry_size: section.entry_size,
                align: 1,
                size: 0,
                data: Vec::new(),
                relocations: Vec::new(),
                pool: None,
                link,
            });
        }
        made
    }

    /// What the symbols of an object become.
    fn symbols(
        &mut self,
        unit: &str,
        object: &Object<'_>,
        mapped: &[Mapped],
    ) -> Result<Vec<Meaning>, JoinError> {
        let mut is_used = vec![false; object.symbols.len()];
        for (section, mapped) in object.sections.iter().zip(mapped) {
            if let (Some(section), Mapped::At(..) | Mapped::Frames) = (section, mapped) {
                for relocation in &section.relocations {
                    is_used[relocation.symbol] = true;
                }
            }
        }
        let symbols = object.symbols.iter().zip(is_used);
        symbols
            .map(|(symbol, is_used)| match symbol.bind {
                elf::STB_LOCAL => self.local(unit, symbol, is_used, mapped),
                _ => self.global(unit, symbol, mapped),
            })
            .collect()
    }

    fn local(
        &mut self,
        unit: &str,
        symbol: &Symbol<'_>,
        is_used: bool,
        mapped: &[Mapped],
    ) -> Result<Meaning, JoinError> {
        let at = match (symbol.kind, symbol.place) {
            (elf::STT_FILE, _) => {
                if self.known_files.insert(symbol.name.into()) {
                    self.files.push(symbol.name.into());
                }
                return Ok(Meaning::Nothing);
            }
            (elf::STT_SECTION, Place::Section(section)) => return Ok(Meaning::Section(section)),
            (_, Place::Section(_) | Place::Absolute)
                if !is_used && (symbol.name.is_empty() || symbol.name.starts_with(b".L")) =>
            {
                return Ok(Meaning::Nothing);
            }
            (_, Place::Undefined) => return Ok(Meaning::Nothing),
            (_, Place::Absolute) => At::Absolute(symbol.value),
            (_, Place::Common) => {
                return Err(JoinError::Damaged(unit.to_owned(), "a local symbol"));
            }
            (_, Place::Section(section)) => match &mapped[section] {
                Mapped::Nothing => return Ok(Meaning::Nothing),
                Mapped::Dropped => return Ok(Meaning::Dropped),
                Mapped::Frames if is_used => return Err(not_joined(unit)),
                Mapped::Frames => return Ok(Meaning::Nothing),
                Mapped::At(made, base) => At::Section {
                    section: *made,
                    offset: base.wrapping_add(symbol.value),
                },
                Mapped::Pooled(made, entries) => {
                    let (entry, within) = entries
                        .at(symbol.value)
                        .ok_or_else(|| JoinError::Damaged(unit.to_owned(), "a symbol"))?;
                    return Ok(Meaning::Entry(*made, entry, within));
                }
            },
        };
        let number = self.locals.len() as u32;
        self.locals.push(Local {
            name: symbol.name.into(),
            kind: symbol.kind,
            other: symbol.other,
            at,
            size: symbol.size,
        });
        Ok(Meaning::Local(number))
    }

    fn global(
        &mut self,
        unit: &str,
        symbol: &Symbol<'_>,
        mapped: &[Mapped],
    ) -> Result<Meaning, JoinError> {
        let state = match symbol.place {
            Place::Undefined => State::Referred,
            Place::Absolute => State::Defined(At::Absolute(symbol.value)),
            Place::Common => State::Common {
                align: symbol.value,
            },
            Place::Section(section) => match &mapped[section] {
                Mapped::Dropped => State::Referred,
                Mapped::Nothing | Mapped::Frames => return Err(not_joined(unit)),
                Mapped::At(made, base) => State::Defined(At::Section {
                    section: *made,
                    offset: base.wrapping_add(symbol.value),
                }),
                Mapped::Pooled(made, entries) => {
                    let (entry, within) = entries
                        .at(symbol.value)
                        .ok_or_else(|| JoinError::Damaged(unit.to_owned(), "a symbol"))?;
                    State::Defined(At::Entry {
                        section: *made,
                        entry,
                        within,
                    })
                }
            },
        };
        let said = Said {
            name: symbol.name,
            bind: symbol.bind,
            kind: symbol.kind,
            other: symbol.other,
            size: symbol.size,
            state,
        };
        self.globals.add(&said, &self.units).map(Meaning::Global)
    }
}

const PROPERTIES: &[u8] = b".note.gnu.property";

fn not_joined(unit: &str) -> JoinError {
    let what = "it refers to a section that is not joined as it is";
    JoinError::Unsupported(unit.to_owned(), what)
}

/// What a relocation refers to now; `None` where that was dropped, and so may be the relocation.
fn resolve(
    unit: &str,
    relocation: &Relocation,
    may_drop: bool,
    meanings: &[Meaning],
    mapped: &[Mapped],
) -> Result<Option<(Target, i64)>, JoinError> {
    let addend = relocation.addend;
    let dropped = || match may_drop {
        true => Ok(None),
        false => Err(JoinError::Dropped(unit.to_owned())),
    };
    Ok(Some(match meanings.get(relocation.symbol) {
        None => (Target::Nothing, addend),
        Some(Meaning::Nothing) if relocation.symbol == 0 => (Target::Nothing, addend),
        Some(Meaning::Nothing) => return Err(not_joined(unit)),
        Some(Meaning::Dropped) => return dropped(),
        Some(Meaning::Local(number)) => (Target::Local(*number), addend),
        Some(Meaning::Global(number)) => (Target::Global(*number), addend),
        Some(Meaning::Entry(section, entry, within)) => {
            let (section, entry, within) = (*section, *entry, *within);
            let target = Target::Entry {
                section,
                entry,
                within,
            };
            (target, addend)
        }
        Some(Meaning::Section(section)) => match &mapped[*section] {
            Mapped::Dropped => return dropped(),
            Mapped::Nothing | Mapped::Frames => return Err(not_joined(unit)),
            Mapped::At(made, base) => (Target::Section(*made), addend.wrapping_add(*base as i64)),
            Mapped::Pooled(made, entries) => {
                let found = u64::try_from(addend).ok().and_then(|at| entries.at(at));
                let (entry, within) =
                    found.ok_or_else(|| JoinError::Damaged(unit.to_owned(), "a relocation"))?;
                let target = Target::EntryByAddend {
                    section: *made,
                    entry,
                    within,
                };
                (target, 0)
            }
        },
    }))
}
