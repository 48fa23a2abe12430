//! What the description of the machine limits: sizes, alignments, reserved addresses, banks, and where buffers may move.

use super::{excluded::Excluded, settings::Settings};
use crate::memory_spaces::{machine::Described, names::space_name};

/// Adds what the machine limits to the settings of options. A capacity may be below that of the machine.
pub fn apply(described: &Described, settings: &mut Settings) -> Result<(), String> {
    for space in &described.machine.spaces {
        let name = &space.memory_space;
        if let Some(size) = space.size {
            match settings.capacity.get(name) {
                Some(asked) if *asked > size => {
                    return Err(format!(
                        "option 'capacity' gives {asked} bytes to memory space {}, which has {size} ({})",
                        space_name(name),
                        described.place(space)
                    ));
                }
                Some(_) => {}
                None => *settings.capacity.own(name) = size,
            }
        }
        if let Some(alignment) = space.alignment {
            *settings.alignments.own(name) = alignment;
        }
        if !space.reserved.is_empty() {
            let reserved = space.reserved.iter().map(|range| Excluded {
                start: range.start,
                end: range.end,
                state: String::new(),
            });
            settings.forbidden.own(name).extend(reserved);
            settings.wanted.dynamic = false;
        }
        if let Some(banks) = &space.banks {
            settings.banks.add(name, banks.clone());
            settings.wanted.dynamic = false;
        }
        let is_moved = settings.spill.iter().any(|(from, _)| from == name);
        if let Some(slower) = space.slower.filter(|_| !is_moved) {
            let to = described.machine.space(slower).memory_space.clone();
            settings.spill.push((name.clone(), to));
        }
    }
    Ok(())
}
