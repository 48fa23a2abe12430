//! Writes the joined object.

use object::{
    Endianness, elf,
    write::{
        StringId,
        elf::{FileHeader, Rel, SectionHeader, SectionIndex, Sym, Writer},
    },
};

use crate::{
    error::JoinError,
    layout::{self, Layout, OutSymbol, SymbolSection},
    names::Names,
    output_object::OutputObject,
    sections::{Body, OutSection},
};

/// Offsets of sections in the file have the section's alignment, up to a page.
const MAX_FILE_ALIGN: u64 = 4096;

/// The position of a section and its relocations in the file.
struct Slot {
    index: SectionIndex,
    name: StringId,
    offset: u64,
    relocs: Option<RelocSlot>,
}

struct RelocSlot {
    index: SectionIndex,
    name: StringId,
    offset: u64,
}

pub(crate) fn write(mut output: OutputObject) -> Result<Vec<u8>, JoinError> {
    let identity = output.identity.ok_or(JoinError::NoUnits)?;
    let offsets = layout::finish_sections(&mut output);
    let OutputObject {
        names,
        sections,
        symbols,
        ..
    } = output;
    let mut sections = sections.all;
    layout::dissolve_groups(&mut sections, &symbols);
    let layout = Layout::new(&sections, &symbols, &names, offsets);
    drop(symbols);
    if layout.symbols.len() >= u32::MAX as usize / 4 {
        return Err(JoinError::TooLarge("symbols"));
    }
    let reloc_names: Vec<Vec<u8>> = sections
        .iter()
        .map(|section| reloc_name(section, &names))
        .collect();

    let mut file = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut file);
    writer.reserve_file_header();
    let mut slots = reserve_indices(&mut writer, &sections, &reloc_names, &names);
    writer.reserve_symtab_section_index();
    reserve_symbols(&mut writer, &layout, &slots);
    if writer.symtab_shndx_needed() {
        writer.reserve_symtab_shndx_section_index();
    }
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    let strings: Vec<_> = layout
        .symbols
        .iter()
        .map(|symbol| (!symbol.name.is_empty()).then(|| writer.add_string(&symbol.name)))
        .collect();
    reserve_contents(&mut writer, &sections, &mut slots);
    writer.reserve_symtab();
    writer.reserve_symtab_shndx();
    writer
        .reserve_strtab()
        .map_err(|_| JoinError::TooLarge("names of symbols"))?;
    writer
        .reserve_shstrtab()
        .map_err(|_| JoinError::TooLarge("names of sections"))?;
    writer.reserve_section_headers();

    writer
        .write_file_header(&FileHeader {
            os_abi: elf::OsAbi(identity.os_abi),
            abi_version: identity.abi_version,
            e_type: elf::ET_REL,
            e_machine: elf::Machine(identity.machine),
            e_entry: 0,
            e_flags: elf::FileFlags(identity.flags),
        })
        .map_err(|_| JoinError::TooLarge("sections"))?;
    let members = members(&sections, &slots);
    for (number, slot) in slots.iter().enumerate() {
        if let Some(slot) = slot {
            write_contents(&mut writer, &mut sections[number], &members[number], slot);
        }
    }
    for (section, slot) in sections.iter().zip(&slots) {
        if let Some(RelocSlot { .. }) = slot.as_ref().and_then(|slot| slot.relocs.as_ref()) {
            write_relocs(&mut writer, section, &layout);
        }
    }
    writer.write_null_symbol();
    for (symbol, name) in layout.symbols.iter().zip(strings) {
        let name = writer.string_offset(name);
        writer.write_symbol(&sym(symbol, name, &slots));
    }
    writer.write_symtab_shndx();
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    for (number, slot) in slots.iter().enumerate() {
        if let Some(slot) = slot {
            write_headers(
                &mut writer,
                &sections[number],
                members[number].len(),
                slot,
                &slots,
                &layout,
            );
        }
    }
    writer.write_symtab_section_header(layout.locals + 1);
    writer.write_symtab_shndx_section_header();
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(file)
}

fn reloc_name(section: &OutSection, names: &Names) -> Vec<u8> {
    if section.relocs.is_empty() {
        return Vec::new();
    }
    [b".rela", names.get(section.key.name)].concat()
}

fn reserve_indices<'a>(
    writer: &mut Writer<'a>,
    sections: &[OutSection],
    reloc_names: &'a [Vec<u8>],
    names: &'a Names,
) -> Vec<Option<Slot>> {
    let mut reserve = |section: &OutSection, reloc_name: &'a Vec<u8>| {
        if matches!(section.body, Body::Nothing) {
            return None;
        }
        Some(Slot {
            index: writer.reserve_section_index(),
            name: writer.add_section_name(names.get(section.key.name)),
            offset: 0,
            relocs: (!section.relocs.is_empty()).then(|| RelocSlot {
                index: writer.reserve_section_index(),
                name: writer.add_section_name(reloc_name),
                offset: 0,
            }),
        })
    };
    sections
        .iter()
        .zip(reloc_names)
        .map(|(section, name)| reserve(section, name))
        .collect()
}

fn reserve_symbols(writer: &mut Writer, layout: &Layout, slots: &[Option<Slot>]) {
    writer.reserve_null_symbol_index();
    for symbol in &layout.symbols {
        writer.reserve_symbol_index(match symbol.section {
            SymbolSection::Section(section) => index_of(section, slots),
            _ => None,
        });
    }
}

