//! Typed values of a table, each key once, no unknown ones.

use crate::{
    cost::Cost,
    document::{Entry, Place, Table, Value},
    error::MachineError,
};
use memplan_bytes::Banks;
use memplan_planner::banks::MAX_BANKS;

/// The entries of a table, while they are read.
pub struct Keys<'t> {
    table: &'t Table,
    known: Vec<&'static str>,
}

type Read<T> = Result<Option<(T, Place)>, MachineError>;

impl<'t> Keys<'t> {
    pub const fn of(table: &'t Table) -> Self {
        Self {
            table,
            known: Vec::new(),
        }
    }

    fn get(&mut self, key: &'static str) -> Option<&'t Entry> {
        self.known.push(key);
        self.table.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key, as `read` understands it.
    fn typed<T>(
        &mut self,
        key: &'static str,
        takes: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Read<T> {
        let Some(entry) = self.get(key) else {
            return Ok(None);
        };
        match read(&entry.value) {
            Some(value) => Ok(Some((value, entry.place.clone()))),
            None => {
                let message = format!("'{key}' takes {takes}, not {}", entry.value);
                Err(MachineError::at(&entry.place, message))
            }
        }
    }

    pub fn text(&mut self, key: &'static str) -> Read<String> {
        self.typed(key, "a text in quotes", |value| match value {
            Value::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        })
    }

    /// A name: a text or an integer, such as the number of a memory space.
    pub fn name(&mut self, key: &'static str) -> Read<String> {
        self.typed(key, "a text or an integer", |value| match value {
            Value::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Integer(number) => Some(number.to_string()),
            _ => None,
        })
    }

    pub fn integer(&mut self, key: &'static str) -> Read<i64> {
        self.typed(key, "an integer", |value| match value {
            Value::Integer(number) => Some(*number),
            _ => None,
        })
    }

    pub fn flag(&mut self, key: &'static str) -> Read<bool> {
        self.typed(key, "true or false", |value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        })
    }

    /// Bytes, below 2^63.
    pub fn bytes(&mut self, key: &'static str) -> Read<u64> {
        let takes = "bytes below 2^63, such as 65536 or \"64KiB\"";
        self.typed(key, takes, |value| {
            let bytes = match value {
                Value::Integer(number) => u64::try_from(*number).ok()?,
                Value::Text(text) => memplan_bytes::parse(text).ok()?,
                _ => return None,
            };
            i64::try_from(bytes).is_ok().then_some(bytes)
        })
    }

    /// A cost of at least 0, with at most three decimals.
    pub fn cost(&mut self, key: &'static str) -> Read<Cost> {
        let takes = "a number from 0 to 1000000 with at most three decimals, such as 1 or 0.25";
        self.typed(key, takes, |value| match value {
            Value::Integer(number) => Cost::parse(&number.to_string()),
            Value::Decimal(text) => Cost::parse(text),
            _ => None,
        })
    }

    /// Ranges of addresses.
    pub fn ranges(&mut self, key: &'static str) -> Read<Vec<(u64, u64)>> {
        let takes = "ranges of addresses that are not empty, such as [\"0-1KiB\"]";
        self.typed(key, takes, |value| {
            let one = |value: &Value| match value {
                Value::Text(text) => memplan_bytes::parse_range(text).ok(),
                _ => None,
            };
            match value {
                Value::List(all) => all.iter().map(one).collect(),
                value => Some(vec![one(value)?]),
            }
        })
    }

    /// Banks.
    pub fn banks(&mut self, key: &'static str) -> Read<Banks> {
        let takes = format!(
            "a number of banks up to {MAX_BANKS}, the size or the addresses of each, or COUNTxWIDTH for interleaved ones, such \
             as 4, [\"16KiB\", \"16KiB\"] or \"32x4\""
        );
        self.typed(key, &takes, |value| match value {
            Value::Integer(number) => Banks::parse(&number.to_string(), MAX_BANKS).ok(),
            Value::Text(text) => Banks::parse(text.trim(), MAX_BANKS).ok(),
            Value::List(all) => {
                let text = |value: &Value| match value {
                    Value::Integer(number) => Some(number.to_string()),
                    Value::Text(text) => Some(text.trim().to_owned()),
                    _ => None,
                };
                let parts: Option<Vec<String>> = all.iter().map(text).collect();
                Banks::of_parts(parts?.iter().map(String::as_str)).ok()
            }
            _ => None,
        })
    }

    /// Refuses keys that were not asked for, and keys that are there twice.
    pub fn finish(self) -> Result<(), MachineError> {
        for (at, entry) in self.table.entries.iter().enumerate() {
            if !self.known.contains(&&*entry.key) {
                let message = format!(
                    "unknown key '{}'; known are {}",
                    entry.key,
                    self.known.join(", ")
                );
                return Err(MachineError::at(&entry.place, message));
            }
            if self.table.entries[..at]
                .iter()
                .any(|other| other.key == entry.key)
            {
                let message = format!("key '{}' is there twice", entry.key);
                return Err(MachineError::at(&entry.place, message));
            }
        }
        Ok(())
    }
}
