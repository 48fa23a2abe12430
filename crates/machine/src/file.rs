//! Descriptions in TOML.

use crate::{
    document::{Document, Entry, Place, Table, Value},
    error::MachineError,
    space::Machine,
};
use std::ops::Range;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The key of the list of spaces.
const SPACE: &str = "space";

impl Machine {
    /// Reads a description in TOML.
    ///
    /// # Errors
    ///
    /// The first error, with its line.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        Self::of(&document(text)?)
    }
}

/// The lines of positions in a text.
struct Lines<'t>(&'t str);

impl Lines<'_> {
    fn place(&self, span: &Range<usize>) -> Place {
        let before = self.0.get(..span.start).unwrap_or(self.0);
        Place::Line(before.matches('\n').count() + 1)
    }
}

fn document(text: &str) -> Result<Document, MachineError> {
    let lines = Lines(text);
    let table = DeTable::parse(text).map_err(|error| MachineError {
        place: error.span().map(|span| lines.place(&span)),
        message: error.message().to_owned(),
    })?;
    let mut document = Document {
        head: Table {
            place: Place::Line(1),
            entries: Vec::new(),
        },
        spaces: Vec::new(),
    };
    for (key, value) in table.get_ref() {
        if key.get_ref() == SPACE {
            document.spaces = spaces(value, &lines)?;
        } else {
            document
                .head
                .entries
                .push(entry(key.get_ref(), key.span(), value, &lines));
        }
    }
    document
        .head
        .entries
        .sort_by(|one, other| one.place.cmp(&other.place));
    Ok(document)
}

fn spaces(value: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> Result<Vec<Table>, MachineError> {
    let wrong = || {
        let message = format!("'{SPACE}' is a list of tables: write [[{SPACE}]] before each");
        MachineError::at(&lines.place(&value.span()), message)
    };
    let DeValue::Array(all) = value.get_ref() else {
        return Err(wrong());
    };
    let table = |one: &Spanned<DeValue<'_>>| {
        let DeValue::Table(table) = one.get_ref() else {
            return Err(wrong());
        };
        let entries = table.iter();
        let entries = entries.map(|(key, value)| entry(key.get_ref(), key.span(), value, lines));
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by(|one, other| one.place.cmp(&other.place));
        Ok(Table {
            place: lines.place(&one.span()),
            entries,
        })
    };
    all.iter().map(table).collect()
}

fn entry(key: &str, at: Range<usize>, value: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> Entry {
    Entry {
        key: key.to_owned(),
        value: read(value.get_ref()),
        place: lines.place(&at),
    }
}

fn read(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(
                |_| Value::Other("a number out of range".to_owned()),
                Value::Integer,
            ),
        DeValue::Float(number) => Value::Decimal(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Array(all) => Value::List(all.iter().map(|one| read(one.get_ref())).collect()),
        DeValue::Datetime(_) => Value::Other("a date".to_owned()),
        DeValue::Table(_) => Value::Other("a table".to_owned()),
    }
}
