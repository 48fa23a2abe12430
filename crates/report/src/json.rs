//! Writing and reading the JSON form.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::ser::Formatter;

use crate::{ChunkReport, FunctionReport, Report, ReportError};

/// Some functions of a report as JSON.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    text: String,
    functions: u64,
}

impl Piece {
    /// The text of these functions.
    pub fn of<'f>(functions: impl Iterator<Item = &'f FunctionReport>) -> Self {
        let functions: Vec<&FunctionReport> = functions.collect();
        let text = json(&Document {
            version: Report::VERSION,
            functions: &functions,
        });
        let text = text
            .strip_prefix(START)
            .and_then(|text| text.strip_suffix("]}"));
        Self {
            text: text.unwrap_or_default().to_owned(),
            functions: functions.len() as u64,
        }
    }
}

/// One document of the functions of several chunks, of which each has pieces. It is that of [`Report::to_json`].
pub fn of_chunks<'p>(chunks: impl IntoIterator<Item = &'p [Piece]>) -> String {
    let mut text = START.to_owned();
    let mut ranges: Vec<ChunkReport> = Vec::new();
    let mut count = 0;
    for pieces in chunks {
        let first = count;
        for piece in pieces.iter().filter(|piece| piece.functions > 0) {
            if count > 0 {
                text.push(',');
            }
            text.push_str(&piece.text);
            count += piece.functions;
        }
        ranges.push(ChunkReport {
            first,
            functions: count - first,
        });
    }
    text.push(']');
    if ranges.len() > 1 {
        text.push_str(",\"chunks\":");
        text.push_str(&json(&ranges));
    }
    text.push_str("}\n");
    text
}

/// How documents begin.
const START: &str = "{\"version\":1,\"functions\":[";

/// A report whose functions are elsewhere.
#[derive(Serialize)]
struct Document<'f> {
    version: u32,
    functions: &'f [&'f FunctionReport],
}

fn json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, LineFormatter::default());
    value
        .serialize(&mut writer)
        .expect("a report holds only strings, numbers and lists");
    String::from_utf8(bytes).expect("serde_json writes UTF-8")
}

impl Report {
    /// The report as JSON: a line for each function, scope, buffer and skipped allocation, and a
    /// newline at the end.
    ///
    /// The same report gives the same bytes.
    pub fn to_json(&self) -> String {
        json(self) + "\n"
    }

    /// Reads the one report that `text` holds. Fields that are not known are passed over.
    pub fn from_json(text: &str) -> Result<Report, ReportError> {
        let mut reports = Self::read_all(text)?;
        match (reports.pop(), reports.len()) {
            (Some(report), 0) => Ok(report),
            (None, _) => Err(ReportError::Count { found: 0 }),
            (Some(_), rest) => Err(ReportError::Count { found: rest + 1 }),
        }
    }

    /// Reads all reports of a file that has several documents.
    pub fn read_all(text: &str) -> Result<Vec<Report>, ReportError> {
        let mut reports = Vec::new();
        // The version decides how to read the rest, so it is looked at first.
        let mut heads = serde_json::Deserializer::from_str(text).into_iter::<Head>();
        let mut start = 0;
        while let Some(head) = heads.next() {
            let head = head.map_err(|error| json_error(&error, ""))?;
            if head.version != u64::from(Report::VERSION) {
                return Err(ReportError::Version {
                    found: head.version,
                });
            }
            let end = heads.byte_offset();
            let report = serde_json::from_str(&text[start..end])
                .map_err(|error| json_error(&error, &text[..start]))?;
            reports.push(report);
            start = end;
        }
        Ok(reports)
    }
}

/// The part of a report that says how to read it.
#[derive(Deserialize)]
struct Head {
    version: u64,
}

/// `error` with its position counted from the beginning of the file, of which `before` was read.
fn json_error(error: &serde_json::Error, before: &str) -> ReportError {
    let text = error.to_string();
    let message = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(message, _)| message);
    let lines_before = before.matches('\n').count();
    let line_before = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    ReportError::Json {
        line: error.line() + lines_before,
        column: error.column() + if error.line() == 1 { line_before } else { 0 },
        message: message.to_owned(),
    }
}

/// Breaks lines before the objects in the three outer arrays, and nowhere else: functions,
/// scopes or skipped allocations, buffers. Live ranges stay on the line of their buffer, and numbers on that of theirs.
#[derive(Default)]
struct LineFormatter {
    depth: usize,
    is_element: bool,
}

const DEPTH_WITH_LINES: usize = 3;

impl Formatter for LineFormatter {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.is_element = false;
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.is_element = true;
        if first {
            return Ok(());
        }
        writer.write_all(b",")
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.is_element = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.is_element) && self.depth <= DEPTH_WITH_LINES {
            writer.write_all(b"\n")?;
            for _ in 0..self.depth {
                writer.write_all(b"  ")?;
            }
        }
        writer.write_all(b"{")
    }
}
