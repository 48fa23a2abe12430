//! `.note.gnu.property`: features that all code of an object file has or needs. The notes of all object files are
//! merged into one.

use std::collections::BTreeMap;

use object::elf;

use crate::error::Fault;

/// The merged properties of the object files so far.
#[derive(Default)]
pub(crate) struct Properties {
    found: BTreeMap<u32, Property>,
    objects: u32,
}

struct Property {
    value: Vec<u8>,
    /// The number of object files with the property.
    objects: u32,
}

/// The rule that merges the property of two object files.
enum Rule {
    /// Bits that both have.
    And,
    /// Bits that either has.
    Or,
    /// Bits that either has, if both have the property.
    OrOfAll,
    Largest,
    Equal,
}

const NAME: &[u8] = b"GNU\0";

fn rule(machine: elf::Machine, property: u32) -> Rule {
    match property {
        1 => Rule::Largest,
        2 => Rule::Or,
        elf::GNU_PROPERTY_UINT32_AND_LO..=elf::GNU_PROPERTY_UINT32_AND_HI => Rule::And,
        elf::GNU_PROPERTY_UINT32_OR_LO..=elf::GNU_PROPERTY_UINT32_OR_HI => Rule::Or,
        // Branch protection that both have.
        elf::GNU_PROPERTY_LOPROC if matches!(machine, elf::EM_AARCH64 | elf::EM_RISCV) => Rule::And,
        elf::GNU_PROPERTY_X86_UINT32_AND_LO..=elf::GNU_PROPERTY_X86_UINT32_AND_HI
            if machine == elf::EM_X86_64 =>
        {
            Rule::And
        }
        elf::GNU_PROPERTY_X86_UINT32_OR_LO..=elf::GNU_PROPERTY_X86_UINT32_OR_HI
            if machine == elf::EM_X86_64 =>
        {
            Rule::Or
        }
        elf::GNU_PROPERTY_X86_UINT32_OR_AND_LO..=elf::GNU_PROPERTY_X86_UINT32_OR_AND_HI
            if machine == elf::EM_X86_64 =>
        {
            Rule::OrOfAll
        }
        _ => Rule::Equal,
    }
}

impl Properties {
    /// Adds the note of an object file.
    pub fn add_object(&mut self, machine: elf::Machine, note: Option<&[u8]>) -> Result<(), Fault> {
        self.objects += 1;
        let Some(note) = note else { return Ok(()) };
        let mut own: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for (property, value) in read(note)? {
            match own.get_mut(&property) {
                None => drop(own.insert(property, value.to_vec())),
                Some(known) => merge(&rule(machine, property), known, value)?,
            }
        }
        for (property, value) in own {
            match self.found.get_mut(&property) {
                None => drop(self.found.insert(property, Property { value, objects: 1 })),
                Some(known) => {
                    merge(&rule(machine, property), &mut known.value, &value)?;
                    known.objects += 1;
                }
            }
        }
        Ok(())
    }

    /// The merged note; `None` if it is empty.
    pub fn note(&self, machine: elf::Machine) -> Option<Vec<u8>> {
        let mut properties = Vec::new();
        for (property, Property { value, objects }) in &self.found {
            let everywhere = *objects == self.objects;
            let holds = match rule(machine, *property) {
                Rule::And => everywhere && value.iter().any(|byte| *byte != 0),
                Rule::OrOfAll | Rule::Equal => everywhere,
                Rule::Or | Rule::Largest => true,
            };
            if holds {
                properties.extend_from_slice(&property.to_le_bytes());
                properties.extend_from_slice(&(value.len() as u32).to_le_bytes());
                properties.extend_from_slice(value);
                properties.resize(properties.len().next_multiple_of(8), 0);
            }
        }
        let size = u32::try_from(properties.len())
            .ok()
            .filter(|size| *size > 0)?;
        let mut note = Vec::new();
        for word in [NAME.len() as u32, size, elf::NT_GNU_PROPERTY_TYPE_0.0] {
            note.extend_from_slice(&word.to_le_bytes());
        }
        note.extend_from_slice(NAME);
        note.extend_from_slice(&properties);
        Some(note)
    }
}

