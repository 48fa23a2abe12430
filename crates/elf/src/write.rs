//! The file.

use crate::{
    JoinError,
    join::{At, Joiner, Made, Target},
    read::Machine,
};
use object::{
    Endianness, elf,
    write::{
        StringId,
        elf::{FileHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer},
    },
};
use std::collections::BTreeMap;

/// Where the entries of sections are, by section and number.
struct Layout(Vec<Vec<u64>>);

impl Layout {
    /// Lays out the sections whose entries are kept once.
    fn new(sections: &mut [Made]) -> Self {
        let offsets = sections.iter_mut().map(|section| {
            let Some(pool) = section.pool.take() else {
                return Vec::new();
            };
            let (data, offsets) = pool.layout(section.align, section.entry_size);
            section.size = data.len() as u64;
            section.data = data;
            offsets
        });
        Self(offsets.collect())
    }

    fn offset(&self, section: u32, entry: u32, within: u64) -> u64 {
        self.0[section as usize][entry as usize] + within
    }

    /// The section, if it is in one, and the value of a symbol.
    fn place(&self, at: At) -> (Option<u32>, u64) {
        match at {
            At::Section { section, offset } => (Some(section), offset),
            At::Entry {
                section,
                entry,
                within,
            } => (Some(section), self.offset(section, entry, within)),
            At::Absolute(value) => (None, value),
        }
    }
}

/// A symbol, as it is written.
struct Line {
    name: Option<StringId>,
    info: u8,
    other: u8,
    section: Option<SectionIndex>,
    /// Where it is in no section.
    outside: u16,
    value: u64,
    size: u64,
}

fn info(bind: u8, kind: u8) -> u8 {
    bind << 4 | kind & 0xf
}

/// Writes what was joined.
pub fn write(mut joiner: Joiner) -> Result<Vec<u8>, JoinError> {
    let layout = Layout::new(&mut joiner.sections);
    let machine = joiner.machine.ok_or(JoinError::NoUnits)?;
    let names: Vec<Vec<u8>> = joiner
        .sections
        .iter()
        .map(|section| [b".rela".as_slice(), &section.name].concat())
        .collect();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut bytes);

    // Numbers and names.
    writer.reserve_null_section_index();
    let mut indices = Vec::with_capacity(joiner.sections.len());
    let mut headers = Vec::with_capacity(joiner.sections.len());
    for (section, name) in joiner.sections.iter().zip(&names) {
        let index = writer.reserve_section_index();
        indices.push(index);
        let relocated = (!section.relocations.is_empty()).then(|| {
            writer.reserve_section_index();
            writer.add_section_name(name)
        });
        headers.push((writer.add_section_name(&section.name), relocated));
    }
    let stack = writer.add_section_name(b".note.GNU-stack");
    let stack_index = writer.reserve_section_index();
    let _ = stack_index;
    writer.reserve_null_symbol_index();
    let symbols = Symbols::new(&mut writer, &joiner, &layout, &indices);
    let symtab = writer.reserve_symtab_section_index();
    if writer.symtab_shndx_needed() {
        writer.reserve_symtab_shndx_section_index();
    }
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();

    // Places.
    writer.reserve_file_header();
    let mut places = Vec::with_capacity(joiner.sections.len());
    for section in &joiner.sections {
        let align = usize::try_from(section.align).unwrap_or(1);
        let data = match section.kind {
            elf::SHT_NOBITS => writer.reserve(0, 1),
            _ => writer.reserve(section.data.len(), align),
        };
        let relocations = match section.relocations.len() {
            0 => 0,
            count => writer.reserve_relocations(count, true),
        };
        places.push((data, relocations));
    }
    writer.reserve_symtab();
    writer.reserve_symtab_shndx();
    writer.reserve_strtab();
    writer.reserve_shstrtab();
    writer.reserve_section_headers();

    // Contents.
    let header = file_header(machine);
    let failed = |error: object::write::Error| JoinError::TooLarge(error.to_string());
    writer.write_file_header(&header).map_err(failed)?;
    for (at, section) in joiner.sections.iter().enumerate() {
        if section.kind != elf::SHT_NOBITS {
            writer.write_align(usize::try_from(section.align).unwrap_or(1));
            writer.write(&section.data);
        }
        if section.relocations.is_empty() {
            continue;
        }
        writer.write_align_relocation();
        for moved in &section.relocations {
            let (symbol, addend) = symbols.target(moved.target, moved.addend, &layout);
            writer.write_relocation(
                true,
                &Rel {
                    r_offset: moved.offset,
                    r_sym: symbol,
                    r_type: moved.kind,
                    r_addend: addend,
                },
            );
        }
        debug_assert!(places[at].1 > 0);
    }
    writer.write_null_symbol();
    for line in &symbols.lines {
        writer.write_symbol(&Sym {
            name: line.name,
            section: line.section,
            st_info: line.info,
            st_other: line.other,
            st_shndx: line.outside,
            st_value: line.value,
            st_size: line.size,
        });
    }
    writer.write_symtab_shndx();
    writer.write_strtab();
    writer.write_shstrtab();

    writer.write_null_section_header();
    for (at, section) in joiner.sections.iter().enumerate() {
        let (name, relocated) = headers[at];
        let (offset, relocations) = places[at];
        writer.write_section_header(&SectionHeader {
            name: Some(name),
            sh_type: section.kind,
            sh_flags: section.flags,
            sh_addr: 0,
            sh_offset: offset as u64,
            sh_size: section.size,
            sh_link: section.link.map_or(0, |link| indices[link as usize].0),
            sh_info: 0,
            sh_addralign: section.align,
            sh_entsize: section.entry_size,
        });
        if let Some(name) = relocated {
            let count = section.relocations.len();
            writer.write_relocation_section_header(
                name,
                indices[at],
                symtab,
                relocations,
                count,
                true,
            );
        }
    }
    writer.write_section_header(&SectionHeader {
        name: Some(stack),
        sh_type: elf::SHT_PROGBITS,
        sh_flags: match joiner.has_executable_stack {
            true => u64::from(elf::SHF_EXECINSTR),
            false => 0,
        },
        sh_addr: 0,
        sh_offset: header_end(&places),
        sh_size: 0,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    });
    writer.write_symtab_section_header(symbols.locals);
    writer.write_symtab_shndx_section_header();
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(bytes)
}

