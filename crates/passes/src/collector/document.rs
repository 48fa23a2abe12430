//! Files with reports. Each has one document, to which all passes of a process add that name the file.
//!
//! The passes of one pipeline add to the same chunk. Once any has written, the next pass that begins has other input: it
//! begins a chunk.

use super::{Entry, lock, piece};
use memplan_output::WriteError;
use memplan_report::json::{Piece, of_chunks};
use rustc_hash::FxHashMap;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex},
};

/// The documents of this process, by absolute path.
static DOCUMENTS: LazyLock<Mutex<FxHashMap<PathBuf, Arc<Mutex<Document>>>>> =
    LazyLock::new(Mutex::default);

/// A file with a report.
#[derive(Default)]
struct Document {
    path: PathBuf,
    chunks: Vec<Chunk>,
    /// What was written last.
    text: String,
}

/// What the passes of a pipeline found in a module.
#[derive(Default)]
struct Chunk {
    /// What each pass found, as JSON.
    pieces: Vec<Piece>,
    is_written: bool,
}

/// What one pass adds to a document.
pub struct Part {
    document: Arc<Mutex<Document>>,
    chunk: usize,
    number: usize,
    functions: Vec<Entry>,
}

impl Part {
    /// The part of a pass that begins. A file that cannot be written is an error.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut all = lock(&DOCUMENTS);
        let document = match all.get(&whole) {
            Some(document) => Arc::clone(document),
            None => {
                memplan_output::check(path)?;
                let document = Arc::new(Mutex::new(Document {
                    path: path.to_owned(),
                    ..Document::default()
                }));
                all.insert(whole, Arc::clone(&document));
                document
            }
        };
        let mut inner = lock(&document);
        if inner.chunks.last().is_none_or(|chunk| chunk.is_written) {
            inner.chunks.push(Chunk::default());
        }
        let chunk = inner.chunks.len() - 1;
        let pieces = &mut inner.chunks[chunk].pieces;
        pieces.push(Piece::default());
        let number = pieces.len() - 1;
        drop(inner);
        Ok(Self {
            document,
            chunk,
            number,
            functions: Vec::new(),
        })
    }

    /// Adds reports of functions, which are sorted, and writes the document.
    pub fn add(&mut self, mut functions: Vec<Entry>) -> Result<(), WriteError> {
        self.functions.append(&mut functions);
        self.functions
            .sort_by(|one, other| one.position.cmp(&other.position));
        self.write()
    }

    /// Writes the document again if functions were read since then.
    pub fn update(&mut self) -> Result<(), WriteError> {
        match self.functions.is_empty() {
            true => Ok(()),
            false => self.write(),
        }
    }

    fn write(&mut self) -> Result<(), WriteError> {
        let mut inner = lock(&self.document);
        let chunk = &mut inner.chunks[self.chunk];
        chunk.pieces[self.number] = piece(&mut self.functions);
        chunk.is_written = true;
        // A file that is renamed cannot be appended to. So chunks are copied for each one that follows: 10,000 of a kilobyte
        // are 50 GB of memory in the end, which is less than MLIR takes for them.
        let chunks = inner.chunks.iter().map(|chunk| &*chunk.pieces);
        let text = of_chunks(chunks);
        if text == inner.text {
            return Ok(());
        }
        memplan_output::write(&inner.path, text.as_bytes())?;
        inner.text = text;
        Ok(())
    }
}
