//! Placement of input sections in the joined object.

use object::elf;

use crate::{
    error::{Fault, shown},
    object_file::{ObjectFile, Section},
    output_object::OutputObject,
    pool::{EntryStarts, Pool, PooledSection},
    reloc::Target,
    scan::{self, Scan},
    sections::{Body, Key},
};

/// The place of an input section in the joined object.
pub(crate) enum SectionPlacement {
    /// The section is not needed.
    Gone,
    /// Discarded with a group that was kept already. `kept` is the corresponding section of that group.
    Discarded {
        kept: Option<u32>,
    },
    /// At offset `base` of a section.
    Bytes {
        section: u32,
        base: u64,
    },
    Pool {
        section: u32,
        pooled: PooledSection,
    },
    /// In the frames, record by record.
    Frames {
        section: u32,
    },
}

impl SectionPlacement {
    /// The section of the joined object.
    pub fn section(&self) -> Option<u32> {
        match self {
            Self::Gone | Self::Discarded { .. } => None,
            Self::Bytes { section, .. } | Self::Pool { section, .. } | Self::Frames { section } => {
                Some(*section)
            }
        }
    }
}

impl OutputObject {
    /// Places all sections of an object file.
    pub(crate) fn place(
        &mut self,
        object: &ObjectFile,
        scan: &mut Scan,
    ) -> Result<Vec<SectionPlacement>, Fault> {
        let mut placements: Vec<SectionPlacement> = object
            .sections
            .iter()
            .map(|_| SectionPlacement::Gone)
            .collect();
        for group in object
            .groups
            .iter()
            .filter(|group| !scan.discarded[group.section])
        {
            let key = Key {
                name: self.names.add(object.sections[group.section].name)?,
                kind: elf::SHT_GROUP.0,
                flags: 0,
                entsize: 4,
                group: None,
                link: None,
            };
            let flags = if group.comdat { elf::GRP_COMDAT.0 } else { 0 };
            let section = self.sections.push(
                key,
                Body::Group {
                    flags,
                    signature: Target::Nothing,
                },
            )?;
            self.sections.all[section as usize].align = 4;
            placements[group.section] = SectionPlacement::Bytes { section, base: 0 };
            if group.comdat {
                self.comdats
                    .insert(self.names.add(group.name)?, Some(section));
            }
        }
        for index in std::mem::take(&mut scan.order) {
            let section = &object.sections[index];
            if scan.discarded[index] {
                let kept = self.kept(object, scan, index)?;
                placements[index] = SectionPlacement::Discarded { kept };
            } else if scan::is_unwanted(section) {
                self.place_note(section)?;
            } else {
                check(section)?;
                let key = self.key(object, scan, &placements, index)?;
                let entries = scan.entry_starts[index].take();
                placements[index] =
                    self.place_section(section, key, entries, scan.fixed_frames[index])?;
            }
        }
        Ok(placements)
    }

    /// The kept section that corresponds to one in a discarded group.
    fn kept(
        &mut self,
        object: &ObjectFile,
        scan: &Scan,
        index: usize,
    ) -> Result<Option<u32>, Fault> {
        let section = &object.sections[index];
        let Some(group) = scan.group[index] else {
            return Ok(None);
        };
        let name = self.names.add(object.groups[group].name)?;
        let Some(group) = self.comdats.get(&name).copied().flatten() else {
            return Ok(None);
        };
        let key = Key {
            name: self.names.add(section.name)?,
            kind: section.kind,
            flags: section.flags & !elf::SHF_GROUP.0,
            entsize: section.entsize,
            group: Some(group),
            link: None,
        };
        Ok(self.sections.like(key, section.size))
    }

    /// Reserves the place of a note that is written when all object files are joined.
    fn place_note(&mut self, section: &Section) -> Result<(), Fault> {
        let body = if scan::is_stack_note(section) {
            Body::StackNote
        } else if scan::is_properties(section) {
            Body::Properties
        } else {
            return Ok(());
        };
        let key = Key {
            name: self.names.add(section.name)?,
            kind: section.kind,
            flags: section.flags & elf::SHF_ALLOC.0,
            entsize: 0,
            group: None,
            link: None,
        };
        let number = self.sections.get(key, || body)?;
        let placed = &mut self.sections.all[number as usize];
        placed.align = placed.align.max(section.align.min(8));
        Ok(())
    }

