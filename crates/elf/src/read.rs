//! Parser of one relocatable object file. The result borrows the bytes.

use object::{
    LittleEndian as Le,
    elf::{self, FileHeader64},
    read::elf::{FileHeader as _, SectionHeader as _, Sym as _},
};

use crate::{
    error::{Fault, shown},
    object_file::{At, Group, Identity, ObjectFile, Section, Symbol},
    scan,
};

impl<'a> ObjectFile<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        let header = read_header(bytes)?;
        let identity = Identity {
            machine: header.e_machine(Le).0,
            flags: header.e_flags(Le).0,
            os_abi: header.e_ident().os_abi.0,
            abi_version: header.e_ident().abi_version,
        };
        let table = header.sections(Le, bytes)?;
        let mut sections = Vec::with_capacity(table.len());
        for header in table.iter() {
            let align = header.sh_addralign(Le).max(1);
            let name = table.section_name(Le, header)?;
            if !align.is_power_of_two() {
                return Err(Fault::Malformed(format!(
                    "the alignment {align} of section {} is no power of two",
                    shown(name)
                )));
            }
            if header.sh_flags(Le).0 & elf::SHF_COMPRESSED.0 != 0 {
                return Err(Fault::Unsupported(format!(
                    "section {}, which is compressed,",
                    shown(name)
                )));
            }
            let kind = header.sh_type(Le);
            sections.push(Section {
                name,
                kind: kind.0,
                flags: header.sh_flags(Le).0,
                size: header.sh_size(Le),
                align,
                entsize: header.sh_entsize(Le),
                link: header.sh_link(Le) as usize,
                // The null section's size is the number of sections.
                data: match kind {
                    elf::SHT_NULL => &[],
                    _ => header.data(Le, bytes)?,
                },
                relocs: &[],
            });
        }
        let symbols = read_symbols(&table, bytes)?;
        check_sizes(&sections, &symbols, bytes.len())?;
        let mut groups = Vec::new();
        for (index, header) in table.enumerate() {
            match header.sh_type(Le) {
                elf::SHT_RELA => attach(&table, header, bytes, &mut sections, symbols.len())?,
                elf::SHT_GROUP => groups.push(read_group(
                    index.0,
                    header.sh_info(Le) as usize,
                    &sections,
                    &symbols,
                )?),
                elf::SHT_REL => {
                    // Hints for the linker may have them; these are dropped.
                    let target = sections.get(header.sh_info(Le) as usize);
                    if !target.is_some_and(scan::is_unwanted) {
                        return Err(Fault::Unsupported(
                            "a relocation section without addends".into(),
                        ));
                    }
                }
                _ => {}
            }
        }
        Ok(Self {
            identity,
            sections,
            symbols,
            groups,
        })
    }
}

fn read_header(bytes: &[u8]) -> Result<&FileHeader64<Le>, Fault> {
    let malformed = |problem: &str| Fault::Malformed(problem.into());
    let unsupported = |problem: &str| Err(Fault::Unsupported(problem.into()));
    let ident = bytes
        .get(..16)
        .ok_or_else(|| malformed("it is shorter than a header"))?;
    if ident[..4] != elf::ELFMAG {
        return Err(malformed("it is no ELF file"));
    }
    if ident[4] != elf::ELFCLASS64.0 {
        return unsupported("an object that is not 64 bits wide");
    }
    if ident[5] != elf::ELFDATA2LSB.0 {
        return unsupported("an object that is not little-endian");
    }
    let header = FileHeader64::<Le>::parse(bytes)?;
    if header.e_type(Le) != elf::ET_REL {
        return unsupported("a file that is not a relocatable object");
    }
    // Its relocations have a different format.
    if header.e_machine(Le) == elf::EM_MIPS {
        return unsupported("an object for MIPS");
    }
    Ok(header)
}

type Table<'a> = object::read::elf::SectionTable<'a, FileHeader64<Le>>;

