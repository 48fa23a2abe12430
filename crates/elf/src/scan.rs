//! Analysis of an object file before it is joined: discarded sections, and referenced symbols.

use indexmap::{IndexMap, map::Entry};
use object::elf;
use rustc_hash::FxBuildHasher;

use crate::{
    error::{Fault, shown},
    names::{Name, Names},
    object_file::{At, ObjectFile, Section, Symbol},
    pool::EntryStarts,
};

/// The groups so far: by signature, the number of the group section that was kept, once it is placed.
pub(crate) type Comdats = IndexMap<Name, Option<u32>, FxBuildHasher>;

pub(crate) struct Scan {
    /// The order in which sections are placed: a section that follows another one (`SHF_LINK_ORDER`) comes after it.
    pub order: Vec<usize>,
    /// Sections in groups that were kept already.
    pub discarded: Vec<bool>,
    /// The group of each section, as an index into the object file's groups.
    pub group: Vec<Option<usize>>,
    /// Symbols that a relocation or a group needs.
    pub referenced: Vec<bool>,
    /// The entries of sections that may be pooled.
    pub entry_starts: Vec<Option<EntryStarts>>,
    /// Frames that are referenced, so that they must stay contiguous.
    pub fixed_frames: Vec<bool>,
}

const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;
const SHT_LLVM_CALL_GRAPH_PROFILE: u32 = 0x6fff_4c09;
/// The number of this type until LLVM 12.
const SHT_LLVM_CALL_GRAPH_PROFILE_V12: u32 = 0x6fff_4c02;

/// Whether a section is not copied into the joined object.
pub(crate) fn is_unwanted(section: &Section) -> bool {
    let hints = [
        SHT_LLVM_ADDRSIG,
        SHT_LLVM_CALL_GRAPH_PROFILE,
        SHT_LLVM_CALL_GRAPH_PROFILE_V12,
    ];
    section.is_table()
        || hints.contains(&section.kind)
        || is_stack_note(section)
        || is_properties(section)
}

pub(crate) fn is_stack_note(section: &Section) -> bool {
    section.name == b".note.GNU-stack"
}

pub(crate) fn is_properties(section: &Section) -> bool {
    section.name == b".note.gnu.property" && section.kind == elf::SHT_NOTE.0
}

pub(crate) fn is_frames(section: &Section) -> bool {
    section.name == b".eh_frame"
}

/// Whether a symbol marks code or data in a section; in a section of data only, nothing uses it.
pub(crate) fn is_mapping(machine: elf::Machine, symbol: &Symbol) -> bool {
    matches!(machine, elf::EM_AARCH64 | elf::EM_RISCV)
        && symbol.is_local()
        && symbol.kind == elf::STT_NOTYPE.0
        && matches!(symbol.name, [b'$', b'd' | b'x', ..])
}

impl Scan {
    /// Analyses an object file. `comdats` are the signatures of the groups so far; those of the object file are added.
    pub fn new(
        object: &ObjectFile,
        names: &mut Names,
        comdats: &mut Comdats,
    ) -> Result<Self, Fault> {
        let count = object.sections.len();
        let mut scan = Self {
            order: placing_order(&object.sections)?,
            discarded: vec![false; count],
            group: vec![None; count],
            referenced: vec![false; object.symbols.len()],
            entry_starts: Vec::new(),
            fixed_frames: vec![false; count],
        };
        for (number, group) in object.groups.iter().enumerate() {
            let known = group.comdat
                && match comdats.entry(names.add(group.name)?) {
                    Entry::Occupied(_) => true,
                    Entry::Vacant(entry) => {
                        entry.insert(None);
                        false
                    }
                };
            scan.discarded[group.section] = known;
            if !known {
                scan.referenced[group.signature] = true;
            }
            for &member in &group.members {
                if scan.group[member].replace(number).is_some() {
                    return Err(Fault::Malformed(format!(
                        "section {} is in two groups",
                        shown(object.sections[member].name)
                    )));
                }
                scan.discarded[member] = known;
            }
        }
        for &index in &scan.order {
            let section = &object.sections[index];
            if section.is(elf::SHF_LINK_ORDER) && scan.discarded[section.link] {
                scan.discarded[index] = true;
            }
        }
        let cut = |(section, discarded): (_, &bool)| {
            (!discarded).then(|| EntryStarts::new(section)).flatten()
        };
        scan.entry_starts = object
            .sections
            .iter()
            .zip(&scan.discarded)
            .map(cut)
            .collect();
        scan.look_at_relocs(object);
        scan.look_at_symbols(object);
        Ok(scan)
    }

    fn look_at_relocs(&mut self, object: &ObjectFile) {
        for (section, discarded) in object.sections.iter().zip(&self.discarded) {
            if *discarded || is_unwanted(section) {
                continue;
            }
            for reloc in section.relocs() {
                if reloc.symbol == 0 {
                    continue;
                }
                self.referenced[reloc.symbol] = true;
                let symbol = &object.symbols[reloc.symbol];
                if let At::Section(target) = symbol.at
                    && symbol.is_section()
                {
                    let offset = symbol.value.wrapping_add_signed(reloc.addend);
                    self.entry_starts[target].take_if(|cut| !cut.holds(offset, 0));
                    self.fixed_frames[target] = true;
                }
            }
        }
    }

    fn look_at_symbols(&mut self, object: &ObjectFile) {
        let machine = elf::Machine(object.identity.machine);
        for (symbol, referenced) in object.symbols.iter().zip(&self.referenced) {
            let At::Section(section) = symbol.at else {
                continue;
            };
            let is_needed = !symbol.is_temporary() && !is_mapping(machine, symbol);
            if !symbol.is_section() && (*referenced || is_needed) {
                self.entry_starts[section].take_if(|cut| !cut.holds(symbol.value, symbol.size));
                self.fixed_frames[section] = true;
            }
        }
    }
}

/// Sections in order, with those that follow another one after that.
fn placing_order(sections: &[Section]) -> Result<Vec<usize>, Fault> {
    let follows = |index: usize| sections[index].is(elf::SHF_LINK_ORDER);
    let mut order: Vec<usize> = (0..sections.len())
        .filter(|index| !follows(*index))
        .collect();
    let mut is_placed: Vec<bool> = (0..sections.len()).map(|index| !follows(index)).collect();
    for start in 0..sections.len() {
        let mut path = Vec::new();
        let mut index = start;
        // A path through more sections than there are is a cycle.
        while path.len() <= sections.len() && !is_placed.get(index).copied().unwrap_or(false) {
            let Some(section) = sections.get(index) else {
                break;
            };
            path.push(index);
            index = section.link;
        }
        if path.len() > sections.len() || index >= sections.len() {
            return Err(Fault::Malformed(format!(
                "section {} follows none",
                shown(sections[start].name)
            )));
        }
        for index in path.into_iter().rev() {
            is_placed[index] = true;
            order.push(index);
        }
    }
    Ok(order)
}
