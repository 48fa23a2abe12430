//! Values of memory spaces, by options whose entries are `[SPACE:]VALUE`.

use super::names::{short_space, space};
use memplan_mlir::pass::OptionValues;
use rustc_hash::FxHashMap;

/// A value for each memory space that is named, and one for all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerSpace<T> {
    named: FxHashMap<String, T>,
    others: Option<T>,
}

impl<T> Default for PerSpace<T> {
    fn default() -> Self {
        Self {
            named: FxHashMap::default(),
            others: None,
        }
    }
}

impl<T> PerSpace<T> {
    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.others.is_none()
    }

    /// The value of a memory space, as MLIR prints it.
    pub fn get(&self, printed: &str) -> Option<&T> {
        let named = self.named.get(short_space(printed));
        named.or(self.others.as_ref())
    }

    /// The value of a memory space by itself, to be changed: at first that of all others.
    pub fn own(&mut self, printed: &str) -> &mut T
    where
        T: Clone + Default,
    {
        let others = self.others.clone();
        let name = short_space(printed).to_string();
        let own = self.named.entry(name);
        own.or_insert_with(|| others.unwrap_or_default())
    }

    /// The smaller value of both for each memory space.
    pub fn least(&self, other: &Self) -> Self
    where
        T: Copy + Ord,
    {
        let least = |one: Option<&T>, two: Option<&T>| one.into_iter().chain(two).min().copied();
        let names = self.named.keys().chain(other.named.keys());
        let named =
            names.filter_map(|name| Some((name.clone(), least(self.get(name), other.get(name))?)));
        Self {
            named: named.collect(),
            others: least(self.others.as_ref(), other.others.as_ref()),
        }
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.named.values().chain(&self.others)
    }

    /// The named memory spaces.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.named.keys()
    }

    /// Reads entries. The errors are [`EntryError`]s.
    pub fn parse<'e>(
        entries: impl Iterator<Item = &'e str>,
        value: impl Fn(&str) -> Option<T>,
        join: impl Fn(&mut T, T) -> bool,
    ) -> Result<Self, EntryError<'e>> {
        let mut all = Self::default();
        for entry in entries {
            let (name, text) = memplan_bytes::scoped(entry);
            let name = match name.map(space) {
                Some(None) => return Err(EntryError::Wrong(entry)),
                Some(Some(name)) => Some(name),
                None => None,
            };
            let value = value(text).ok_or(EntryError::Wrong(entry))?;
            let known = match &name {
                Some(name) => all.named.get_mut(name),
                None => all.others.as_mut(),
            };
            match (known, name) {
                (Some(known), _) => {
                    if !join(known, value) {
                        return Err(EntryError::Twice(entry));
                    }
                }
                (None, Some(name)) => {
                    all.named.insert(name, value);
                }
                (None, None) => all.others = Some(value),
            }
        }
        Ok(all)
    }
}

/// Reads an option of a pass whose entries are `[SPACE:]BYTES`.
pub fn bytes(values: &OptionValues, option: &str, pass: &str) -> Result<PerSpace<u64>, String> {
    let bytes = |text: &str| {
        let bytes = memplan_bytes::parse(text).ok()?;
        i64::try_from(bytes).is_ok().then_some(bytes)
    };
    let takes = "[SPACE:]BYTES, such as default:65536, 1:4KiB or 1MiB";
    parsed(values, (option, pass), takes, bytes, |_, _| false)
}

/// Reads an option of a pass whose entries are `[SPACE:]VALUE`; `takes` says what they are.
pub fn parsed<T>(
    values: &OptionValues,
    (option, pass): (&str, &str),
    takes: &str,
    value: impl Fn(&str) -> Option<T>,
    join: impl Fn(&mut T, T) -> bool,
) -> Result<PerSpace<T>, String> {
    PerSpace::parse(values.list(option), value, join).map_err(|error| match error {
        EntryError::Wrong(entry) => {
            format!("{pass}: option '{option}' takes {takes}, not '{entry}'")
        }
        EntryError::Twice(entry) => {
            format!("{pass}: option '{option}' has two entries for the memory space of '{entry}'")
        }
    })
}

/// An entry that cannot be used.
#[derive(Debug)]
pub enum EntryError<'e> {
    /// It is not `[SPACE:]VALUE`.
    Wrong(&'e str),
    /// There is another one for its memory space.
    Twice(&'e str),
}
