//! Symbols that several objects may refer to: one of each name.

use crate::{JoinError, join::At};
use object::elf;
use rustc_hash::FxHashMap;

/// What is known of a name.
#[derive(Debug)]
pub struct Global {
    pub name: Box<[u8]>,
    pub definition: Option<Definition>,
    /// Size and alignment of memory that nobody defined, and that whoever is linked with it shares.
    pub common: Option<(u64, u64)>,
    /// Somebody cannot do without it.
    pub is_needed: bool,
    /// Visibility, and what else a machine says of it.
    pub other: u8,
    pub kind: u8,
    /// When it was defined first.
    order: usize,
}

/// Where a name is defined.
#[derive(Clone, Debug)]
pub struct Definition {
    pub at: At,
    pub size: u64,
    pub kind: u8,
    pub bind: u8,
    unit: u32,
}

/// What one object says of a name.
#[derive(Debug)]
pub struct Said<'a> {
    pub name: &'a [u8],
    pub bind: u8,
    pub kind: u8,
    pub other: u8,
    pub size: u64,
    pub state: State,
}

/// What it is to that object.
#[derive(Clone, Debug)]
pub enum State {
    Referred,
    Common { align: u64 },
    Defined(At),
}

/// All names.
#[derive(Debug, Default)]
pub struct Globals {
    all: Vec<Global>,
    numbers: FxHashMap<Box<[u8]>, u32>,
    defined: usize,
}

/// The more constraining of two visibilities: internal, hidden, protected, default.
fn constrain(one: u8, other: u8) -> u8 {
    match (one & 3, other & 3) {
        (0, visibility) | (visibility, 0) => visibility,
        (one, other) => one.min(other),
    }
}

impl Globals {
    /// Adds what the newest of `units` says of a name; gives the number of the name.
    pub fn add(&mut self, said: &Said<'_>, units: &[Box<str>]) -> Result<u32, JoinError> {
        let number = match self.numbers.get(said.name) {
            Some(number) => *number,
            None => {
                let number = self.all.len() as u32;
                self.numbers.insert(said.name.into(), number);
                self.all.push(Global {
                    name: said.name.into(),
                    definition: None,
                    common: None,
                    is_needed: false,
                    other: 0,
                    kind: elf::STT_NOTYPE,
                    order: usize::MAX,
                });
                number
            }
        };
        let global = &mut self.all[number as usize];
        global.other = (global.other | said.other) & !3 | constrain(global.other, said.other);
        if global.kind == elf::STT_NOTYPE {
            global.kind = said.kind;
        }
        let order = self.defined;
        match &said.state {
            State::Referred => global.is_needed |= said.bind != elf::STB_WEAK,
            State::Common { align } => {
                let (size, known) = global.common.unwrap_or_default();
                global.common = Some((size.max(said.size), known.max(*align)));
                global.order = global.order.min(order);
                self.defined += 1;
            }
            State::Defined(at) => {
                let definition = Definition {
                    at: *at,
                    size: said.size,
                    kind: said.kind,
                    bind: said.bind,
                    unit: units.len().saturating_sub(1) as u32,
                };
                match &global.definition {
                    Some(first) if first.bind != elf::STB_WEAK && said.bind != elf::STB_WEAK => {
                        let unit = |number: u32| units[number as usize].to_string();
                        return Err(JoinError::Twice {
                            symbol: String::from_utf8_lossy(said.name).into_owned(),
                            first: unit(first.unit),
                            second: unit(definition.unit),
                        });
                    }
                    Some(_) if said.bind == elf::STB_WEAK => {}
                    _ => global.definition = Some(definition),
                }
                global.order = global.order.min(order);
                self.defined += 1;
            }
        }
        Ok(number)
    }

    /// By number.
    pub fn all(&self) -> &[Global] {
        &self.all
    }

    /// Numbers in the order of the file: what is defined in the order in which that was, then the others by name.
    pub fn ordered(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.all.len() as u32).collect();
        numbers.sort_by(|one, other| {
            let (one, other) = (&self.all[*one as usize], &self.all[*other as usize]);
            (one.order, &one.name).cmp(&(other.order, &other.name))
        });
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &'static str, bind: u8, other: u8, state: State) -> Said<'static> {
        Said {
            name: name.as_bytes(),
            bind,
            kind: elf::STT_FUNC,
            other,
            size: 4,
            state,
        }
    }

    fn at(offset: u64) -> State {
        State::Defined(At::Section { section: 0, offset })
    }

    #[test]
    fn strong_definitions_replace_weak_ones_and_two_are_an_error() {
        let units: Vec<Box<str>> = ["a".into(), "b".into()].into();
        let mut globals = Globals::default();
        for (bind, offset) in [
            (elf::STB_WEAK, 0),
            (elf::STB_WEAK, 8),
            (elf::STB_GLOBAL, 16),
        ] {
            globals
                .add(&said("f", bind, 0, at(offset)), &units)
                .unwrap();
        }
        globals
            .add(&said("f", elf::STB_WEAK, 0, at(24)), &units)
            .unwrap();
        let found = globals.all()[0].definition.clone().unwrap();
        assert_eq!(
            found.at,
            At::Section {
                section: 0,
                offset: 16
            }
        );
        let error = globals.add(&said("f", elf::STB_GLOBAL, 0, at(32)), &units[..1]);
        assert!(matches!(error, Err(JoinError::Twice { .. })));
    }

    #[test]
    fn visibility_is_the_most_constraining_one() {
        for (one, other, both) in [(0, 2, 2), (3, 2, 2), (2, 1, 1), (0, 0, 0), (3, 0, 3)] {
            assert_eq!(constrain(one, other), both);
            assert_eq!(constrain(other, one), both);
        }
    }

    #[test]
    fn names_come_as_they_are_defined_and_then_sorted() {
        let units: Vec<Box<str>> = ["a".into()].into();
        let mut globals = Globals::default();
        for (name, state) in [
            ("z", State::Referred),
            ("c", State::Referred),
            ("b", at(0)),
            ("c", at(8)),
            ("d", State::Referred),
        ] {
            globals
                .add(&said(name, elf::STB_GLOBAL, 0, state), &units)
                .unwrap();
        }
        let ordered = globals.ordered();
        let names: Vec<&[u8]> = ordered
            .iter()
            .map(|number| &*globals.all()[*number as usize].name)
            .collect();
        assert_eq!(names, [b"b", b"c", b"d", b"z"]);
    }
}
