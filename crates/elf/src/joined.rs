//! The object that is being made, as far as it has come.

use object::elf;

use crate::{
    error::Fault,
    names::Names,
    properties::Properties,
    scan::{self, Comdats},
    sections::Sections,
    symbols::Symbols,
    unit::{Identity, Unit},
};

#[derive(Default)]
pub(crate) struct Joined {
    /// That of the units; none before the first.
    pub identity: Option<Identity>,
    pub names: Names,
    pub sections: Sections,
    pub symbols: Symbols,
    pub properties: Properties,
    /// A unit wants an executable stack, or does not say that it does not.
    pub executable_stack: bool,
    pub comdats: Comdats,
    /// The type that the section of frames has.
    pub frames_kind: Option<u32>,
}

impl Joined {
    /// The machine that all units are for.
    pub fn machine(&self) -> elf::Machine {
        elf::Machine(self.identity.map_or(0, |identity| identity.machine))
    }

    /// Takes a unit in that is for the same as those before.
    pub fn agree(&mut self, unit: Identity) -> Result<(), Fault> {
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

    /// Takes in what the notes of a unit say.
    pub fn join_notes(&mut self, unit: &Unit) -> Result<(), Fault> {
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
