//! What of a unit is dropped, and what of the rest is referenced: looked at before anything of it is joined.

use indexmap::{IndexMap, map::Entry};
use object::elf;
use rustc_hash::FxBuildHasher;

use crate::{
    error::{Fault, shown},
    names::{Name, Names},
    pool::Cut,
    unit::{At, Section, Symbol, Unit},
};

/// The groups so far: by signature, the number of the section of the one that stays, once it is placed.
pub(crate) type Comdats = IndexMap<Name, Option<u32>, FxBuildHasher>;

pub(crate) struct Scan {
    /// The order in which sections are placed: those that follow another one behind it.
    pub order: Vec<usize>,
    /// Sections that go with a group that is there already.
    pub discarded: Vec<bool>,
    /// The group that a section is in, as an index into the unit's groups.
    pub group: Vec<Option<usize>>,
    /// Symbols that a relocation that stays needs, or a group.
    pub referenced: Vec<bool>,
    /// The entries of sections that may be pooled.
    pub cuts: Vec<Option<Cut>>,
    /// Frames that something refers to, so that they stay together.
    pub fixed_frames: Vec<bool>,
}

const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;
const SHT_LLVM_CALL_GRAPH_PROFILE: u32 = 0x6fff_4c09;
/// The number that it had until LLVM 12.
const SHT_LLVM_CALL_GRAPH_PROFILE_V12: u32 = 0x6fff_4c02;

/// Nothing of it is in the joined object as it is.
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

/// Symbols that tell code from data in a section; where there is only data, nothing looks at them.
pub(crate) fn is_mapping(machine: elf::Machine, symbol: &Symbol) -> bool {
    matches!(machine, elf::EM_AARCH64 | elf::EM_RISCV)
        && symbol.is_local()
        && symbol.kind == elf::STT_NOTYPE.0
        && matches!(symbol.name, [b'$', b'd' | b'x', ..])
}

impl Scan {
    /// `comdats` are the signatures of the groups so far; those of the unit are added.
    pub fn new(unit: &Unit, names: &mut Names, comdats: &mut Comdats) -> Result<Self, Fault> {
        let count = unit.sections.len();
        let mut scan = Self {
            order: placing_order(&unit.sections)?,
            discarded: vec![false; count],
            group: vec![None; count],
            referenced: vec![false; unit.symbols.len()],
            cuts: Vec::new(),
            fixed_frames: vec![false; count],
        };
        for (number, group) in unit.groups.iter().enumerate() {
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
                        shown(unit.sections[member].name)
                    )));
                }
                scan.discarded[member] = known;
            }
        }
        for &index in &scan.order {
            let section = &unit.sections[index];
            if section.is(elf::SHF_LINK_ORDER) && scan.discarded[section.link] {
                scan.discarded[index] = true;
            }
        }
        let cut =
            |(section, discarded): (_, &bool)| (!discarded).then(|| Cut::new(section)).flatten();
        scan.cuts = unit.sections.iter().zip(&scan.discarded).map(cut).collect();
        scan.look_at_relocs(unit);
        scan.look_at_symbols(unit);
        Ok(scan)
    }

    fn look_at_relocs(&mut self, unit: &Unit) {
        for (section, discarded) in unit.sections.iter().zip(&self.discarded) {
            if *discarded || is_unwanted(section) {
                continue;
            }
            for reloc in section.relocs() {
                if reloc.symbol == 0 {
                    continue;
                }
                self.referenced[reloc.symbol] = true;
                let symbol = &unit.symbols[reloc.symbol];
                if let At::Section(target) = symbol.at
                    && symbol.is_section()
                {
                    let offset = symbol.value.wrapping_add_signed(reloc.addend);
                    self.cuts[target].take_if(|cut| !cut.holds(offset, 0));
                    self.fixed_frames[target] = true;
                }
            }
        }
    }

    fn look_at_symbols(&mut self, unit: &Unit) {
        let machine = elf::Machine(unit.identity.machine);
        for (symbol, referenced) in unit.symbols.iter().zip(&self.referenced) {
            let At::Section(section) = symbol.at else {
                continue;
            };
            let is_needed = !symbol.is_temporary() && !is_mapping(machine, symbol);
            if !symbol.is_section() && (*referenced || is_needed) {
                self.cuts[section].take_if(|cut| !cut.holds(symbol.value, symbol.size));
                self.fixed_frames[section] = true;
            }
        }
    }
}

/// Sections in order, then those that follow another one, each behind that.
fn placing_order(sections: &[Section]) -> Result<Vec<usize>, Fault> {
    let follows = |index: usize| sections[index].is(elf::SHF_LINK_ORDER);
    let mut order: Vec<usize> = (0..sections.len())
        .filter(|index| !follows(*index))
        .collect();
    let mut is_placed: Vec<bool> = (0..sections.len()).map(|index| !follows(index)).collect();
    for start in 0..sections.len() {
        let mut path = Vec::new();
        let mut index = start;
        // A path through more sections than there are comes by one twice.
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
