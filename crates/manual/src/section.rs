//! Markdown as HTML: sections that links can lead to, tables that can be narrow.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};
use std::{collections::BTreeMap, fmt::Write};

/// Code in a sentence of up to so many letters stays on one line: a name is not broken at its dashes.
const WHOLE: usize = 32;

/// A heading that can be gone to.
pub struct Heading {
    /// Where it is in the page.
    pub id: String,
    /// Without marks.
    pub text: String,
}

/// Markdown as HTML, with the headings of its sections.
pub fn rendered(markdown: &str) -> (String, Vec<Heading>) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut headings: Vec<Heading> = Vec::new();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for at in 0..events.len() {
        if !matches!(events[at], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let inside = events[at..].iter();
        let inside = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = inside
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let mut anchor = anchor_of(&text);
        let times = taken.entry(anchor.clone()).or_default();
        *times += 1;
        if *times > 1 {
            _ = write!(anchor, "-{times}");
        }
        if let Event::Start(Tag::Heading { level, id, .. }) = &mut events[at] {
            *id = Some(CowStr::from(anchor.clone()));
            if *level == HeadingLevel::H2 {
                headings.push(Heading { id: anchor, text });
            }
        }
    }
    label_cells(&mut events);
    for event in &mut events {
        if let Event::Code(text) = event
            && text.len() <= WHOLE
        {
            let code = format!("<code class=\"whole\">{}</code>", escaped(text));
            *event = Event::InlineHtml(code.into());
        }
    }
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    // What is too wide for the page scrolls by itself, and by the keyboard, too.
    let html = html
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
        .replace("<pre>", "<pre tabindex=\"0\">");
    (html, headings)
}

/// Writes what its column is called on each cell of a table: where the page is narrow, columns are below each other.
fn label_cells(events: &mut [Event<'_>]) {
    let (mut labels, mut column, mut is_head) = (Vec::<String>::new(), 0, false);
    for event in events {
        match event {
            Event::Start(Tag::TableHead) => (labels, is_head) = (Vec::new(), true),
            Event::End(TagEnd::TableHead) => is_head = false,
            Event::Start(Tag::TableRow) => column = 0,
            Event::Start(Tag::TableCell) if is_head => labels.push(String::new()),
            Event::Text(text) if is_head => {
                if let Some(label) = labels.last_mut() {
                    label.push_str(text);
                }
            }
            Event::Start(Tag::TableCell) => {
                let label = labels.get(column).map_or("", String::as_str);
                let cell = match label {
                    "" => "<td>".to_owned(),
                    label => format!("<td data-label=\"{}\">", escaped(label)),
                };
                *event = Event::InlineHtml(cell.into());
                column += 1;
            }
            Event::End(TagEnd::TableCell) if !is_head => *event = Event::InlineHtml("</td>".into()),
            _ => {}
        }
    }
}

/// A text as a part of an address: letters and digits, and one dash for what is between them.
fn anchor_of(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// A text as a part of HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
