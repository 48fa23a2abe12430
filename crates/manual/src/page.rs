//! A page, and what is in the text of any.

/// A page of the manual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is asked for by; the name of its file.
    pub name: String,
    /// What it is about, in a line.
    pub title: String,
    /// Markdown, from the heading on.
    pub text: String,
}

impl Page {
    /// A chapter: its first line is the heading. In the repository, chapters link to Markdown and to pictures in other
    /// folders; all pages and pictures are in one folder.
    pub fn of_chapter(name: &str, text: &str) -> Self {
        let text = text.replace(".md)", ".html)").replace(".md#", ".html#");
        let text = text
            .replace("](../pictures/", "](")
            .replace("](../../../tests/pictures/", "](");
        let title = text.lines().next().unwrap_or_default();
        Self {
            name: name.to_owned(),
            title: title.trim_start_matches('#').trim().to_owned(),
            text,
        }
    }
}

/// A text inside a table.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A link to the page of a name.
pub(crate) fn link(name: &str) -> String {
    format!("[{name}]({name}.html)")
}
