//! The first line: what the columns hold.

use super::error::{Fault, Reason, shown};

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Id,
    Lower,
    Upper,
    Size,
    Alignment,
    Gaps,
    Offset,
    Hint,
    Space,
}

/// The columns of a text, from left to right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    pub columns: Vec<Column>,
    /// What to add to the ends of ranges: 1 where the text gives the last point instead.
    pub after: u64,
}

impl Columns {
    /// Reads the names of the columns.
    pub fn read(line: &str) -> Result<Columns, Fault> {
        let mut columns = Columns {
            columns: Vec::new(),
            after: 0,
        };
        for (number, name) in (1..).zip(line.split(',').map(str::trim_ascii)) {
            let column = match name {
                "id" | "buffer" | "buffer_id" => Column::Id,
                "lower" | "start" | "begin" => Column::Lower,
                "upper" | "end" => Column::Upper,
                "size" => Column::Size,
                "alignment" => Column::Alignment,
                "gaps" => Column::Gaps,
                "offset" => Column::Offset,
                "hint" => Column::Hint,
                "space" => Column::Space,
                _ if name.contains('"') => return Err((number, Reason::Quoted(shown(name)))),
                _ => return Err((number, Reason::UnknownColumn(shown(name)))),
            };
            if columns.columns.contains(&column) {
                return Err((number, Reason::DuplicateColumn(name.to_owned())));
            }
            columns.after += u64::from(name == "end");
            columns.columns.push(column);
        }
        let needed = [
            (Column::Id, "id"),
            (Column::Lower, "lower"),
            (Column::Upper, "upper"),
            (Column::Size, "size"),
        ];
        let mut missing = needed
            .into_iter()
            .filter(|&(column, _)| columns.number(column).is_none());
        match missing.next() {
            Some((_, name)) => Err((columns.columns.len(), Reason::MissingColumn(name))),
            None => Ok(columns),
        }
    }

    /// Which column this is, counted from 1.
    pub fn number(&self, column: Column) -> Option<usize> {
        let place = self.columns.iter().position(|&other| other == column);
        place.map(|place| place + 1)
    }
}
