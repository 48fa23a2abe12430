//! Decisions that need all object files: the bytes of each section, and the order of sections and symbols.

use object::elf;

use crate::{
    names::Names,
    output_object::OutputObject,
    reloc::{Reloc, Target},
    sections::{Body, OutSection},
    symbols::{PoolEntry, SymbolLocation, Symbols},
};

/// The symbols of the output file, and their numbers.
pub(crate) struct Layout {
    /// The symbols in the order of the output file, without the null symbol.
    pub symbols: Vec<OutSymbol>,
    /// The number of local symbols.
    pub locals: u32,
    /// The offset of each pool entry, by section.
    offsets: Vec<Vec<u64>>,
    pool_entries: Vec<PoolEntry>,
    section_symbols: Vec<u32>,
    local_symbols: Vec<u32>,
    pool_entry_symbols: Vec<u32>,
    global_symbols: Vec<u32>,
}

pub(crate) struct OutSymbol {
    pub name: Vec<u8>,
    pub kind: u8,
    pub binding: u8,
    pub other: u8,
    pub size: u64,
    pub value: u64,
    pub section: SymbolSection,
}

/// The section of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolSection {
    Undefined,
    Absolute,
    Common,
    Section(u32),
}

/// Fixes the contents of each section, and drops empty notes.
pub(crate) fn finish_sections(output: &mut OutputObject) -> Vec<Vec<u64>> {
    let machine = output.machine();
    let is_executable = output.executable_stack;
    let mut offsets = Vec::with_capacity(output.sections.all.len());
    for section in &mut output.sections.all {
        let mut entries = Vec::new();
        let bytes = match &mut section.body {
            Body::Pool(pool) => {
                let (bytes, pool_entries) = pool.sorted_entries();
                entries = pool_entries;
                bytes
            }
            Body::Frames(frames) => {
                frames.finish();
                std::mem::take(&mut frames.bytes)
            }
            Body::Once(bytes) => std::mem::take(bytes),
            Body::StackNote => {
                if is_executable {
                    section.key.flags |= elf::SHF_EXECINSTR.0;
                }
                Vec::new()
            }
            Body::Properties => output.properties.note(machine).unwrap_or_default(),
            Body::Bytes(_) | Body::Space(_) | Body::Group { .. } | Body::Nothing => {
                offsets.push(entries);
                continue;
            }
        };
        let is_silent = matches!(section.body, Body::Properties) && bytes.is_empty();
        section.body = if is_silent {
            Body::Nothing
        } else {
            Body::Bytes(bytes)
        };
        offsets.push(entries);
    }
    offsets
}

/// Dissolves groups whose signature is private: no other object file can have them.
pub(crate) fn dissolve_groups(sections: &mut [OutSection], symbols: &Symbols) {
    let is_dissolved: Vec<bool> = sections
        .iter()
        .map(|section| match section.body {
            Body::Group {
                signature: Target::Global(global),
                ..
            } => symbols.is_private(global),
            _ => false,
        })
        .collect();
    for (section, is_dissolved) in sections.iter_mut().zip(&is_dissolved) {
        if *is_dissolved {
            section.body = Body::Nothing;
        }
    }
    for section in sections {
        section.key.group = section
            .key
            .group
            .filter(|group| !is_dissolved[*group as usize]);
    }
}

/// The sections and pool entries that need symbols for relocations and groups.
struct Needed {
    sections: Vec<bool>,
    pool_entries: Vec<bool>,
}

impl Needed {
    fn new(sections: &[OutSection], pool_entries: &[PoolEntry]) -> Self {
        let mut needed = Self {
            sections: vec![false; sections.len()],
            pool_entries: vec![false; pool_entries.len()],
        };
        for section in sections {
            if let Body::Group { signature, .. } = section.body {
                needed.add(signature, pool_entries);
            }
            for reloc in &section.relocs {
                needed.add(reloc.target, pool_entries);
            }
        }
        needed
    }

    fn add(&mut self, target: Target, pool_entries: &[PoolEntry]) {
        match target {
            Target::Section(section) => self.sections[section as usize] = true,
            Target::PoolEntry(entry) => {
                self.sections[pool_entries[entry as usize].section as usize] = true
            }
            Target::PoolEntrySymbol(entry) => self.pool_entries[entry as usize] = true,
            Target::Nothing | Target::Local(_) | Target::Global(_) => {}
        }
    }
}