fn merge(rule: &Rule, known: &mut Vec<u8>, other: &[u8]) -> Result<(), Fault> {
    if known.len() != other.len() {
        return Err(Fault::Differs(
            "its .note.gnu.property has values of another size".into(),
        ));
    }
    let bytes = known.iter_mut().zip(other);
    match rule {
        Rule::And => bytes.for_each(|(known, other)| *known &= other),
        Rule::Or | Rule::OrOfAll => bytes.for_each(|(known, other)| *known |= other),
        // Little-endian: the last byte is the most significant.
        Rule::Largest => {
            if known.iter().rev().lt(other.iter().rev()) {
                *known = other.to_vec();
            }
        }
        Rule::Equal if known != other => {
            return Err(Fault::Differs(
                "its .note.gnu.property has other values".into(),
            ));
        }
        Rule::Equal => {}
    }
    Ok(())
}

/// The properties in all notes of a section.
fn read(mut notes: &[u8]) -> Result<Vec<(u32, &[u8])>, Fault> {
    let malformed = || Fault::Malformed("its .note.gnu.property is cut off".into());
    let mut found = Vec::new();
    while !notes.is_empty() {
        let name_size = word(&mut notes).ok_or_else(malformed)?;
        let size = word(&mut notes).ok_or_else(malformed)?;
        let kind = word(&mut notes).ok_or_else(malformed)?;
        let name = take(&mut notes, name_size, 4).ok_or_else(malformed)?;
        let mut properties = take(&mut notes, size, 8).ok_or_else(malformed)?;
        if name != NAME || kind != elf::NT_GNU_PROPERTY_TYPE_0.0 {
            return Err(Fault::Unsupported(
                "another note in .note.gnu.property".into(),
            ));
        }
        while !properties.is_empty() {
            let property = word(&mut properties).ok_or_else(malformed)?;
            let size = word(&mut properties).ok_or_else(malformed)?;
            found.push((
                property,
                take(&mut properties, size, 8).ok_or_else(malformed)?,
            ));
        }
    }
    Ok(found)
}

fn word(from: &mut &[u8]) -> Option<u32> {
    let (word, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(u32::from_le_bytes(*word))
}

/// The first `size` bytes, which are padded unless they are the last ones.
fn take<'a>(from: &mut &'a [u8], size: u32, align: usize) -> Option<&'a [u8]> {
    let size = size as usize;
    let taken = from.get(..size)?;
    *from = from
        .get(size.checked_next_multiple_of(align)?..)
        .unwrap_or(&[]);
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: elf::Machine = elf::EM_X86_64;
    const AND: u32 = elf::GNU_PROPERTY_X86_UINT32_AND_LO;
    const OR: u32 = elf::GNU_PROPERTY_X86_UINT32_OR_LO;
    const OR_OF_ALL: u32 = elf::GNU_PROPERTY_X86_UINT32_OR_AND_LO;

    fn note(property: u32, value: u32) -> Vec<u8> {
        [
            4,
            16,
            5,
            u32::from_le_bytes(*b"GNU\0"),
            property,
            4,
            value,
            0,
        ]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect()
    }

    fn merged(notes: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
        let mut properties = Properties::default();
        for note in notes {
            properties.add_object(X86, note.as_deref()).expect("a note");
        }
        properties.note(X86)
    }

    #[test]
    fn each_property_has_its_rule() {
        for (property, expected) in [(AND, 2), (OR, 7), (OR_OF_ALL, 7), (1, 6)] {
            let notes = [Some(note(property, 3)), Some(note(property, 6))];
            assert_eq!(
                merged(&notes),
                Some(note(property, expected)),
                "{property:#x}"
            );
        }
    }

    #[test]
    fn properties_that_some_objects_lack_are_dropped_unless_one_is_enough() {
        for (property, expected) in [(AND, None), (OR, Some(note(OR, 3))), (OR_OF_ALL, None)] {
            assert_eq!(
                merged(&[Some(note(property, 3)), None]),
                expected,
                "{property:#x}"
            );
            assert_eq!(
                merged(&[None, Some(note(property, 3))]),
                expected,
                "{property:#x}"
            );
        }
        assert_eq!(merged(&[Some(note(AND, 1)), Some(note(AND, 2))]), None);
    }

    #[test]
    fn truncated_notes_are_refused() {
        let whole = note(AND, 3);
        for end in 1..whole.len() - 4 {
            assert!(
                Properties::default()
                    .add_object(X86, Some(&whole[..end]))
                    .is_err(),
                "{end}"
            );
        }
    }
}
