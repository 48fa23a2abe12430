//! Joins units one by one.

use object::elf;

use crate::{
    error::{Fault, JoinError, index},
    names::Names,
    properties::Properties,
    scan::{self, Comdats, Scan},
    sections::Sections,
    symbols::Symbols,
    unit::{Identity, Unit},
    write,
};

/// Joins relocatable objects in the order in which they come.
///
/// Each unit is copied into the object that is being made; its bytes may be dropped at once.
#[derive(Default)]
pub struct Joiner {
    pub(crate) identity: Option<Identity>,
    /// The names of the units.
    units: Vec<Box<str>>,
    pub(crate) names: Names,
    pub(crate) sections: Sections,
    pub(crate) symbols: Symbols,
    pub(crate) properties: Properties,
    /// A unit wants an executable stack, or does not say that it does not.
    pub(crate) executable_stack: bool,
    pub(crate) comdats: Comdats,
    /// The type that the section of frames has.
    pub(crate) frames_kind: Option<u32>,
    is_broken: bool,
}

impl Joiner {
    /// Nothing joined yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Joins one more object; `unit` is its name in errors.
    ///
    /// After an error the joiner is of no more use: it has a part of the unit.
    pub fn add(&mut self, unit: &str, bytes: &[u8]) -> Result<(), JoinError> {
        if self.is_broken {
            return Err(JoinError::Refused);
        }
        self.is_broken = true;
        self.units.push(unit.into());
        self.join(bytes).map_err(|fault| fault.of(&self.units))?;
        self.is_broken = false;
        Ok(())
    }

    /// Says that nobody but the units refers to `name`: in the object it is local, as it would be if they were one, and a
    /// group of that name is none.
    pub fn keep_private(&mut self, name: &str) -> Result<(), JoinError> {
        let name = self.names.add(name.as_bytes());
        self.symbols
            .keep_private(name.map_err(|fault| fault.of(&self.units))?);
        Ok(())
    }

    /// The joined object.
    pub fn finish(self) -> Result<Vec<u8>, JoinError> {
        if self.is_broken {
            return Err(JoinError::Refused);
        }
        write::write(self)
    }

    fn join(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let number = index(self.units.len() - 1, "units")?;
        let unit = Unit::read(bytes)?;
        self.agree(unit.identity)?;
        self.join_notes(&unit)?;
        let mut scan = Scan::new(&unit, &mut self.names, &mut self.comdats)?;
        let fates = self.place(&unit, &mut scan)?;
        let bound = self.bind(number, &unit, &scan, &fates)?;
        self.sign_groups(&unit, &fates, &bound)?;
        self.relocate(&unit, &fates, &bound)
    }

    /// The machine that all units are for.
    pub(crate) fn machine(&self) -> elf::Machine {
        elf::Machine(self.identity.map_or(0, |identity| identity.machine))
    }

    fn agree(&mut self, unit: Identity) -> Result<(), Fault> {
        let Some(known) = &mut self.identity else {
            self.identity = Some(unit);
            return Ok(());
        };
        let differs = |what: String| Err(Fault::Differs(what));
        if unit.machine != known.machine {
            return differs(format!("it is for machine {}", unit.machine));
        }
        if unit.flags != known.flags {
            return differs(format!("its flags are {:#x}", unit.flags));
        }
        // Extensions of GNU mark an object that is otherwise the same.
        let gnu = elf::ELFOSABI_GNU.0;
        match (known.os_abi, unit.os_abi) {
            (known, unit) if known == unit => {}
            (0, abi) | (abi, 0) if abi == gnu => known.os_abi = gnu,
            (_, abi) => return differs(format!("its ABI is {abi}")),
        }
        if unit.abi_version != known.abi_version {
            return differs(format!("the version of its ABI is {}", unit.abi_version));
        }
        Ok(())
    }

    fn join_notes(&mut self, unit: &Unit) -> Result<(), Fault> {
        let stack = unit
            .sections
            .iter()
            .find(|section| scan::is_stack_note(section));
        // Without a note, only old machines take it that the stack is executable.
        self.executable_stack |= match stack {
            Some(note) => note.is(elf::SHF_EXECINSTR),
            None => self.machine() == elf::EM_X86_64,
        };
        let properties = unit
            .sections
            .iter()
            .find(|section| scan::is_properties(section));
        self.properties
            .add_unit(self.machine(), properties.map(|section| section.data))
    }
}

/// Joins all of `units`: names and objects.
pub fn join<'a>(
    units: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<Vec<u8>, JoinError> {
    let mut joiner = Joiner::new();
    for (unit, bytes) in units {
        joiner.add(unit, bytes)?;
    }
    joiner.finish()
}
