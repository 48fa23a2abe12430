//! The spaces of a machine, and the rules that they keep.

use crate::{
    banks,
    cost::Cost,
    document::{Document, Place, Table},
    error::MachineError,
    keys::Keys,
};
use memplan_planner::BankLayout;

/// The version of the description.
const VERSION: i64 = 1;
/// The unit of costs where none is named.
const UNIT: &str = "unit";
/// The name of the default memory space in `memory_space`.
const DEFAULT: &str = "default";
/// Largest alignment, in bytes.
const MAX_ALIGNMENT: u64 = 1 << 30;

/// The number of a space, in the order of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId(pub u32);

impl SpaceId {
    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Addresses that no buffer may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reserved {
    /// The first one.
    pub start: u64,
    /// The first one after them.
    pub end: u64,
}

/// A memory space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Its name in options and messages.
    pub name: String,
    /// The memory space in types of memrefs, as MLIR prints it; empty for the default one.
    pub memory_space: String,
    /// Its bytes, or the end of its last bank; `None` without a limit.
    pub size: Option<u64>,
    /// The least alignment of a buffer, in bytes; a power of two.
    pub alignment: Option<u64>,
    /// Addresses that no buffer may use, in order, apart from each other.
    pub reserved: Vec<Reserved>,
    /// Where its banks are, if it has several.
    pub banks: Option<BankLayout>,
    /// The cost of reading a byte.
    pub read: Cost,
    /// The cost of writing a byte.
    pub write: Cost,
    /// The space where buffers go that do not fit.
    pub slower: Option<SpaceId>,
    /// Whether copies to and from the space run beside operations.
    pub copies_beside: bool,
    /// Where the space is described.
    pub place: Place,
}

/// A machine: its memory spaces, with one unit of cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What a unit of cost is called.
    pub unit: String,
    /// The spaces, in the order of the description.
    pub spaces: Vec<Space>,
}

/// What a table says of a space, before its references are resolved.
struct Described {
    space: Space,
    slower: Option<(String, Place)>,
}

impl Machine {
    /// Reads a description.
    ///
    /// # Errors
    ///
    /// The first error, with its place: unknown and missing keys, another version, wrong values, two spaces of one name or
    /// one memory space, unknown spaces, cycles, and limits that nothing can keep.
    pub fn of(document: &Document) -> Result<Self, MachineError> {
        let mut head = Keys::of(&document.head);
        let version = head.integer("version")?;
        let unit = head.text("unit")?;
        head.finish()?;
        match version {
            Some((VERSION, _)) => {}
            Some((other, place)) => {
                let message =
                    format!("version {other} is not known; this memplan reads version {VERSION}");
                return Err(MachineError::at(&place, message));
            }
            None => {
                return Err(MachineError {
                    place: None,
                    message: format!("no version: write version = {VERSION}"),
                });
            }
        }
        if document.spaces.is_empty() {
            return Err(MachineError {
                place: None,
                message: "no memory space is described".to_owned(),
            });
        }
        let described: Result<Vec<Described>, _> = document.spaces.iter().map(describe).collect();
        let described = described?;
        are_distinct(&described)?;
        let spaces = resolve(described)?;
        let machine = Self {
            unit: unit.map_or_else(|| UNIT.to_owned(), |(unit, _)| unit),
            spaces,
        };
        machine.is_ordered()?;
        Ok(machine)
    }

    /// The space of this number.
    #[must_use]
    pub fn space(&self, id: SpaceId) -> &Space {
        &self.spaces[id.index()]
    }

    /// The space that is this one in types of memrefs.
    #[must_use]
    pub fn of_memory_space(&self, memory_space: &str) -> Option<&Space> {
        let mut all = self.spaces.iter();
        all.find(|space| space.memory_space == memory_space)
    }

    /// The space of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Space> {
        self.spaces.iter().find(|space| space.name == name)
    }

    /// Slower spaces form chains without a cycle, and cost as much at least.
    fn is_ordered(&self) -> Result<(), MachineError> {
        for (at, space) in self.spaces.iter().enumerate() {
            let mut names = vec![&*space.name];
            let mut next = space.slower;
            while let Some(id) = next {
                let slower = self.space(id);
                names.push(&slower.name);
                if id.index() == at {
                    let message = format!(
                        "'slower' leads back to '{}': {}",
                        space.name,
                        names.join(" to ")
                    );
                    return Err(MachineError::at(&space.place, message));
                }
                // A cycle that does not contain this space is found at one of its own.
                if names.len() > self.spaces.len() {
                    break;
                }
                next = slower.slower;
            }
            if let Some(slower) = space.slower.map(|id| self.space(id))
                && (slower.read < space.read || slower.write < space.write)
            {
                let message = format!(
                    "'{}' is said to be slower than '{}', but costs less ({} and {} a byte, not {} and {})",
                    slower.name, space.name, slower.read, slower.write, space.read, space.write
                );
                return Err(MachineError::at(&space.place, message));
            }
        }
        Ok(())
    }
}

