//! An object as plain data.

use crate::JoinError;
use object::{
    LittleEndian, SymbolIndex,
    elf::{self, FileHeader64},
    read::elf::{FileHeader, Rela, SectionHeader, Sym},
};

type Header = FileHeader64<LittleEndian>;

/// What all objects of one must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    pub machine: u16,
    pub flags: u32,
    pub abi: u8,
    pub abi_version: u8,
}

/// A relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    pub kind: u32,
    /// A symbol, by its place in the object's table; 0 is none.
    pub symbol: usize,
    pub addend: i64,
}

/// A section.
#[derive(Debug)]
pub struct Section<'a> {
    pub name: &'a [u8],
    pub kind: u32,
    pub flags: u64,
    pub align: u64,
    pub entry_size: u64,
    /// Bytes in memory; those without contents in the file, too.
    pub size: u64,
    pub data: &'a [u8],
    /// What it stands behind, with `SHF_LINK_ORDER`.
    pub link: usize,
    pub relocations: Vec<Relocation>,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Undefined,
    Absolute,
    Common,
    Section(usize),
}

/// A symbol.
#[derive(Debug)]
pub struct Symbol<'a> {
    pub name: &'a [u8],
    pub bind: u8,
    pub kind: u8,
    pub other: u8,
    pub place: Place,
    pub value: u64,
    pub size: u64,
}

/// Sections of which one copy is kept.
#[derive(Debug)]
pub struct Group<'a> {
    pub name: &'a [u8],
    pub members: Vec<usize>,
}

/// An object.
#[derive(Debug)]
pub struct Object<'a> {
    pub machine: Machine,
    /// By their places in the file; `None` is what is not joined as it is.
    pub sections: Vec<Option<Section<'a>>>,
    pub symbols: Vec<Symbol<'a>>,
    pub groups: Vec<Group<'a>>,
}

/// Sections of these kinds tell linkers what they need not know.
fn is_advice(kind: u32) -> bool {
    const ADDRSIG: u32 = 0x6fff_4c03;
    const CALL_GRAPH_PROFILE: u32 = 0x6fff_4c09;
    matches!(kind, ADDRSIG | CALL_GRAPH_PROFILE)
}

