//! The public interface: joins object files one by one.

use crate::{
    error::{Fault, JoinError, index},
    object_file::ObjectFile,
    output_object::OutputObject,
    scan::Scan,
    write,
};

/// Joins relocatable object files in the order in which they are added.
///
/// Each object file is copied into the joined object, so its bytes may be dropped at once.
#[derive(Default)]
pub struct Joiner {
    output: OutputObject,
    /// The names of the object files.
    objects: Vec<Box<str>>,
    is_broken: bool,
}

impl Joiner {
    /// A joiner without object files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Joins one more object file; `name` is its name in errors.
    ///
    /// After an error the joiner is unusable: it has a part of the object file.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), JoinError> {
        if self.is_broken {
            return Err(JoinError::Refused);
        }
        self.is_broken = true;
        self.objects.push(name.into());
        self.join(bytes).map_err(|fault| fault.of(&self.objects))?;
        self.is_broken = false;
        Ok(())
    }

    /// Declares that only the object files refer to `name`. The symbol becomes local in the joined object, as if they
    /// were one object file, and a group of that name is dissolved.
    pub fn keep_private(&mut self, name: &str) -> Result<(), JoinError> {
        let name = self.output.names.add(name.as_bytes());
        self.output
            .symbols
            .keep_private(name.map_err(|fault| fault.of(&self.objects))?);
        Ok(())
    }

    /// The bytes of the joined object.
    pub fn finish(self) -> Result<Vec<u8>, JoinError> {
        if self.is_broken {
            return Err(JoinError::Refused);
        }
        write::write(self.output)
    }

    fn join(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let number = index(self.objects.len() - 1, "units")?;
        let object = ObjectFile::read(bytes)?;
        let output = &mut self.output;
        output.agree(object.identity)?;
        output.join_notes(&object)?;
        let mut scan = Scan::new(&object, &mut output.names, &mut output.comdats)?;
        let placements = output.place(&object, &mut scan)?;
        let bound = output.bind(number, &object, &scan, &placements)?;
        output.sign_groups(&object, &placements, &bound)?;
        output.relocate(&object, &placements, &bound)
    }
}

/// Joins all of `objects`: names and bytes.
pub fn join<'a>(
    objects: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<Vec<u8>, JoinError> {
    let mut joiner = Joiner::new();
    for (name, bytes) in objects {
        joiner.add(name, bytes)?;
    }
    joiner.finish()
}
