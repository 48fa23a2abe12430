//! The header line, which names the columns.

use super::error::{FieldError, Reason, excerpt};

/// The meaning of a column.
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
    /// Added to the ends of ranges: 1 if the text gives the last live point instead of the first
    /// dead one.
    pub end_adjustment: u64,
}

impl Columns {
    /// Parses the header line.
    pub fn read(line: &str) -> Result<Columns, FieldError> {
        let mut columns = Columns {
            columns: Vec::new(),
            end_adjustment: 0,
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
                _ if name.contains('"') => return Err((number, Reason::Quoted(excerpt(name)))),
                _ => return Err((number, Reason::UnknownColumn(excerpt(name)))),
            };
            if columns.columns.contains(&column) {
                return Err((number, Reason::DuplicateColumn(name.to_owned())));
            }
            columns.end_adjustment += u64::from(name == "end");
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

    /// The number of this column, counted from 1.
    pub fn number(&self, column: Column) -> Option<usize> {
        let place = self.columns.iter().position(|&other| other == column);
        place.map(|place| place + 1)
    }
}
