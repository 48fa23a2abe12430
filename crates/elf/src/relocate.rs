//! Translation of relocations into the joined object.

use object::elf;

use crate::{
    bind::BoundSymbol,
    error::{Fault, shown},
    frames::{self, FUNCTION},
    object_file::{At, InputReloc, ObjectFile, Section},
    output_object::OutputObject,
    place::SectionPlacement,
    reloc::{Reloc, Target},
    sections::Body,
    symbols::PoolEntry,
};

/// The current object file, with the placement of its parts.
struct Context<'a> {
    object: &'a ObjectFile<'a>,
    placements: &'a [SectionPlacement],
    bound: &'a [BoundSymbol],
}

impl OutputObject {
    /// Adds the relocations of an object file.
    pub(crate) fn relocate(
        &mut self,
        object: &ObjectFile,
        placements: &[SectionPlacement],
        bound: &[BoundSymbol],
    ) -> Result<(), Fault> {
        let context = Context {
            object,
            placements,
            bound,
        };
        for (section, placement) in object.sections.iter().zip(placements) {
            match placement {
                SectionPlacement::Bytes {
                    section: number,
                    base,
                } => {
                    self.relocate_bytes(&context, section, *number, *base)?;
                }
                SectionPlacement::Frames { section: number } => {
                    self.join_frames(&context, section, *number)?
                }
                SectionPlacement::Gone
                | SectionPlacement::Discarded { .. }
                | SectionPlacement::Pool { .. } => {}
            }
        }
        Ok(())
    }

    fn relocate_bytes(
        &mut self,
        context: &Context,
        section: &Section,
        number: u32,
        base: u64,
    ) -> Result<(), Fault> {
        for reloc in section.relocs() {
            match self.translate(context, reloc)? {
                Some(translated) => {
                    let offset = base + reloc.offset;
                    self.sections.all[number as usize].relocs.push(Reloc {
                        offset,
                        ..translated
                    });
                }
                None => match self.kept_counterpart(context, section, reloc) {
                    Some(found) => {
                        let offset = base + reloc.offset;
                        self.sections.all[number as usize]
                            .relocs
                            .push(Reloc { offset, ..found });
                    }
                    None => self.write_tombstone(section, number, base, reloc)?,
                },
            }
        }
        Ok(())
    }

    /// The relocation with its offset unchanged; `None` if its target was discarded.
    fn translate(&mut self, context: &Context, reloc: InputReloc) -> Result<Option<Reloc>, Fault> {
        let (target, addend) = match context.bound[reloc.symbol] {
            _ if reloc.symbol == 0 => (Target::Nothing, reloc.addend),
            BoundSymbol::Discarded => return Ok(None),
            BoundSymbol::Nothing => {
                return Err(Fault::Malformed(
                    "a relocation is for a symbol that is nowhere".into(),
                ));
            }
            BoundSymbol::Target(Target::PoolEntrySymbol(entry)) => {
                self.shorten(entry, reloc.addend)?
            }
            BoundSymbol::Target(target) => (target, reloc.addend),
            BoundSymbol::Section(section) => {
                let value = context.object.symbols[reloc.symbol].value;
                match &context.placements[section] {
                    SectionPlacement::Discarded { .. } => return Ok(None),
                    SectionPlacement::Bytes { section, base } => {
                        let start = base.wrapping_add(value);
                        (
                            Target::Section(*section),
                            reloc.addend.wrapping_add_unsigned(start),
                        )
                    }
                    SectionPlacement::Pool { section, pooled } => {
                        let offset = value.wrapping_add_signed(reloc.addend);
                        let (entry, inside) = pooled.find(offset).ok_or_else(nowhere)?;
                        let entry = PoolEntry {
                            section: *section,
                            entry,
                            inside: 0,
                        };
                        (
                            Target::PoolEntry(self.symbols.add_pool_entry(entry)?),
                            inside as i64,
                        )
                    }
                    SectionPlacement::Gone if context.object.sections[section].is_table() => {
                        return Err(nowhere());
                    }
                    SectionPlacement::Gone => return Ok(None),
                    SectionPlacement::Frames { .. } => return Err(nowhere()),
                }
            }
        };
        Ok(Some(Reloc {
            offset: reloc.offset,
            kind: reloc.kind,
            target,
            addend,
        }))
    }

    /// The target of a reference into a pool. Data that no program reads needs no symbol for the entry: the section's
    /// symbol and an addend lead into it.
    fn shorten(&mut self, number: u32, addend: i64) -> Result<(Target, i64), Fault> {
        let symbol = (Target::PoolEntrySymbol(number), addend);
        let Some(entry) = self
            .symbols
            .pool_entries
            .get_index(number as usize)
            .copied()
        else {
            return Ok(symbol);
        };
        let section = &self.sections.all[entry.section as usize];
        let inside = entry.inside.checked_add_signed(addend);
        match (&section.body, inside) {
            (Body::Pool(pool), Some(inside))
                if !section.is_loaded() && inside < pool.len_of(entry.entry) =>
            {
                let start = self
                    .symbols
                    .add_pool_entry(PoolEntry { inside: 0, ..entry })?;
                Ok((Target::PoolEntry(start), inside as i64))
            }
            _ => Ok(symbol),
        }
    }