impl Layout {
    /// Numbers the symbols: sections, locals by source file, private ones by first definition, pool entries, globals by
    /// first definition, undefined ones by name.
    pub fn new(
        sections: &[OutSection],
        symbols: &Symbols,
        names: &Names,
        offsets: Vec<Vec<u64>>,
    ) -> Self {
        let pool_entries: Vec<PoolEntry> = symbols.pool_entries.iter().copied().collect();
        let needed = Needed::new(sections, &pool_entries);
        let mut layout = Self {
            symbols: Vec::new(),
            locals: 0,
            offsets,
            section_symbols: vec![0; sections.len()],
            local_symbols: vec![0; symbols.locals.len()],
            pool_entry_symbols: vec![0; pool_entries.len()],
            global_symbols: vec![0; symbols.globals.len()],
            pool_entries,
        };
        let local = |name: &[u8], kind: elf::SymbolType, section| OutSymbol {
            name: name.to_vec(),
            kind: kind.0,
            binding: elf::STB_LOCAL.0,
            other: 0,
            size: 0,
            value: 0,
            section,
        };
        for number in (0..sections.len()).filter(|number| needed.sections[*number]) {
            let symbol = local(b"", elf::STT_SECTION, SymbolSection::Section(number as u32));
            layout.section_symbols[number] = layout.push(symbol);
        }
        for file in &symbols.files {
            if let Some(name) = file.name {
                layout.push(local(
                    names.get(name),
                    elf::STT_FILE,
                    SymbolSection::Absolute,
                ));
            }
            for number in &file.locals {
                let known = &symbols.locals[*number as usize];
                let (section, value) = layout.section_of(known.location);
                let symbol = OutSymbol {
                    other: known.other,
                    size: known.size,
                    value,
                    kind: known.kind,
                    ..local(names.get(known.name), elf::STT_NOTYPE, section)
                };
                layout.local_symbols[*number as usize] = layout.push(symbol);
            }
        }
        for number in symbols
            .defined
            .iter()
            .filter(|one| symbols.is_private(**one))
        {
            let known = &symbols.globals[*number as usize];
            let (section, value) = layout.section_of(known.location);
            let symbol = OutSymbol {
                other: known.other & !elf::STV_MASK,
                size: known.size,
                value,
                kind: known.kind,
                ..local(names.get(known.name), elf::STT_NOTYPE, section)
            };
            layout.global_symbols[*number as usize] = layout.push(symbol);
        }
        layout.push_pool_entries(&needed, local);
        layout.locals = layout.symbols.len() as u32;
        let shown = symbols
            .defined
            .iter()
            .filter(|one| !symbols.is_private(**one));
        let mut undefined: Vec<u32> = (0..symbols.globals.len() as u32)
            .filter(|number| {
                symbols.globals[*number as usize].location == SymbolLocation::Undefined
            })
            .collect();
        undefined.sort_by_key(|number| names.get(symbols.globals[*number as usize].name));
        for number in shown.chain(&undefined) {
            let known = &symbols.globals[*number as usize];
            let (section, value) = layout.section_of(known.location);
            let symbol = OutSymbol {
                name: names.get(known.name).to_vec(),
                kind: known.kind,
                binding: known.binding,
                other: known.other,
                size: known.size,
                value,
                section,
            };
            layout.global_symbols[*number as usize] = layout.push(symbol);
        }
        layout
    }

    /// Adds symbols for pool entries that relocations refer to, in the order of the entries.
    fn push_pool_entries(
        &mut self,
        needed: &Needed,
        local: impl Fn(&[u8], elf::SymbolType, SymbolSection) -> OutSymbol,
    ) {
        let mut order: Vec<usize> = (0..self.pool_entries.len())
            .filter(|entry| needed.pool_entries[*entry])
            .collect();
        order.sort_by_key(|entry| {
            let entry = self.pool_entries[*entry];
            (entry.section, self.offset(entry))
        });
        for (rank, number) in order.into_iter().enumerate() {
            let entry = self.pool_entries[number];
            let mut symbol = local(
                format!(".Lm{rank}").as_bytes(),
                elf::STT_NOTYPE,
                SymbolSection::Section(entry.section),
            );
            symbol.value = self.offset(entry);
            self.pool_entry_symbols[number] = self.push(symbol);
        }
    }

    fn push(&mut self, symbol: OutSymbol) -> u32 {
        self.symbols.push(symbol);
        self.symbols.len() as u32
    }

    fn offset(&self, entry: PoolEntry) -> u64 {
        self.offsets[entry.section as usize][entry.entry as usize].wrapping_add(entry.inside)
    }

    fn section_of(&self, location: SymbolLocation) -> (SymbolSection, u64) {
        match location {
            SymbolLocation::Undefined => (SymbolSection::Undefined, 0),
            SymbolLocation::Absolute(value) => (SymbolSection::Absolute, value),
            SymbolLocation::Common(align) => (SymbolSection::Common, align),
            SymbolLocation::Section(section, value) => (SymbolSection::Section(section), value),
            SymbolLocation::PoolEntry(entry) => {
                let entry = self.pool_entries[entry as usize];
                (SymbolSection::Section(entry.section), self.offset(entry))
            }
        }
    }

    /// The number of the symbol of a target.
    pub fn symbol(&self, target: Target) -> u32 {
        match target {
            Target::Nothing => 0,
            Target::Section(section) => self.section_symbols[section as usize],
            Target::Local(local) => self.local_symbols[local as usize],
            Target::Global(global) => self.global_symbols[global as usize],
            Target::PoolEntrySymbol(entry) => self.pool_entry_symbols[entry as usize],
            Target::PoolEntry(entry) => {
                self.section_symbols[self.pool_entries[entry as usize].section as usize]
            }
        }
    }

    /// The addend of a relocation in the output file.
    pub fn addend(&self, reloc: &Reloc) -> i64 {
        match reloc.target {
            Target::PoolEntry(entry) => reloc
                .addend
                .wrapping_add_unsigned(self.offset(self.pool_entries[entry as usize])),
            _ => reloc.addend,
        }
    }
}
