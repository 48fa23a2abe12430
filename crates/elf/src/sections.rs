//! Sections of the joined object.

use indexmap::IndexMap;
use object::elf;
use rustc_hash::FxBuildHasher;

use crate::{
    error::{Fault, index},
    frames::{Frames, Record},
    names::Name,
    pool::Pool,
    reloc::{Reloc, Target},
};

/// The properties that input sections must share to be concatenated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub name: Name,
    pub kind: u32,
    pub flags: u64,
    pub entsize: u64,
    /// The number of the section of its group.
    pub group: Option<u32>,
    /// The section that it follows (`SHF_LINK_ORDER`).
    pub link: Option<u32>,
}

pub(crate) struct OutSection {
    pub key: Key,
    pub align: u64,
    pub body: Body,
    pub relocs: Vec<Reloc>,
}

pub(crate) enum Body {
    Bytes(Vec<u8>),
    /// Memory that takes no space in the file.
    Space(u64),
    Pool(Pool),
    Frames(Frames),
    /// Contents that all object files share.
    Once(Vec<u8>),
    Group {
        flags: u32,
        signature: Target,
    },
    /// Whether stacks are executable.
    StackNote,
    /// Features of all code in the object.
    Properties,
    /// The section is not written.
    Nothing,
}

/// The maximum padding between the contents of two object files. Stricter alignments are rejected.
const MAX_PADDING: u64 = 1 << 21;

#[derive(Default)]
pub(crate) struct Sections {
    pub all: Vec<OutSection>,
    by_key: IndexMap<Key, u32, FxBuildHasher>,
}

impl Sections {
    /// The section for a key, which is added if it is new.
    pub fn get(&mut self, key: Key, body: impl FnOnce() -> Body) -> Result<u32, Fault> {
        if let Some(number) = self.by_key.get(&key) {
            return Ok(*number);
        }
        let number = self.push(key, body())?;
        self.by_key.insert(key, number);
        Ok(number)
    }

    /// The kept section that corresponds to a section of this key and size: as far as can be checked, with the same
    /// bytes at the same offsets.
    pub fn like(&self, key: Key, size: u64) -> Option<u32> {
        let number = *self.by_key.get(&key)?;
        match &self.all[number as usize].body {
            Body::Bytes(bytes) => bytes.len() as u64 == size,
            Body::Space(space) => *space == size,
            _ => false,
        }
        .then_some(number)
    }

    /// Adds a section.
    pub fn push(&mut self, key: Key, body: Body) -> Result<u32, Fault> {
        let number = index(self.all.len(), "sections")?;
        self.all.push(OutSection {
            key,
            align: 1,
            body,
            relocs: Vec::new(),
        });
        Ok(number)
    }

    pub fn body(&mut self, number: u32) -> &mut Body {
        &mut self.all[number as usize].body
    }
}

impl OutSection {
    /// Appends the contents of an input section. Returns their offset.
    pub fn append(
        &mut self,
        data: &[u8],
        size: u64,
        align: u64,
        padding: u8,
    ) -> Result<u64, Fault> {
        let too_large = Fault::TooLarge("sections");
        self.align = self.align.max(align);
        match &mut self.body {
            Body::Bytes(bytes) => {
                let end = bytes.len() as u64;
                let start = end.checked_next_multiple_of(align).ok_or(too_large)?;
                if start - end > MAX_PADDING {
                    return Err(Fault::Unsupported(format!(
                        "an alignment of {align} after the code or data of other objects"
                    )));
                }
                bytes.resize(start as usize, padding);
                bytes.extend_from_slice(data);
                Ok(start)
            }
            Body::Space(space) => {
                let start = space.checked_next_multiple_of(align);
                let end = start.and_then(|start| start.checked_add(size));
                match (start, end) {
                    (Some(start), Some(end)) => {
                        *space = end;
                        Ok(start)
                    }
                    _ => Err(too_large),
                }
            }
            Body::Frames(frames) => Ok(frames.append(data)),
            _ => Ok(0),
        }
    }

    /// Appends a record of frames, like [`Frames::push`].
    pub fn push_record(
        &mut self,
        record: &Record,
        relocs: &[Reloc],
        common: Option<u64>,
    ) -> Result<u64, Fault> {
        match &mut self.body {
            Body::Frames(frames) => frames.push(record, relocs, common, &mut self.relocs),
            _ => Err(Fault::Malformed("its .eh_frame is none".into())),
        }
    }

    pub fn is_code(&self) -> bool {
        self.key.flags & elf::SHF_EXECINSTR.0 != 0
    }

    pub fn is_loaded(&self) -> bool {
        self.key.flags & elf::SHF_ALLOC.0 != 0
    }
}