    /// A relocation to the kept section in place of a discarded one, for debug information: the same offset, if both
    /// sections correspond. Not possible if linkers delete instructions, as offsets then change.
    fn kept_counterpart(
        &self,
        context: &Context,
        section: &Section,
        reloc: InputReloc,
    ) -> Option<Reloc> {
        let is_fixed = matches!(self.machine(), elf::EM_X86_64 | elf::EM_AARCH64);
        let symbol = &context.object.symbols[reloc.symbol];
        match symbol.at {
            At::Section(dropped) if is_fixed && section.name.starts_with(b".debug_") => {
                let SectionPlacement::Discarded { kept: Some(kept) } = context.placements[dropped]
                else {
                    return None;
                };
                Some(Reloc {
                    offset: reloc.offset,
                    kind: reloc.kind,
                    target: Target::Section(kept),
                    addend: reloc.addend.wrapping_add_unsigned(symbol.value),
                })
            }
            _ => None,
        }
    }

    /// Writes a tombstone value at the place of a relocation whose target was discarded.
    fn write_tombstone(
        &mut self,
        section: &Section,
        number: u32,
        base: u64,
        reloc: InputReloc,
    ) -> Result<(), Fault> {
        const NONE: u32 = 0;
        let may = reloc.kind == NONE
            || !section.is(elf::SHF_ALLOC)
            || section.name.starts_with(b".gcc_except_table");
        if !may {
            return Err(Fault::Unsupported(format!(
                "a reference from {} into a section group that another unit has,",
                shown(section.name)
            )));
        }
        let width = width(self.machine(), reloc.kind);
        // A pair of zeros would terminate these lists.
        let ends_at_zeros = [&b".debug_ranges"[..], b".debug_loc"].contains(&section.name);
        let value = u64::from(ends_at_zeros).to_le_bytes();
        if let Body::Bytes(bytes) = self.sections.body(number) {
            let start = (base + reloc.offset) as usize;
            if let Some(field) = start
                .checked_add(width)
                .and_then(|end| bytes.get_mut(start..end))
            {
                field.copy_from_slice(&value[..width]);
            }
        }
        Ok(())
    }

    fn join_frames(
        &mut self,
        context: &Context,
        section: &Section,
        number: u32,
    ) -> Result<(), Fault> {
        let (records, ended) = frames::records(section.data)?;
        let mut relocs: Vec<InputReloc> = section.relocs().collect();
        relocs.sort_by_key(|reloc| reloc.offset);
        let mut rest = &relocs[..];
        // Each common part with its relocations, by its start; and its offset in the joined object.
        let mut commons = Vec::new();
        for record in &records {
            let own = frames::take_until(&mut rest, record.start + record.bytes.len() as u64);
            if own
                .iter()
                .any(|reloc| reloc.offset < record.start + FUNCTION)
            {
                return Err(Fault::Unsupported(
                    "an .eh_frame whose records are relocated".into(),
                ));
            }
            let mut translated = Vec::with_capacity(own.len());
            let mut is_dropped = false;
            for reloc in own {
                let offset = reloc.offset - record.start;
                is_dropped |= offset == FUNCTION && self.is_discarded(context, reloc.symbol);
                if let Some(reloc) = self.translate(context, *reloc)? {
                    translated.push(Reloc { offset, ..reloc });
                }
            }
            let placed = &mut self.sections.all[number as usize];
            let Some(start) = record.common else {
                commons.push((*record, translated, None));
                continue;
            };
            if is_dropped {
                continue;
            }
            let found = commons
                .binary_search_by_key(&start, |(common, ..)| common.start)
                .map_err(|_| {
                    Fault::Malformed("a record of its .eh_frame has no common part".into())
                })?;
            let (common, common_relocs, at) = &mut commons[found];
            let at = match at {
                Some(at) => *at,
                None => *at.insert(placed.push_record(common, common_relocs, None)?),
            };
            placed.push_record(record, &translated, Some(at))?;
        }
        if ended && let Body::Frames(frames) = self.sections.body(number) {
            frames.end();
        }
        Ok(())
    }

    /// Whether the object file defines the symbol in a discarded section, even if another object file defines it too.
    fn is_discarded(&self, context: &Context, symbol: usize) -> bool {
        matches!(context.object.symbols[symbol].at, At::Section(section)
            if matches!(context.placements[section], SectionPlacement::Discarded { .. }))
    }
}

fn nowhere() -> Fault {
    Fault::Malformed("a relocation is for a place that is nowhere".into())
}

/// The size in bytes of an absolute or relative address; 0 for other kinds of relocations.
fn width(machine: elf::Machine, kind: u32) -> usize {
    match (machine, kind) {
        (elf::EM_X86_64, 1 | 17 | 24) => 8,
        (elf::EM_X86_64, 2 | 10 | 11 | 21) => 4,
        (elf::EM_AARCH64, 257 | 260) => 8,
        (elf::EM_AARCH64, 258 | 261) => 4,
        (elf::EM_RISCV, 2) => 8,
        (elf::EM_RISCV, 1) => 4,
        _ => 0,
    }
}
