//! The joined object while it is under construction.

use object::elf;

use crate::{
    error::Fault,
    names::Names,
    object_file::{Identity, ObjectFile},
    properties::Properties,
    scan::{self, Comdats},
    sections::Sections,
    symbols::Symbols,
};

#[derive(Default)]
pub(crate) struct OutputObject {
    /// The identity of the object files; `None` before the first.
    pub identity: Option<Identity>,
    pub names: Names,
    pub sections: Sections,
    pub symbols: Symbols,
    pub properties: Properties,
    /// Whether an object file needs an executable stack, or has no note about it.
    pub executable_stack: bool,
    pub comdats: Comdats,
    /// The type of the section of frames.
    pub frames_kind: Option<u32>,
}

impl OutputObject {
    /// The machine of all object files.
    pub fn machine(&self) -> elf::Machine {
        elf::Machine(self.identity.map_or(0, |identity| identity.machine))
    }

    /// Checks that an object file has the same identity as those before.
    pub fn agree(&mut self, object: Identity) -> Result<(), Fault> {
        let Some(known) = &mut self.identity else {
            self.identity = Some(object);
            return Ok(());
        };
        let differs = |problem: String| Err(Fault::Differs(problem));
        if object.machine != known.machine {
            return differs(format!("it is for machine {}", object.machine));
        }
        if object.flags != known.flags {
            return differs(format!("its flags are {:#x}", object.flags));
        }
        // GNU extensions mark an object file that is otherwise the same.
        let gnu = elf::ELFOSABI_GNU.0;
        match (known.os_abi, object.os_abi) {
            (known, object) if known == object => {}
            (0, abi) | (abi, 0) if abi == gnu => known.os_abi = gnu,
            (_, abi) => return differs(format!("its ABI is {abi}")),
        }
        if object.abi_version != known.abi_version {
            return differs(format!("the version of its ABI is {}", object.abi_version));
        }
        Ok(())
    }

    /// Merges the notes of an object file.
    pub fn join_notes(&mut self, object: &ObjectFile) -> Result<(), Fault> {
        let stack = object
            .sections
            .iter()
            .find(|section| scan::is_stack_note(section));
        // Without a note, only old machines assume that the stack is executable.
        self.executable_stack |= match stack {
            Some(note) => note.is(elf::SHF_EXECINSTR),
            None => self.machine() == elf::EM_X86_64,
        };
        let properties = object
            .sections
            .iter()
            .find(|section| scan::is_properties(section));
        self.properties
            .add_object(self.machine(), properties.map(|section| section.data))
    }
}