/// Reads an object.
pub fn read<'a>(unit: &str, bytes: &'a [u8]) -> Result<Object<'a>, JoinError> {
    let damaged = |what| JoinError::Damaged(unit.to_owned(), what);
    let unsupported = |what| JoinError::Unsupported(unit.to_owned(), what);
    let is_elf = bytes.starts_with(&elf::ELFMAG);
    if is_elf && bytes.get(4..6) != Some(&[elf::ELFCLASS64, elf::ELFDATA2LSB]) {
        return Err(unsupported("it is not 64-bit little-endian ELF"));
    }
    let header = Header::parse(bytes).map_err(|_| match is_elf {
        true => damaged("its header"),
        false => unsupported("it is not 64-bit little-endian ELF"),
    })?;
    let endian = LittleEndian;
    if header.e_type(endian) != elf::ET_REL {
        return Err(unsupported("it is not relocatable"));
    }
    let table = header
        .sections(endian, bytes)
        .map_err(|_| damaged("its table of sections"))?;
    let symbols = table
        .symbols(endian, bytes, elf::SHT_SYMTAB)
        .map_err(|_| damaged("its table of symbols"))?;

    let mut sections = Vec::with_capacity(table.len());
    let mut groups = Vec::new();
    for (_, section) in table.enumerate() {
        let kind = section.sh_type(endian);
        let is_joined = !matches!(
            kind,
            elf::SHT_NULL
                | elf::SHT_SYMTAB
                | elf::SHT_STRTAB
                | elf::SHT_RELA
                | elf::SHT_GROUP
                | elf::SHT_SYMTAB_SHNDX
        ) && !is_advice(kind);
        match kind {
            elf::SHT_REL | elf::SHT_RELR | elf::SHT_CREL => {
                return Err(unsupported("its relocations do not carry their addends"));
            }
            elf::SHT_GROUP => {
                let found = section.group(endian, bytes);
                let (flag, members) = found
                    .ok()
                    .flatten()
                    .ok_or_else(|| damaged("a group of sections"))?;
                if flag & elf::GRP_COMDAT != 0 {
                    let named = symbols.symbol(SymbolIndex(section.sh_info(endian) as usize));
                    let named = named.map_err(|_| damaged("the name of a group"))?;
                    let name = symbols.symbol_name(endian, named);
                    groups.push(Group {
                        name: name.map_err(|_| damaged("the name of a group"))?,
                        members: members
                            .iter()
                            .map(|member| member.get(endian) as usize)
                            .collect(),
                    });
                }
            }
            _ => {}
        }
        if !is_joined {
            sections.push(None);
            continue;
        }
        let name = table
            .section_name(endian, section)
            .map_err(|_| damaged("the name of a section"))?;
        let data = section
            .data(endian, bytes)
            .map_err(|_| damaged("the contents of a section"))?;
        let flags = section.sh_flags(endian);
        if flags & u64::from(elf::SHF_COMPRESSED) != 0 {
            return Err(unsupported("it has compressed sections"));
        }
        let align = section.sh_addralign(endian).max(1);
        if !align.is_power_of_two() || align > 1 << 32 {
            return Err(damaged("the alignment of a section"));
        }
        let size = section.sh_size(endian);
        if size > 1 << 48 {
            return Err(damaged("the size of a section"));
        }
        sections.push(Some(Section {
            name,
            kind,
            flags,
            align,
            entry_size: section.sh_entsize(endian),
            size,
            data,
            link: section.sh_link(endian) as usize,
            relocations: Vec::new(),
        }));
    }
    for (_, section) in table.enumerate() {
        if section.sh_type(endian) != elf::SHT_RELA {
            continue;
        }
        let found = section.rela(endian, bytes);
        let (relocations, _) = found
            .ok()
            .flatten()
            .ok_or_else(|| damaged("a table of relocations"))?;
        let target = sections
            .get_mut(section.sh_info(endian) as usize)
            .and_then(Option::as_mut)
            .ok_or_else(|| damaged("a table of relocations"))?;
        for relocation in relocations {
            let symbol = relocation.r_sym(endian, false) as usize;
            let offset = relocation.r_offset(endian);
            if symbol >= symbols.len().max(1) || offset > target.size {
                return Err(damaged("a relocation"));
            }
            target.relocations.push(Relocation {
                offset,
                kind: relocation.r_type(endian, false),
                symbol,
                addend: relocation.r_addend(endian),
            });
        }
    }
    let mut read = Vec::with_capacity(symbols.len());
    for (index, symbol) in symbols.enumerate() {
        let name = symbols
            .symbol_name(endian, symbol)
            .map_err(|_| damaged("the name of a symbol"))?;
        let place = match symbol.st_shndx(endian) {
            elf::SHN_UNDEF => Place::Undefined,
            elf::SHN_ABS => Place::Absolute,
            elf::SHN_COMMON => Place::Common,
            _ => {
                let found = symbols.symbol_section(endian, symbol, index);
                let found = found.ok().flatten();
                let at = found.map(|at| at.0).filter(|at| *at < sections.len());
                Place::Section(at.ok_or_else(|| damaged("the section of a symbol"))?)
            }
        };
        read.push(Symbol {
            name,
            bind: symbol.st_bind(),
            kind: symbol.st_type(),
            other: symbol.st_other(),
            place,
            value: symbol.st_value(endian),
            size: symbol.st_size(endian),
        });
    }
    Ok(Object {
        machine: Machine {
            machine: header.e_machine(endian),
            flags: header.e_flags(endian),
            abi: header.e_ident().os_abi,
            abi_version: header.e_ident().abi_version,
        },
        sections,
        symbols: read,
        groups,
    })
}