fn read_symbols<'a>(table: &Table<'a>, bytes: &'a [u8]) -> Result<Vec<Symbol<'a>>, Fault> {
    let read = table.symbols(Le, bytes, elf::SHT_SYMTAB)?;
    if table
        .iter()
        .filter(|section| section.sh_type(Le) == elf::SHT_SYMTAB)
        .count()
        > 1
    {
        return Err(Fault::Malformed("it has two symbol tables".into()));
    }
    let first_global = match read.section().0 {
        0 => 0,
        section => table
            .section(read.section())
            .map_or(section, |header| header.sh_info(Le) as usize),
    };
    let mut symbols = Vec::with_capacity(read.len());
    for (index, symbol) in read.enumerate() {
        let name = read.symbol_name(Le, symbol)?;
        let at = match symbol.st_shndx(Le) {
            elf::SHN_UNDEF => At::Undefined,
            elf::SHN_ABS => At::Absolute,
            elf::SHN_COMMON => At::Common,
            _ => match read.symbol_section(Le, symbol, index)? {
                Some(section) if section.0 < table.len() => At::Section(section.0),
                Some(_) => {
                    return Err(Fault::Malformed(format!(
                        "symbol {} is in no section",
                        shown(name)
                    )));
                }
                None => {
                    return Err(Fault::Unsupported(format!(
                        "symbol {} in a section that is special to a machine",
                        shown(name)
                    )));
                }
            },
        };
        let binding = symbol.st_bind();
        if index.0 > 0 && (binding == elf::STB_LOCAL) != (index.0 < first_global) {
            return Err(Fault::Malformed(format!(
                "symbol {} is on the wrong side of the first global one",
                shown(name)
            )));
        }
        symbols.push(Symbol {
            name,
            kind: symbol.st_type().0,
            binding: binding.0,
            other: symbol.st_other().0,
            at,
            value: symbol.st_value(Le),
            size: symbol.st_size(Le),
        });
    }
    if symbols.is_empty() {
        symbols.push(Symbol {
            name: &[],
            kind: 0,
            binding: 0,
            other: 0,
            at: At::Undefined,
            value: 0,
            size: 0,
        });
    }
    Ok(symbols)
}

/// The limit of the total length of names, as a multiple of the file size: names may share bytes.
const MAX_NAMES: usize = 64;

/// Rejects a file whose declared contents exceed its size: overlapping sections, and names that share bytes
/// excessively.
fn check_sizes(sections: &[Section], symbols: &[Symbol], size: usize) -> Result<(), Fault> {
    let contents = sections
        .iter()
        .map(|section| section.data.len())
        .fold(0, usize::saturating_add);
    if contents > size {
        return Err(Fault::Malformed("its sections overlap".into()));
    }
    let names = sections.iter().map(|section| section.name.len());
    let names = names.chain(symbols.iter().map(|symbol| symbol.name.len()));
    if names.fold(0, usize::saturating_add) > size.saturating_mul(MAX_NAMES) {
        return Err(Fault::Malformed("its names overlap".into()));
    }
    Ok(())
}

/// Attaches each relocation section to the section that it relocates.
fn attach<'a>(
    table: &Table<'a>,
    header: &'a elf::SectionHeader64<Le>,
    bytes: &'a [u8],
    sections: &mut [Section<'a>],
    symbols: usize,
) -> Result<(), Fault> {
    let Some((relocs, link)) = header.rela(Le, bytes)? else {
        return Ok(());
    };
    if relocs.is_empty() {
        return Ok(());
    }
    let name = shown(table.section_name(Le, header)?);
    let malformed = |problem: &str| Err(Fault::Malformed(format!("{name}: {problem}")));
    if sections
        .get(link.0)
        .is_none_or(|section| section.kind != elf::SHT_SYMTAB.0)
    {
        return malformed("its symbols are in no symbol table");
    }
    let Some(target) = sections.get_mut(header.sh_info(Le) as usize) else {
        return malformed("it is for no section");
    };
    if target.is_table() || target.kind == elf::SHT_NOBITS.0 {
        return malformed("it is for a section that has no relocations");
    }
    if target.has_relocs() {
        return Err(Fault::Unsupported(format!(
            "a second relocation section for {}",
            shown(target.name)
        )));
    }
    target.relocs = relocs;
    let size = target.size;
    for reloc in target.relocs() {
        if reloc.offset > size {
            return malformed("a relocation is after the end of its section");
        }
        if reloc.symbol >= symbols {
            return malformed("a relocation is for a symbol that is not there");
        }
    }
    Ok(())
}

fn read_group<'a>(
    index: usize,
    signature: usize,
    sections: &[Section<'a>],
    symbols: &[Symbol<'a>],
) -> Result<Group<'a>, Fault> {
    let malformed = |problem: &str| Fault::Malformed(format!("section group {index}: {problem}"));
    let section = &sections[index];
    let mut words = section
        .data
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let flags = words.next().ok_or_else(|| malformed("it is empty"))?;
    if flags & !elf::GRP_COMDAT.0 != 0 {
        return Err(Fault::Unsupported(format!(
            "a section group with flags {flags:#x}"
        )));
    }
    let symbol = symbols
        .get(signature)
        .filter(|_| signature > 0)
        .ok_or_else(|| malformed("no symbol names it"))?;
    let name = match symbol.at {
        At::Section(section) if symbol.is_section() => sections[section].name,
        _ => symbol.name,
    };
    let members: Vec<usize> = words.map(|word| word as usize).collect();
    let is_member = |member: &usize| {
        sections
            .get(*member)
            .is_some_and(|section| !section.is_table() || section.kind == elf::SHT_RELA.0)
    };
    if !members.iter().all(is_member) {
        return Err(malformed("a member is no section that can be in a group"));
    }
    Ok(Group {
        section: index,
        comdat: flags & elf::GRP_COMDAT.0 != 0,
        signature,
        name,
        members,
    })
}
