//! Joins units one by one.

use crate::{
    error::{Fault, JoinError, index},
    joined::Joined,
    scan::Scan,
    unit::Unit,
    write,
};

/// Joins relocatable objects in the order in which they come.
///
/// Each unit is copied into the object that is being made; its bytes may be dropped at once.
#[derive(Default)]
pub struct Joiner {
    joined: Joined,
    /// The names of the units.
    units: Vec<Box<str>>,
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
        let name = self.joined.names.add(name.as_bytes());
        self.joined
            .symbols
            .keep_private(name.map_err(|fault| fault.of(&self.units))?);
        Ok(())
    }

    /// The joined object.
    pub fn finish(self) -> Result<Vec<u8>, JoinError> {
        if self.is_broken {
            return Err(JoinError::Refused);
        }
        write::write(self.joined)
    }

    fn join(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let number = index(self.units.len() - 1, "units")?;
        let unit = Unit::read(bytes)?;
        let joined = &mut self.joined;
        joined.agree(unit.identity)?;
        joined.join_notes(&unit)?;
        let mut scan = Scan::new(&unit, &mut joined.names, &mut joined.comdats)?;
        let fates = joined.place(&unit, &mut scan)?;
        let bound = joined.bind(number, &unit, &scan, &fates)?;
        joined.sign_groups(&unit, &fates, &bound)?;
        joined.relocate(&unit, &fates, &bound)
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