/// For each group, by its number, its sections with relocations.
fn members(sections: &[OutSection], slots: &[Option<Slot>]) -> Vec<Vec<SectionIndex>> {
    let mut members = vec![Vec::new(); sections.len()];
    for (section, slot) in sections.iter().zip(slots) {
        if let (Some(group), Some(slot)) = (section.key.group, slot) {
            members[group as usize].push(slot.index);
            members[group as usize].extend(slot.relocs.as_ref().map(|relocs| relocs.index));
        }
    }
    members
}

fn reserve_contents(writer: &mut Writer, sections: &[OutSection], slots: &mut [Option<Slot>]) {
    let mut group_sizes = vec![4; sections.len()];
    for section in sections {
        if let Some(group) = section.key.group {
            group_sizes[group as usize] += if section.relocs.is_empty() { 4 } else { 8 };
        }
    }
    for ((section, slot), group_size) in sections.iter().zip(slots.iter_mut()).zip(group_sizes) {
        let Some(slot) = slot else { continue };
        let size = match &section.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Group { .. } => group_size,
            _ => 0,
        };
        slot.offset = writer.reserve(size, section.align.min(MAX_FILE_ALIGN));
    }
    for (section, slot) in sections.iter().zip(slots) {
        if let Some(relocs) = slot.as_mut().and_then(|slot| slot.relocs.as_mut()) {
            relocs.offset = writer.reserve_relocations(section.relocs.len(), true);
        }
    }
}

fn write_contents(
    writer: &mut Writer,
    section: &mut OutSection,
    members: &[SectionIndex],
    slot: &Slot,
) {
    writer.pad_until(slot.offset);
    match &mut section.body {
        // The contents are moved into the file; their length is still needed.
        Body::Bytes(bytes) => {
            let bytes = std::mem::take(bytes);
            writer.write(&bytes);
            section.body = Body::Space(bytes.len() as u64);
        }
        Body::Group { flags, .. } => {
            writer.write(&flags.to_le_bytes());
            members
                .iter()
                .for_each(|member| writer.write(&member.0.to_le_bytes()));
        }
        _ => {}
    }
}

fn write_relocs(writer: &mut Writer, section: &OutSection, layout: &Layout) {
    writer.write_align_relocation();
    for reloc in &section.relocs {
        writer.write_relocation(
            true,
            &Rel {
                r_offset: reloc.offset,
                r_sym: layout.symbol(reloc.target),
                r_type: elf::RelocationType(reloc.kind),
                r_addend: layout.addend(reloc),
            },
        );
    }
}

fn write_headers(
    writer: &mut Writer,
    section: &OutSection,
    members: usize,
    slot: &Slot,
    slots: &[Option<Slot>],
    layout: &Layout,
) {
    let key = section.key;
    let symtab = writer.symtab_index().0;
    let in_group = if key.group.is_some() {
        elf::SHF_GROUP.0
    } else {
        0
    };
    let (size, link, info) = match section.body {
        Body::Space(size) => {
            let link = key.link.and_then(|link| index_of(link, slots));
            (size, link.map_or(0, |link| link.0), 0)
        }
        Body::Group { signature, .. } => (4 + 4 * members as u64, symtab, layout.symbol(signature)),
        _ => (0, 0, 0),
    };
    writer.write_section_header(&SectionHeader {
        sh_name: writer.section_name_offset(Some(slot.name)),
        sh_type: elf::SectionType(key.kind),
        sh_flags: elf::SectionFlags(key.flags | in_group),
        sh_addr: 0,
        sh_offset: slot.offset,
        sh_size: size,
        sh_link: link,
        sh_info: info,
        sh_addralign: section.align,
        sh_entsize: key.entsize,
    });
    let Some(relocs) = &slot.relocs else { return };
    writer.write_section_header(&SectionHeader {
        sh_name: writer.section_name_offset(Some(relocs.name)),
        sh_type: elf::SHT_RELA,
        sh_flags: elf::SectionFlags(elf::SHF_INFO_LINK.0 | in_group),
        sh_addr: 0,
        sh_offset: relocs.offset,
        sh_size: 24 * section.relocs.len() as u64,
        sh_link: symtab,
        sh_info: slot.index.0,
        sh_addralign: 8,
        sh_entsize: 24,
    });
}

fn index_of(section: u32, slots: &[Option<Slot>]) -> Option<SectionIndex> {
    slots[section as usize].as_ref().map(|slot| slot.index)
}

fn sym(symbol: &OutSymbol, name: u32, slots: &[Option<Slot>]) -> Sym {
    let (section, shndx) = match symbol.section {
        SymbolSection::Undefined => (None, elf::SHN_UNDEF),
        SymbolSection::Absolute => (None, elf::SHN_ABS),
        SymbolSection::Common => (None, elf::SHN_COMMON),
        SymbolSection::Section(section) => (
            index_of(section, slots).map(|index| index.0),
            elf::SHN_UNDEF,
        ),
    };
    Sym {
        section,
        st_name: name,
        st_info: elf::SymbolInfo::new(
            elf::SymbolBind(symbol.binding),
            elf::SymbolType(symbol.kind),
        ),
        st_other: elf::SymbolOther(symbol.other),
        st_shndx: shndx,
        st_value: symbol.value,
        st_size: symbol.size,
    }
}
