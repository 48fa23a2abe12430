//! A description as it is written: keys and values, and where each stands.

use std::fmt;

/// Where something is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A line of a file, from 1.
    Line(usize),
    /// An entry of an attribute, by its keys.
    Attribute(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Attribute(path) => f.write_str(path),
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// A number with a fraction, as it is written.
    Decimal(String),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// Several values.
    List(Vec<Value>),
    /// Anything else, as messages call it.
    Other(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Decimal(text) => f.write_str(text),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(all) => {
                f.write_str("[")?;
                for (at, one) in all.iter().enumerate() {
                    write!(f, "{}{one}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where the key is.
    pub place: Place,
}

/// Entries that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Where the table starts.
    pub place: Place,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// A whole description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What concerns all spaces.
    pub head: Table,
    /// The spaces, in order.
    pub spaces: Vec<Table>,
}