fn describe(table: &Table) -> Result<Described, MachineError> {
    let mut keys = Keys::of(table);
    let name = keys.text("name")?;
    let memory_space = keys.name("memory_space")?;
    let size = keys.bytes("size")?;
    let alignment = keys.bytes("alignment")?;
    let reserved = keys.ranges("reserved")?;
    let banks = keys.banks("banks")?;
    let read = keys.cost("read")?;
    let write = keys.cost("write")?;
    let slower = keys.text("slower")?;
    let copies_beside = keys.flag("copies_beside")?;
    keys.finish()?;
    let Some((name, _)) = name else {
        return Err(MachineError::at(&table.place, "the space has no 'name'"));
    };
    let Some((memory_space, _)) = memory_space else {
        let message = format!(
            "space '{name}' has no 'memory_space', such as \"1\", \"#gpu.address_space<workgroup>\" or \"{DEFAULT}\""
        );
        return Err(MachineError::at(&table.place, message));
    };
    if let Some((bytes, place)) = &size
        && *bytes == 0
    {
        return Err(MachineError::at(
            place,
            format!("space '{name}' has no bytes"),
        ));
    }
    if let Some((alignment, place)) = &alignment {
        if !alignment.is_power_of_two() || *alignment > MAX_ALIGNMENT {
            let message = "'alignment' takes a power of two up to 1GiB";
            return Err(MachineError::at(place, message));
        }
        if let Some((bytes, _)) = size.as_ref().filter(|(bytes, _)| bytes < alignment) {
            let message = format!(
                "space '{name}' has {bytes} bytes, fewer than its alignment of {alignment}"
            );
            return Err(MachineError::at(place, message));
        }
    }
    let size = size.map(|(bytes, _)| bytes);
    let banks = banks.map(|(banks, place)| banks::layout(&name, &banks, size, &place));
    let banks = banks.transpose()?;
    let size = size.or_else(|| banks.as_ref().and_then(BankLayout::end));
    let reserved = match reserved {
        Some((ranges, place)) => joined(&name, &ranges, size, &place)?,
        None => Vec::new(),
    };
    let memory_space = match &*memory_space {
        DEFAULT | "0" => String::new(),
        other => other.strip_suffix(" : i64").unwrap_or(other).to_owned(),
    };
    Ok(Described {
        space: Space {
            name,
            memory_space,
            size,
            alignment: alignment.map(|(alignment, _)| alignment),
            reserved,
            banks,
            read: read.map_or(Cost::ONE, |(cost, _)| cost),
            write: write.map_or(Cost::ONE, |(cost, _)| cost),
            slower: None,
            copies_beside: copies_beside.is_some_and(|(flag, _)| flag),
            place: table.place.clone(),
        },
        slower,
    })
}

/// Reserved addresses in order, joined where they meet; some have to be left.
fn joined(
    name: &str,
    ranges: &[(u64, u64)],
    size: Option<u64>,
    place: &Place,
) -> Result<Vec<Reserved>, MachineError> {
    let mut all: Vec<Reserved> = Vec::new();
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    for (start, end) in sorted {
        if let Some(bytes) = size.filter(|bytes| end > *bytes) {
            let message =
                format!("{start}-{end} is not within the {bytes} bytes of space '{name}'");
            return Err(MachineError::at(place, message));
        }
        match all.last_mut().filter(|last| start <= last.end) {
            Some(last) => last.end = last.end.max(end),
            None => all.push(Reserved { start, end }),
        }
    }
    let taken: u64 = all.iter().map(|one| one.end - one.start).sum();
    if size == Some(taken) {
        let message = format!("all {taken} bytes of space '{name}' are reserved");
        return Err(MachineError::at(place, message));
    }
    Ok(all)
}

/// Each space has a name and a memory space of its own.
fn are_distinct(all: &[Described]) -> Result<(), MachineError> {
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let (space, before) = (&one.space, &other.space);
            if space.name == before.name {
                let message = format!(
                    "space '{}' is described already, at {}",
                    space.name, before.place
                );
                return Err(MachineError::at(&space.place, message));
            }
            if space.memory_space == before.memory_space {
                let message = format!(
                    "'{}' and '{}' ({}) are two names for one memory space",
                    space.name, before.name, before.place
                );
                return Err(MachineError::at(&space.place, message));
            }
        }
    }
    Ok(())
}

fn resolve(all: Vec<Described>) -> Result<Vec<Space>, MachineError> {
    let names: Vec<String> = all.iter().map(|one| one.space.name.clone()).collect();
    let find = |(name, place): &(String, Place)| {
        let at = names.iter().position(|one| one == name);
        at.map(|at| SpaceId(at as u32)).ok_or_else(|| {
            let message = format!(
                "'slower' names '{name}', which is not described; known are {}",
                names.join(", ")
            );
            MachineError::at(place, message)
        })
    };
    let resolved = all
        .iter()
        .map(|one| one.slower.as_ref().map(find).transpose());
    let resolved: Result<Vec<Option<SpaceId>>, _> = resolved.collect();
    let spaces = all.into_iter().zip(resolved?);
    Ok(spaces
        .map(|(one, slower)| Space {
            slower,
            ..one.space
        })
        .collect())
}
