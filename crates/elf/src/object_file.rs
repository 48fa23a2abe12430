//! One relocatable object file: sections with their relocations, symbols, groups.

use object::{
    LittleEndian as Le,
    elf::{self, Rela64},
    read::elf::Rela as _,
};

/// The properties in which all object files must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub machine: u16,
    pub flags: u32,
    pub os_abi: u8,
    pub abi_version: u8,
}

pub(crate) struct ObjectFile<'a> {
    pub identity: Identity,
    /// By index; the first one is the null section.
    pub sections: Vec<Section<'a>>,
    /// By index; the first one is the null symbol.
    pub symbols: Vec<Symbol<'a>>,
    pub groups: Vec<Group<'a>>,
}

pub(crate) struct Section<'a> {
    pub name: &'a [u8],
    pub kind: u32,
    pub flags: u64,
    pub size: u64,
    pub align: u64,
    pub entsize: u64,
    pub link: usize,
    /// Empty if the section takes no space in the file.
    pub data: &'a [u8],
    pub relocs: &'a [Rela64<Le>],
}

pub(crate) struct Symbol<'a> {
    pub name: &'a [u8],
    pub kind: u8,
    pub binding: u8,
    pub other: u8,
    pub at: At,
    pub value: u64,
    pub size: u64,
}

/// The section of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Undefined,
    Absolute,
    Common,
    Section(usize),
}

/// A relocation of the object file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputReloc {
    pub offset: u64,
    pub kind: u32,
    pub symbol: usize,
    pub addend: i64,
}

pub(crate) struct Group<'a> {
    /// The index of its own section.
    pub section: usize,
    pub comdat: bool,
    /// The index of its signature symbol.
    pub signature: usize,
    pub name: &'a [u8],
    pub members: Vec<usize>,
}

impl<'a> Section<'a> {
    /// A section with bytes only, for tests.
    #[cfg(test)]
    pub fn with_data(name: &'a [u8], data: &'a [u8]) -> Self {
        Self {
            name,
            kind: 0,
            flags: 0,
            size: 0,
            align: 1,
            entsize: 0,
            link: 0,
            data,
            relocs: &[],
        }
    }

    pub fn is(&self, flag: elf::SectionFlags) -> bool {
        self.flags & flag.0 != 0
    }

    pub fn has_relocs(&self) -> bool {
        !self.relocs.is_empty()
    }

    pub fn relocs(&self) -> impl Iterator<Item = InputReloc> {
        self.relocs.iter().map(|reloc| InputReloc {
            offset: reloc.r_offset(Le),
            kind: reloc.r_type(Le, false).0,
            symbol: reloc.r_sym(Le, false) as usize,
            addend: reloc.r_addend(Le),
        })
    }

    /// Whether the section is a table that describes the object, and no part of the program.
    pub fn is_table(&self) -> bool {
        let tables = [
            elf::SHT_NULL,
            elf::SHT_SYMTAB,
            elf::SHT_SYMTAB_SHNDX,
            elf::SHT_STRTAB,
            elf::SHT_RELA,
            elf::SHT_REL,
            elf::SHT_GROUP,
        ];
        tables.iter().any(|table| table.0 == self.kind)
    }
}

impl Symbol<'_> {
    pub fn is_section(&self) -> bool {
        self.kind == elf::STT_SECTION.0
    }

    pub fn is_local(&self) -> bool {
        self.binding == elf::STB_LOCAL.0
    }

    /// Whether the symbol is internal to an assembler.
    pub fn is_temporary(&self) -> bool {
        self.name.is_empty() || self.name.starts_with(b".L")
    }
}
