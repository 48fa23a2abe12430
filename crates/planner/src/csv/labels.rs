//! The ids and times of a text, where they are not those of its problems.

use std::borrow::Cow;
use std::sync::Arc;

/// Names buffers and times as the text does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// The text of each id; empty if ids are the numbers in the text.
    ids: Arc<[Box<str>]>,
    /// The time in the text that is 0 in the problems; at most 0.
    origin: i64,
}

impl Labels {
    /// Labels of these ids, and of times that count from `origin`.
    pub(super) fn new(ids: impl IntoIterator<Item = Box<str>>, origin: i64) -> Self {
        Labels {
            ids: ids.into_iter().collect(),
            origin,
        }
    }

    /// Whether ids are texts.
    pub fn has_names(&self) -> bool {
        !self.ids.is_empty()
    }

    /// The id of a buffer as the text has it.
    pub fn buffer(&self, id: u64) -> Cow<'_, str> {
        let text = usize::try_from(id).ok().and_then(|at| self.ids.get(at));
        match text {
            Some(text) => Cow::Borrowed(&**text),
            None => Cow::Owned(id.to_string()),
        }
    }

    /// The time in the text that is 0 in the problems; at most 0.
    pub fn origin(&self) -> i64 {
        self.origin
    }

    /// A time as the text has it.
    pub fn time(&self, time: u64) -> i128 {
        i128::from(time) + i128::from(self.origin)
    }
}