/// Any place in the file does for what is empty.
fn header_end(places: &[(usize, usize)]) -> u64 {
    places.last().map_or(64, |(offset, _)| *offset as u64)
}

fn file_header(machine: Machine) -> FileHeader {
    FileHeader {
        os_abi: machine.abi,
        abi_version: machine.abi_version,
        e_type: elf::ET_REL,
        e_machine: machine.machine,
        e_entry: 0,
        e_flags: machine.flags,
    }
}

/// The table of symbols, and who is where in it.
struct Symbols {
    lines: Vec<Line>,
    /// How many come before the first global one, with the one that is none.
    locals: u32,
    sections: Vec<Option<SymbolIndex>>,
    entries: BTreeMap<(u32, u64), SymbolIndex>,
    of_locals: Vec<SymbolIndex>,
    of_globals: Vec<SymbolIndex>,
}

impl Symbols {
    fn new<'a>(
        writer: &mut Writer<'a>,
        joiner: &'a Joiner,
        layout: &Layout,
        indices: &[SectionIndex],
    ) -> Self {
        let mut symbols = Self {
            lines: Vec::new(),
            locals: 0,
            sections: vec![None; joiner.sections.len()],
            entries: BTreeMap::new(),
            of_locals: Vec::new(),
            of_globals: vec![SymbolIndex(0); joiner.globals.all().len()],
        };
        for name in &joiner.files {
            let name = writer.add_string(name);
            let kind = info(elf::STB_LOCAL, elf::STT_FILE);
            symbols.add(writer, Some(name), kind, 0, None, elf::SHN_ABS, (0, 0));
        }
        let mut entries: BTreeMap<(u32, u64), ()> = BTreeMap::new();
        let mut is_used = vec![false; joiner.sections.len()];
        for moved in joiner.sections.iter().flat_map(|one| &one.relocations) {
            match moved.target {
                Target::Section(section) | Target::EntryByAddend { section, .. } => {
                    is_used[section as usize] = true;
                }
                Target::Entry {
                    section,
                    entry,
                    within,
                } => {
                    entries.insert((section, layout.offset(section, entry, within)), ());
                }
                _ => {}
            }
        }
        for (at, _) in is_used.iter().enumerate().filter(|(_, is_used)| **is_used) {
            let kind = info(elf::STB_LOCAL, elf::STT_SECTION);
            let index = symbols.add(writer, None, kind, 0, Some(indices[at]), 0, (0, 0));
            symbols.sections[at] = Some(index);
        }
        for local in &joiner.locals {
            let (section, value) = layout.place(local.at);
            let name = (!local.name.is_empty()).then(|| writer.add_string(&local.name));
            let index = symbols.add(
                writer,
                name,
                info(elf::STB_LOCAL, local.kind),
                local.other,
                section.map(|section| indices[section as usize]),
                elf::SHN_ABS,
                (value, local.size),
            );
            symbols.of_locals.push(index);
        }
        for (section, offset) in entries.into_keys() {
            let name = writer.add_string(b".Lpooled");
            let kind = info(elf::STB_LOCAL, elf::STT_NOTYPE);
            let there = Some(indices[section as usize]);
            let index = symbols.add(writer, Some(name), kind, 0, there, 0, (offset, 0));
            symbols.entries.insert((section, offset), index);
        }
        symbols.locals = symbols.lines.len() as u32 + 1;
        for number in joiner.globals.ordered() {
            let global = &joiner.globals.all()[number as usize];
            let name = Some(writer.add_string(&global.name));
            let index = match (&global.definition, global.common) {
                (Some(definition), _) => {
                    let (section, value) = layout.place(definition.at);
                    symbols.add(
                        writer,
                        name,
                        info(definition.bind, definition.kind),
                        global.other,
                        section.map(|section| indices[section as usize]),
                        elf::SHN_ABS,
                        (value, definition.size),
                    )
                }
                (None, Some((size, align))) => {
                    let kind = info(elf::STB_GLOBAL, elf::STT_OBJECT);
                    let common = elf::SHN_COMMON;
                    symbols.add(
                        writer,
                        name,
                        kind,
                        global.other,
                        None,
                        common,
                        (align, size),
                    )
                }
                (None, None) => {
                    let bind = match global.is_needed {
                        true => elf::STB_GLOBAL,
                        false => elf::STB_WEAK,
                    };
                    let kind = match global.kind {
                        elf::STT_TLS => elf::STT_TLS,
                        _ => elf::STT_NOTYPE,
                    };
                    let undefined = elf::SHN_UNDEF;
                    let kind = info(bind, kind);
                    symbols.add(writer, name, kind, global.other, None, undefined, (0, 0))
                }
            };
            symbols.of_globals[number as usize] = index;
        }
        symbols
    }

    #[allow(clippy::too_many_arguments)]
    fn add(
        &mut self,
        writer: &mut Writer<'_>,
        name: Option<StringId>,
        info: u8,
        other: u8,
        section: Option<SectionIndex>,
        outside: u16,
        (value, size): (u64, u64),
    ) -> SymbolIndex {
        self.lines.push(Line {
            name,
            info,
            other,
            section,
            outside,
            value,
            size,
        });
        writer.reserve_symbol_index(section)
    }

    /// The symbol and the addend of a relocation.
    fn target(&self, target: Target, addend: i64, layout: &Layout) -> (u32, i64) {
        let of_section = |section: u32| {
            let index = self.sections[section as usize];
            index.map_or(0, |index| index.0)
        };
        match target {
            Target::Nothing => (0, addend),
            Target::Section(section) => (of_section(section), addend),
            Target::EntryByAddend {
                section,
                entry,
                within,
            } => {
                let offset = layout.offset(section, entry, within) as i64;
                (of_section(section), addend.wrapping_add(offset))
            }
            Target::Entry {
                section,
                entry,
                within,
            } => {
                let offset = layout.offset(section, entry, within);
                let index = self.entries.get(&(section, offset));
                (index.map_or(0, |index| index.0), addend)
            }
            Target::Local(number) => (self.of_locals[number as usize].0, addend),
            Target::Global(number) => (self.of_globals[number as usize].0, addend),
        }
    }
}
