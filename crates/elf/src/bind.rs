//! Resolution of the symbols of an object file in the joined object.

use object::elf;

use crate::{
    error::{Fault, shown},
    object_file::{At, ObjectFile, Symbol},
    output_object::OutputObject,
    place::SectionPlacement,
    reloc::Target,
    scan::{self, Scan},
    sections::Body,
    symbols::{Local, PoolEntry, SymbolLocation},
};

/// The counterpart of an input symbol in the joined object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundSymbol {
    /// The symbol is not referenced.
    Nothing,
    /// The symbol of the section with this index: the target of a reference also depends on its addend.
    Section(usize),
    Target(Target),
    /// The symbol was in a discarded section.
    Discarded,
}

impl OutputObject {
    /// Adds the symbols of an object file. Returns the counterpart of each.
    pub(crate) fn bind(
        &mut self,
        number: u32,
        object: &ObjectFile,
        scan: &Scan,
        placements: &[SectionPlacement],
    ) -> Result<Vec<BoundSymbol>, Fault> {
        let mut bound = Vec::with_capacity(object.symbols.len());
        let mut file = 0;
        for (index, symbol) in object.symbols.iter().enumerate() {
            let is_referenced = scan.referenced[index];
            bound.push(if index == 0 {
                BoundSymbol::Nothing
            } else if !symbol.is_local() {
                self.bind_global(number, symbol, is_referenced, placements)?
            } else if symbol.is_section() {
                match symbol.at {
                    At::Section(section) => BoundSymbol::Section(section),
                    _ => BoundSymbol::Nothing,
                }
            } else if symbol.kind == elf::STT_FILE.0 {
                file = match symbol.name {
                    b"" => 0,
                    name => {
                        let name = self.names.add(name)?;
                        self.symbols.file(name)
                    }
                };
                BoundSymbol::Nothing
            } else {
                self.bind_local(file, object, symbol, is_referenced, placements)?
            });
        }
        Ok(bound)
    }

    fn bind_local(
        &mut self,
        file: usize,
        object: &ObjectFile,
        symbol: &Symbol,
        is_referenced: bool,
        placements: &[SectionPlacement],
    ) -> Result<BoundSymbol, Fault> {
        let is_needed = is_referenced || !symbol.is_temporary();
        let location = match symbol.at {
            _ if !is_needed => return Ok(BoundSymbol::Nothing),
            At::Undefined if is_referenced => {
                return Err(Fault::Malformed(format!(
                    "local symbol {} is not defined",
                    shown(symbol.name)
                )));
            }
            At::Undefined => return Ok(BoundSymbol::Nothing),
            At::Common => {
                return Err(Fault::Unsupported(format!(
                    "local common symbol {}",
                    shown(symbol.name)
                )));
            }
            At::Absolute => SymbolLocation::Absolute(symbol.value),
            At::Section(section) => {
                let is_code = object.sections[section].is(elf::SHF_EXECINSTR);
                if !is_referenced && !is_code && scan::is_mapping(self.machine(), symbol) {
                    return Ok(BoundSymbol::Nothing);
                }
                match self.location(&placements[section], symbol)? {
                    Some(SymbolLocation::PoolEntry(entry)) if symbol.is_temporary() => {
                        return Ok(BoundSymbol::Target(Target::PoolEntrySymbol(entry)));
                    }
                    Some(location) => location,
                    None => return Ok(BoundSymbol::Discarded),
                }
            }
        };
        let local = Local {
            name: self.names.add(symbol.name)?,
            kind: symbol.kind,
            other: symbol.other,
            location,
            size: symbol.size,
        };
        self.symbols
            .add_local(file, local)
            .map(|number| BoundSymbol::Target(Target::Local(number)))
    }

    fn bind_global(
        &mut self,
        number: u32,
        symbol: &Symbol,
        is_referenced: bool,
        placements: &[SectionPlacement],
    ) -> Result<BoundSymbol, Fault> {
        let bindings = [elf::STB_GLOBAL, elf::STB_WEAK, elf::STB_GNU_UNIQUE];
        if !bindings.iter().any(|binding| binding.0 == symbol.binding) {
            return Err(Fault::Unsupported(format!(
                "symbol {} with binding {}",
                shown(symbol.name),
                symbol.binding
            )));
        }
        if symbol.is_section() || symbol.kind == elf::STT_FILE.0 || symbol.name.is_empty() {
            return Err(Fault::Malformed(format!(
                "symbol {} is global",
                shown(symbol.name)
            )));
        }
        let machine = self.machine();
        let location = match symbol.at {
            At::Undefined => SymbolLocation::Undefined,
            At::Absolute => SymbolLocation::Absolute(symbol.value),
            At::Common => SymbolLocation::Common(symbol.value),
            At::Section(section) => match self.location(&placements[section], symbol)? {
                Some(location) => location,
                None if !is_referenced => return Ok(BoundSymbol::Nothing),
                // The group that was kept defines it.
                None => {
                    let reference = Symbol {
                        kind: elf::STT_NOTYPE.0,
                        binding: elf::STB_GLOBAL.0,
                        at: At::Undefined,
                        value: 0,
                        size: 0,
                        ..*symbol
                    };
                    return self
                        .symbols
                        .add_global(
                            &mut self.names,
                            machine,
                            number,
                            &reference,
                            SymbolLocation::Undefined,
                        )
                        .map(|global| BoundSymbol::Target(Target::Global(global)));
                }
            },
        };
        self.symbols
            .add_global(&mut self.names, machine, number, symbol, location)
            .map(|global| BoundSymbol::Target(Target::Global(global)))
    }

    /// The location of a symbol in a section with this placement; `None` if the section was discarded.
    fn location(
        &mut self,
        placement: &SectionPlacement,
        symbol: &Symbol,
    ) -> Result<Option<SymbolLocation>, Fault> {
        match placement {
            SectionPlacement::Gone | SectionPlacement::Discarded { .. } => Ok(None),
            SectionPlacement::Bytes { section, base } => Ok(Some(SymbolLocation::Section(
                *section,
                base.wrapping_add(symbol.value),
            ))),
            SectionPlacement::Pool { section, pooled } => {
                let (entry, inside) = pooled.find(symbol.value).ok_or_else(|| outside(symbol))?;
                let entry = self.symbols.add_pool_entry(PoolEntry {
                    section: *section,
                    entry,
                    inside,
                })?;
                Ok(Some(SymbolLocation::PoolEntry(entry)))
            }
            SectionPlacement::Frames { .. } => Err(outside(symbol)),
        }
    }

    /// Sets the signature symbols of the groups that were kept.
    pub(crate) fn sign_groups(
        &mut self,
        object: &ObjectFile,
        placements: &[SectionPlacement],
        bound: &[BoundSymbol],
    ) -> Result<(), Fault> {
        for group in &object.groups {
            let Some(section) = placements[group.section].section() else {
                continue;
            };
            let named = match bound[group.signature] {
                BoundSymbol::Target(target) => Some(target),
                BoundSymbol::Section(section) => placements[section].section().map(Target::Section),
                BoundSymbol::Nothing | BoundSymbol::Discarded => None,
            };
            let target = named.ok_or_else(|| {
                Fault::Malformed(format!(
                    "group {} is named by no symbol that stays",
                    shown(group.name)
                ))
            })?;
            if let Body::Group { signature, .. } = self.sections.body(section) {
                *signature = target;
            }
        }
        Ok(())
    }
}

fn outside(symbol: &Symbol) -> Fault {
    Fault::Malformed(format!(
        "symbol {} is outside of its section",
        shown(symbol.name)
    ))
}
