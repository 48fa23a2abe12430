//! The description of the machine, from a file or from an attribute of the program.

use super::names::{short_space, space_name};
use crate::failure::fail;
use memplan_declarations::merge_alloc::codes;
use memplan_machine::{Document, Entry, Machine, Place, Space, Table, Value};
use memplan_mlir::{
    attributes::{PlainValue, elements, entries, plain_value, target_entry},
    ir::{Attribute, Op, arguments, blocks, is_memref, ops, parent, regions, results, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::{Failed, InitError, OptionValues},
};
use memplan_semantics::attributes::MACHINE;
use rustc_hash::FxHashSet;
use std::{
    fs::File,
    io::{self, Read as _},
    sync::{Arc, Mutex, PoisonError},
};

/// The most bytes of a description: a device may have no end.
const MOST_BYTES: u64 = 1 << 20;

/// The key of the list of spaces in an attribute.
const SPACES: &str = "spaces";

/// The description of the option `machine` of a pass.
#[derive(Default)]
pub struct GivenMachine(Mutex<Option<Described>>);

impl GivenMachine {
    /// Reads the file of the option.
    pub fn open(&self, values: &OptionValues) -> Result<(), InitError> {
        let machine = match values.text("machine") {
            "" => None,
            file => Some(Described::read(file).map_err(|message| InitError {
                code: codes::MACHINE,
                message,
            })?),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = machine;
        Ok(())
    }

    /// The machine of a program: the one of the option, or of the program. It has all memory spaces of the program.
    pub fn of(&self, op: Op<'_>) -> Result<Option<Described>, Failed> {
        let given = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let machine = match given {
            None => Described::of_program(op)?,
            given => given,
        };
        if let Some(machine) = &machine {
            machine.has_spaces_of(op)?;
        }
        Ok(machine)
    }
}

/// A description, and what it is called in messages.
#[derive(Clone, Debug)]
pub struct Described {
    pub machine: Arc<Machine>,
    /// The file; empty for an attribute.
    file: String,
}

impl Described {
    /// Reads a file.
    fn read(file: &str) -> Result<Self, String> {
        let text = read_file(file)
            .map_err(|error| format!("cannot read the machine '{file}': {error}"))?;
        let machine = Machine::parse(&text).map_err(|error| match &error.place {
            Some(Place::Line(line)) => format!("{file}:{line}: {}", error.message),
            _ => format!("{file}: {error}"),
        })?;
        Ok(Self {
            machine: Arc::new(machine),
            file: file.to_owned(),
        })
    }

    /// Reads the attribute at an operation, or at one around it: `memplan.machine`, or the entry of this name in the description
    /// of the target.
    fn of_program(op: Op<'_>) -> Result<Option<Self>, Failed> {
        let mut at = Some(op);
        let mut found = None;
        while let (Some(one), None) = (at, found) {
            found = one.attribute(MACHINE).ok();
            at = parent(one);
        }
        let Some(attribute) = found.or_else(|| target_entry(op, MACHINE)) else {
            return Ok(None);
        };
        let machine = document(attribute)
            .and_then(|document| Machine::of(&document).map_err(|error| error.to_string()));
        match machine {
            Ok(machine) => Ok(Some(Self {
                machine: Arc::new(machine),
                file: String::new(),
            })),
            Err(error) => Err(fail(op, codes::MACHINE, format!("`{MACHINE}`: {error}"))),
        }
    }

    /// Where a space is described.
    pub fn place(&self, space: &Space) -> String {
        match (&space.place, &*self.file) {
            (Place::Line(line), file) => format!("{file}:{line}"),
            (place, _) => format!("`{MACHINE}`, {place}"),
        }
    }

    /// Checks that a program has no memrefs in memory spaces that the machine has not. The default one need not be described.
    fn has_spaces_of(&self, root: Op<'_>) -> Result<(), Failed> {
        let mut known: FxHashSet<String> = FxHashSet::default();
        let mut open = vec![root];
        while let Some(op) = open.pop() {
            let arguments = regions(op).flat_map(blocks).flat_map(arguments);
            for r#type in arguments.chain(results(op)).map(type_of) {
                if !is_memref(r#type) {
                    continue;
                }
                let space = memory_space(r#type);
                let is_described = || {
                    let space = short_space(&space);
                    space.is_empty() || self.machine.of_memory_space(space).is_some()
                };
                if !known.contains(&space) {
                    if !is_described() {
                        let all = self.machine.spaces.iter();
                        let all: Vec<&str> = all.map(|one| space_name(&one.memory_space)).collect();
                        let message = format!(
                            "the machine has no memory space {}; described are {}",
                            short_space(&space),
                            all.join(", ")
                        );
                        return Err(fail(op, codes::MACHINE, message));
                    }
                    known.insert(space);
                }
            }
            open.extend(regions(op).flat_map(blocks).flat_map(ops));
        }
        Ok(())
    }

    /// What to say of a memory space whose banks are too small or too few.
    pub fn banks_note(&self, printed: &str) -> Option<String> {
        let space = self.machine.of_memory_space(short_space(printed))?;
        let count = space.banks.as_ref()?.count();
        let (place, name) = (self.place(space), &space.name);
        Some(format!(
            "{place}: space '{name}' is described here; it has {count} banks"
        ))
    }

    /// What to say of a memory space that is too small.
    pub fn note(&self, printed: &str) -> Option<String> {
        let space = self.machine.of_memory_space(short_space(printed))?;
        let place = self.place(space);
        Some(match space.slower {
            Some(slower) => {
                let slower = &self.machine.space(slower).name;
                format!(
                    "{place}: space '{}' is described here; buffers move to '{slower}'",
                    space.name
                )
            }
            None => format!(
                "{place}: space '{}' is described here; it has no slower one, to which buffers could move",
                space.name
            ),
        })
    }
}

fn document(attribute: Attribute<'_>) -> Result<Document, String> {
    let mut head = Table {
        place: Place::Attribute("its entries".to_owned()),
        entries: Vec::new(),
    };
    let mut spaces = Vec::new();
    let all = entries(attribute).ok_or("it is not a dictionary")?;
    for (key, value) in all {
        if key != SPACES {
            head.entries.push(entry(key, value, ""));
            continue;
        }
        let tables = elements(value).and_then(|all| {
            let all = all.into_iter().enumerate();
            let tables = all.map(|(at, one)| table(one, &format!("{SPACES}[{at}]")));
            tables.collect()
        });
        spaces = tables.ok_or_else(|| format!("'{SPACES}' is not a list of dictionaries"))?;
    }
    Ok(Document { head, spaces })
}

/// The entries of a dictionary; `None` for other attributes.
fn table(attribute: Attribute<'_>, path: &str) -> Option<Table> {
    let all = entries(attribute)?.into_iter();
    Some(Table {
        place: Place::Attribute(path.to_owned()),
        entries: all
            .map(|(key, value)| entry(key, value, &format!("{path}.")))
            .collect(),
    })
}

fn entry(key: String, value: Attribute<'_>, path: &str) -> Entry {
    Entry {
        place: Place::Attribute(format!("{path}{key}")),
        value: match &*key {
            // As a type prints it.
            "memory_space" => match plain_value(value) {
                Some(PlainValue::Text(text)) if text == "default" => Value::Text(text),
                _ => Value::Text(value.to_string()),
            },
            _ => read(value),
        },
        key,
    }
}

fn read(value: Attribute<'_>) -> Value {
    match plain_value(value) {
        Some(PlainValue::Integer(number)) => Value::Integer(number),
        Some(PlainValue::Float(number)) => Value::Decimal(number.to_string()),
        Some(PlainValue::Text(text)) => Value::Text(text),
        Some(PlainValue::Flag(flag)) => Value::Flag(flag),
        None => match elements(value) {
            Some(all) => Value::List(all.into_iter().map(read).collect()),
            None => Value::Other(value.to_string()),
        },
    }
}

/// The text of a file that may be a description.
fn read_file(file: &str) -> io::Result<String> {
    let mut text = String::new();
    let mut start = File::open(file)?.take(MOST_BYTES + 1);
    match start.read_to_string(&mut text)? as u64 > MOST_BYTES {
        true => Err(io::Error::other("it has more than 1 MiB")),
        false => Ok(text),
    }
}
