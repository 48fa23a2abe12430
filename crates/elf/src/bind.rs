//! What the symbols of a unit are in the joined object.

use object::elf;

use crate::{
    error::{Fault, shown},
    joined::Joined,
    place::Fate,
    reloc::Target,
    scan::{self, Scan},
    sections::Body,
    symbols::{Local, Place, Spot},
    unit::{At, Symbol, Unit},
};

/// What a symbol of a unit became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Nothing, and nothing refers to it.
    Nothing,
    /// The section with this index: references also depend on their addend.
    Section(usize),
    Target(Target),
    /// It was in what was dropped.
    Discarded,
}

impl Joined {
    /// Adds the symbols of a unit; what each of them became.
    pub(crate) fn bind(
        &mut self,
        number: u32,
        unit: &Unit,
        scan: &Scan,
        fates: &[Fate],
    ) -> Result<Vec<Bound>, Fault> {
        let mut bound = Vec::with_capacity(unit.symbols.len());
        let mut file = 0;
        for (index, symbol) in unit.symbols.iter().enumerate() {
            let is_referenced = scan.referenced[index];
            bound.push(if index == 0 {
                Bound::Nothing
            } else if !symbol.is_local() {
                self.bind_global(number, symbol, is_referenced, fates)?
            } else if symbol.is_section() {
                match symbol.at {
                    At::Section(section) => Bound::Section(section),
                    _ => Bound::Nothing,
                }
            } else if symbol.kind == elf::STT_FILE.0 {
                file = match symbol.name {
                    b"" => 0,
                    name => {
                        let name = self.names.add(name)?;
                        self.symbols.file(name)
                    }
                };
                Bound::Nothing
            } else {
                self.bind_local(file, unit, symbol, is_referenced, fates)?
            });
        }
        Ok(bound)
    }

    fn bind_local(
        &mut self,
        file: usize,
        unit: &Unit,
        symbol: &Symbol,
        is_referenced: bool,
        fates: &[Fate],
    ) -> Result<Bound, Fault> {
        let is_needed = is_referenced || !symbol.is_temporary();
        let spot = match symbol.at {
            _ if !is_needed => return Ok(Bound::Nothing),
            At::Undefined if is_referenced => {
                return Err(Fault::Malformed(format!(
                    "local symbol {} is not defined",
                    shown(symbol.name)
                )));
            }
            At::Undefined => return Ok(Bound::Nothing),
            At::Common => {
                return Err(Fault::Unsupported(format!(
                    "local common symbol {}",
                    shown(symbol.name)
                )));
            }
            At::Absolute => Spot::Absolute(symbol.value),
            At::Section(section) => {
                let is_code = unit.sections[section].is(elf::SHF_EXECINSTR);
                if !is_referenced && !is_code && scan::is_mapping(self.machine(), symbol) {
                    return Ok(Bound::Nothing);
                }
                match self.spot(&fates[section], symbol)? {
                    Some(Spot::Place(place)) if symbol.is_temporary() => {
                        return Ok(Bound::Target(Target::PlaceSymbol(place)));
                    }
                    Some(spot) => spot,
                    None => return Ok(Bound::Discarded),
                }
            }
        };
        let local = Local {
            name: self.names.add(symbol.name)?,
            kind: symbol.kind,
            other: symbol.other,
            spot,
            size: symbol.size,
        };
        self.symbols
            .add_local(file, local)
            .map(|number| Bound::Target(Target::Local(number)))
    }

    fn bind_global(
        &mut self,
        number: u32,
        symbol: &Symbol,
        is_referenced: bool,
        fates: &[Fate],
    ) -> Result<Bound, Fault> {
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
        let spot = match symbol.at {
            At::Undefined => Spot::Undefined,
            At::Absolute => Spot::Absolute(symbol.value),
            At::Common => Spot::Common(symbol.value),
            At::Section(section) => match self.spot(&fates[section], symbol)? {
                Some(spot) => spot,
                None if !is_referenced => return Ok(Bound::Nothing),
                // The group that is there defines it.
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
                            Spot::Undefined,
                        )
                        .map(|global| Bound::Target(Target::Global(global)));
                }
            },
        };
        self.symbols
            .add_global(&mut self.names, machine, number, symbol, spot)
            .map(|global| Bound::Target(Target::Global(global)))
    }

    /// Where a symbol is that is in a section with this fate; nothing where it was dropped.
    fn spot(&mut self, fate: &Fate, symbol: &Symbol) -> Result<Option<Spot>, Fault> {
        match fate {
            Fate::Gone | Fate::Discarded { .. } => Ok(None),
            Fate::Bytes { section, base } => Ok(Some(Spot::Section(
                *section,
                base.wrapping_add(symbol.value),
            ))),
            Fate::Pool { section, pooled } => {
                let (entry, inside) = pooled.find(symbol.value).ok_or_else(|| outside(symbol))?;
                let place = self.symbols.place(Place {
                    section: *section,
                    entry,
                    inside,
                })?;
                Ok(Some(Spot::Place(place)))
            }
            Fate::Frames { .. } => Err(outside(symbol)),
        }
    }

    /// Says which symbols name the groups of a unit that were kept.
    pub(crate) fn sign_groups(
        &mut self,
        unit: &Unit,
        fates: &[Fate],
        bound: &[Bound],
    ) -> Result<(), Fault> {
        for group in &unit.groups {
            let Some(section) = fates[group.section].section() else {
                continue;
            };
            let named = match bound[group.signature] {
                Bound::Target(target) => Some(target),
                Bound::Section(section) => fates[section].section().map(Target::Section),
                Bound::Nothing | Bound::Discarded => None,
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