    fn key(
        &mut self,
        object: &ObjectFile,
        scan: &Scan,
        placements: &[SectionPlacement],
        index: usize,
    ) -> Result<Key, Fault> {
        let section = &object.sections[index];
        let mut flags = section.flags & !elf::SHF_GROUP.0;
        let mut entsize = section.entsize;
        if section.is(elf::SHF_MERGE) && scan.entry_starts[index].is_none() {
            flags &= !(elf::SHF_MERGE | elf::SHF_STRINGS).0;
            entsize = 0;
        }
        let is_linked = section.is(elf::SHF_LINK_ORDER) && section.link != 0;
        let link = if is_linked {
            Some(placements[section.link].section().ok_or_else(|| {
                Fault::Unsupported(format!(
                    "section {}, which follows none that stays",
                    shown(section.name)
                ))
            })?)
        } else {
            None
        };
        let group =
            scan.group[index].and_then(|group| placements[object.groups[group].section].section());
        let mut kind = section.kind;
        if scan::is_frames(section) {
            // Both numbers are in use for the same type.
            kind = *self.frames_kind.get_or_insert(kind);
        }
        Ok(Key {
            name: self.names.add(section.name)?,
            kind,
            flags,
            entsize,
            group,
            link,
        })
    }

    fn place_section(
        &mut self,
        section: &Section,
        key: Key,
        entries: Option<EntryStarts>,
        is_fixed: bool,
    ) -> Result<SectionPlacement, Fault> {
        let is_frames = scan::is_frames(section) && section.kind != elf::SHT_NOBITS.0;
        let number = self.sections.get(key, || match section.kind {
            _ if entries.is_some() => Body::Pool(Pool::default()),
            _ if is_frames => Body::Frames(Default::default()),
            _ if is_attributes(section) => Body::Once(section.data.to_vec()),
            kind if kind == elf::SHT_NOBITS.0 => Body::Space(0),
            _ => Body::Bytes(Vec::new()),
        })?;
        let is_x86 = self.machine() == elf::EM_X86_64;
        let placed = &mut self.sections.all[number as usize];
        if is_frames && !is_fixed {
            placed.align = placed.align.max(section.align);
            return Ok(SectionPlacement::Frames { section: number });
        }
        let align = if is_frames { 1 } else { section.align };
        let nop = if is_x86 && placed.is_code() { 0x90 } else { 0 };
        match (&mut placed.body, entries) {
            (Body::Pool(pool), Some(entries)) => {
                placed.align = placed.align.max(section.align);
                let pooled = pool.add(section, entries)?;
                return Ok(SectionPlacement::Pool {
                    section: number,
                    pooled,
                });
            }
            (Body::Once(known), _) => {
                placed.align = placed.align.max(section.align);
                if known != section.data || section.has_relocs() {
                    return Err(Fault::Differs(format!(
                        "its {} is another one",
                        shown(section.name)
                    )));
                }
                return Ok(SectionPlacement::Gone);
            }
            _ => {}
        }
        let base = placed.append(section.data, section.size, align, nop)?;
        placed.align = placed.align.max(section.align);
        Ok(SectionPlacement::Bytes {
            section: number,
            base,
        })
    }
}

/// Whether a section has the build attributes of code; they are the same in all object files.
fn is_attributes(section: &Section) -> bool {
    // Each machine has this number for its attributes.
    let of_machine = [&b".riscv.attributes"[..], b".ARM.attributes"].contains(&section.name);
    section.kind == elf::SHT_GNU_ATTRIBUTES.0 || of_machine
}

/// Rejects sections whose contents cannot be concatenated.
fn check(section: &Section) -> Result<(), Fault> {
    let unsupported = |why: &str| {
        Err(Fault::Unsupported(format!(
            "section {}, which {why},",
            shown(section.name)
        )))
    };
    if section.is(elf::SHF_OS_NONCONFORMING) || section.is(elf::SHF_INFO_LINK) {
        return unsupported("has a meaning of its own");
    }
    // Tables with a header, which must be unique.
    if [&b".sframe"[..], b".ctf", b".BTF", b".BTF.ext"].contains(&section.name) {
        return unsupported("is a table with a header");
    }
    let plain = [
        elf::SHT_PROGBITS.0,
        elf::SHT_NOBITS.0,
        elf::SHT_NOTE.0,
        elf::SHT_INIT_ARRAY.0,
        elf::SHT_FINI_ARRAY.0,
        elf::SHT_PREINIT_ARRAY.0,
    ];
    let is_unwind = scan::is_frames(section) && section.kind == 0x7000_0001;
    let is_known = plain.contains(&section.kind) || is_unwind || is_attributes(section);
    let is_llvm = (0x6fff_4c00..=0x6fff_4cff).contains(&section.kind);
    let is_user = (elf::SHT_LOUSER..=elf::SHT_HIUSER).contains(&section.kind);
    let is_linked = section.link != 0 && !section.is(elf::SHF_LINK_ORDER);
    if !is_known && (is_linked || !is_llvm && !is_user) {
        return unsupported(&format!("is of type {:#x}", section.kind));
    }
    Ok(())
}
