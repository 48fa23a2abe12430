//! Relocations of a unit as relocations of the joined object.

use object::elf;

use crate::{
    bind::Bound,
    error::{Fault, shown},
    frames::{self, FUNCTION},
    joined::Joined,
    place::Fate,
    reloc::{Reloc, Target},
    sections::Body,
    symbols::Place,
    unit::{At, InReloc, Section, Unit},
};

/// The unit at work, with what became of its parts.
struct Context<'a> {
    unit: &'a Unit<'a>,
    fates: &'a [Fate],
    bound: &'a [Bound],
}

impl Joined {
    /// Adds the relocations of a unit.
    pub(crate) fn relocate(
        &mut self,
        unit: &Unit,
        fates: &[Fate],
        bound: &[Bound],
    ) -> Result<(), Fault> {
        let context = Context { unit, fates, bound };
        for (section, fate) in unit.sections.iter().zip(fates) {
            match fate {
                Fate::Bytes {
                    section: number,
                    base,
                } => {
                    self.relocate_bytes(&context, section, *number, *base)?;
                }
                Fate::Frames { section: number } => self.join_frames(&context, section, *number)?,
                Fate::Gone | Fate::Discarded { .. } | Fate::Pool { .. } => {}
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
                None => match self.stand_in(context, section, reloc) {
                    Some(found) => {
                        let offset = base + reloc.offset;
                        self.sections.all[number as usize]
                            .relocs
                            .push(Reloc { offset, ..found });
                    }
                    None => self.bury(section, number, base, reloc)?,
                },
            }
        }
        Ok(())
    }

    /// A relocation with its offset as it is; nothing where it is for what was dropped.
    fn translate(&mut self, context: &Context, reloc: InReloc) -> Result<Option<Reloc>, Fault> {
        let (target, addend) = match context.bound[reloc.symbol] {
            _ if reloc.symbol == 0 => (Target::Nothing, reloc.addend),
            Bound::Discarded => return Ok(None),
            Bound::Nothing => {
                return Err(Fault::Malformed(
                    "a relocation is for a symbol that is nowhere".into(),
                ));
            }
            Bound::Target(Target::PlaceSymbol(place)) => self.shorten(place, reloc.addend)?,
            Bound::Target(target) => (target, reloc.addend),
            Bound::Section(section) => {
                let value = context.unit.symbols[reloc.symbol].value;
                match &context.fates[section] {
                    Fate::Discarded { .. } => return Ok(None),
                    Fate::Bytes { section, base } => {
                        let start = base.wrapping_add(value);
                        (
                            Target::Section(*section),
                            reloc.addend.wrapping_add_unsigned(start),
                        )
                    }
                    Fate::Pool { section, pooled } => {
                        let offset = value.wrapping_add_signed(reloc.addend);
                        let (entry, inside) = pooled.find(offset).ok_or_else(nowhere)?;
                        let place = Place {
                            section: *section,
                            entry,
                            inside: 0,
                        };
                        (Target::Place(self.symbols.place(place)?), inside as i64)
                    }
                    Fate::Gone if context.unit.sections[section].is_table() => {
                        return Err(nowhere());
                    }
                    Fate::Gone => return Ok(None),
                    Fate::Frames { .. } => return Err(nowhere()),
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

    /// A reference to a place in a pool that needs no symbol of its own, where it is plain data that is read by no
    /// program: it leads into the entry, so the section's symbol will do.
    fn shorten(&mut self, number: u32, addend: i64) -> Result<(Target, i64), Fault> {
        let symbol = (Target::PlaceSymbol(number), addend);
        let Some(place) = self.symbols.places.get_index(number as usize).copied() else {
            return Ok(symbol);
        };
        let section = &self.sections.all[place.section as usize];
        let inside = place.inside.checked_add_signed(addend);
        match (&section.body, inside) {
            (Body::Pool(pool), Some(inside))
                if !section.is_loaded() && inside < pool.len_of(place.entry) =>
            {
                let start = self.symbols.place(Place { inside: 0, ..place })?;
                Ok((Target::Place(start), inside as i64))
            }
            _ => Ok(symbol),
        }
    }

    /// What debug information refers to in place of what was dropped: the same place in what is kept, if that is like
    /// it. Where linkers delete instructions, places cannot be told by their distance from the start.
    fn stand_in(&self, context: &Context, section: &Section, reloc: InReloc) -> Option<Reloc> {
        let is_fixed = matches!(self.machine(), elf::EM_X86_64 | elf::EM_AARCH64);
        let symbol = &context.unit.symbols[reloc.symbol];
        match symbol.at {
            At::Section(dropped) if is_fixed && section.name.starts_with(b".debug_") => {
                let Fate::Discarded { kept: Some(kept) } = context.fates[dropped] else {
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

    /// Writes what stands for an address that is no more where a relocation for it was.
    fn bury(
        &mut self,
        section: &Section,
        number: u32,
        base: u64,
        reloc: InReloc,
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
        // A pair of zeros would end these lists.
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
        let mut relocs: Vec<InReloc> = section.relocs().collect();
        relocs.sort_by_key(|reloc| reloc.offset);
        let mut rest = &relocs[..];
        // Each common part with its relocations, by where it starts; and where it is in the joined object.
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

    /// A symbol that the unit has in what was dropped, even if another unit defines it too.
    fn is_discarded(&self, context: &Context, symbol: usize) -> bool {
        matches!(context.unit.symbols[symbol].at, At::Section(section)
            if matches!(context.fates[section], Fate::Discarded { .. }))
    }
}

fn nowhere() -> Fault {
    Fault::Malformed("a relocation is for a place that is nowhere".into())
}

/// The bytes that an absolute or relative address takes; none for what else a relocation writes.
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
