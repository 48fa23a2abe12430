//! Reads the problems of a CSV.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use memplan_planner::csv::{CsvError, Table};

use crate::facts::escaped_name;
use crate::files;

/// The file with buffers.
#[derive(clap::Args)]
pub struct Input {
    /// Buffers as CSV; - is standard input.
    pub input: PathBuf,
    /// Refuse columns of unknown names. Without it, a warning names them, and the output keeps them.
    #[arg(long)]
    pub strict: bool,
}

impl Input {
    /// The name of the file in messages.
    pub fn name(&self) -> String {
        files::name(&self.input)
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String> {
        files::read_text(&self.input)
    }

    /// The problems in the text; the inner error is in the text or the plan.
    pub fn table<'t>(&self, text: &'t str) -> Result<Result<Table<'t>, CsvError>> {
        let table = match Table::read(text) {
            Ok(table) => table,
            Err(error) => return Ok(Err(error)),
        };
        check_columns(&table, &self.input, self.strict)?;
        Ok(Ok(table))
    }
}

/// Names unknown columns in one warning, or refuses them.
pub fn check_columns(table: &Table<'_>, path: &Path, strict: bool) -> Result<()> {
    let unknown: Vec<String> = table
        .unknown_columns()
        .map(|(_, name, nearest)| match nearest {
            Some(nearest) => format!("{} (is it {nearest}?)", escaped_name(name)),
            None => escaped_name(name),
        })
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let name = files::name(path);
    let columns = match unknown.len() {
        1 => "unknown column",
        _ => "unknown columns",
    };
    let unknown = unknown.join(", ");
    if strict {
        bail!("{name}: {columns} {unknown}, which --strict refuses");
    }
    files::say(&format!(
        "memplan: warning: {name}: {columns} {unknown}: kept in the output, and not read"
    ));
    Ok(())
}

/// The problems of a text, or its error with the name of the file.
pub fn read<'t>(input: &Input, text: &'t str) -> Result<Table<'t>> {
    input.table(text)?.with_context(|| input.name())
}
