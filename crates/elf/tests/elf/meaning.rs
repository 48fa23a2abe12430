//! The contents of an object file in a form that does not depend on offsets.

use std::{collections::BTreeMap, fs, path::Path};

use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags,
    SymbolFlags, SymbolKind, read::elf::ElfFile64,
};

/// A symbol as linkers see it: name, section, size, `st_info`, `st_other`.
pub type Seen = (String, String, u64, u8, u8);

/// All symbols that are not internal to an assembler, sorted.
pub fn symbols(path: &Path) -> Vec<Seen> {
    let bytes = fs::read(path).expect("an object");
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    let mut symbols: Vec<Seen> = file
        .symbols()
        .filter(|symbol| !matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File))
        .filter(|symbol| !symbol.name().expect("a name").starts_with(".L"))
        .filter(|symbol| !symbol.name().expect("a name").is_empty())
        .map(|symbol| {
            let SymbolFlags::Elf {
                st_info, st_other, ..
            } = symbol.flags()
            else {
                panic!("a symbol of ELF");
            };
            let section = match symbol.section_index() {
                Some(section) => file
                    .section_by_index(section)
                    .expect("a section")
                    .name()
                    .expect("a name")
                    .to_string(),
                None => format!("{:?}", symbol.section()),
            };
            (
                symbol.name().expect("a name").to_string(),
                section,
                symbol.size(),
                st_info.0,
                st_other.0,
            )
        })
        .collect();
    symbols.sort();
    symbols
}

/// The bytes of each function, and its relocations with their targets.
pub fn functions(path: &Path) -> BTreeMap<String, (Vec<u8>, Vec<String>)> {
    let bytes = fs::read(path).expect("an object");
    let file: ElfFile64 = ElfFile64::parse(&*bytes).expect("an object");
    let mut relocs = BTreeMap::new();
    for section in file.sections() {
        let own: Vec<_> = section.relocations().collect();
        relocs.insert(section.index().0, own);
    }
    file.symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.section_index().is_some())
        .map(|symbol| {
            let section = symbol.section_index().expect("a section");
            let data = file
                .section_by_index(section)
                .expect("a section")
                .data()
                .expect("its bytes");
            let range = symbol.address()..symbol.address() + symbol.size();
            let body = data[range.start as usize..range.end as usize].to_vec();
            let mut meanings: Vec<String> = relocs[&section.0]
                .iter()
                .filter(|(offset, _)| range.contains(offset))
                .map(|(offset, reloc)| {
                    let RelocationFlags::Elf { r_type } = reloc.flags() else {
                        panic!("a relocation of ELF")
                    };
                    let target = target(&file, reloc.target(), reloc.addend());
                    format!("+{} {:?} {target}", offset - range.start, r_type)
                })
                .collect();
            meanings.sort();
            (symbol.name().expect("a name").to_string(), (body, meanings))
        })
        .collect()
}

fn target(file: &ElfFile64, target: RelocationTarget, addend: i64) -> String {
    let RelocationTarget::Symbol(index) = target else {
        return format!("{addend}");
    };
    let symbol = file.symbol_by_index(index).expect("a symbol");
    let Some(section) = symbol.section_index().filter(|_| symbol.is_local()) else {
        return format!("{}{addend:+}", symbol.name().expect("a name"));
    };
    let section = file.section_by_index(section).expect("a section");
    let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
        panic!("a section of ELF")
    };
    let name = section.name().expect("a name");
    const MERGE: u64 = 0x10;
    if sh_flags.0 & MERGE == 0 {
        return format!("{name}{:+}", symbol.address().wrapping_add_signed(addend));
    }
    // The constant that it refers to, and the offset from its address.
    let (start, rest) = match symbol.kind() {
        SymbolKind::Section => (symbol.address().wrapping_add_signed(addend), 0),
        _ => (symbol.address(), addend),
    };
    let data = &section.data().expect("its bytes")[start as usize..];
    let entsize = section
        .elf_section_header()
        .sh_entsize
        .get(object::Endianness::Little) as usize;
    const STRINGS: u64 = 0x20;
    let constant = match sh_flags.0 & STRINGS {
        0 => &data[..entsize - start as usize % entsize],
        _ => data.split(|byte| *byte == 0).next().unwrap_or_default(),
    };
    format!("{name} {constant:?}{rest:+}")
}
