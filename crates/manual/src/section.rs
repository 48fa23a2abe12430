//! Markdown as HTML: headings with anchors, highlighted code, tables that scroll; and as plain text for the search.

use crate::{
    highlight::{highlighted, language},
    markup::escaped,
};
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html,
};
use std::{collections::BTreeMap, fmt::Write};

/// Inline code of at most so many bytes stays on one line: a name does not break at its dashes.
const UNBROKEN: usize = 32;

/// A section of a page: from one heading to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The id of its heading; empty for text before the first heading.
    pub id: String,
    /// The level of its heading, from 1.
    pub level: u8,
    /// The heading without marks.
    pub heading: String,
    /// The words of the section, without marks.
    pub text: String,
}

/// Markdown as HTML, with its sections.
pub fn rendered(markdown: &str) -> (String, Vec<Section>) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let sections = with_anchors(&mut events);
    let events = with_code(events);
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    // A table or code that is too wide for the page scrolls by itself, and by the keyboard, too.
    let html = html
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
    (html, sections)
}

/// Gives each heading an id and a link to itself, and collects the sections.
fn with_anchors(events: &mut Vec<Event<'_>>) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut start = None;
    for at in 0..events.len() {
        match &events[at] {
            Event::Start(Tag::Heading { level, .. }) => {
                start = Some(at);
                sections.push(Section {
                    level: *level as u8,
                    ..Section::default()
                });
            }
            Event::End(TagEnd::Heading(_)) => {
                let section = sections.last_mut().expect("it was pushed");
                section.id = unused(anchor_of(&section.heading), &mut taken);
                if let Some(Event::Start(Tag::Heading { id, .. })) =
                    start.take().and_then(|start| events.get_mut(start))
                {
                    *id = Some(CowStr::from(section.id.clone()));
                }
            }
            Event::Text(text) | Event::Code(text) => {
                let section = sections.last_mut().expect("there is one");
                let words = match start {
                    Some(_) => &mut section.heading,
                    None => &mut section.text,
                };
                words.push_str(text);
            }
            _ if start.is_none() => {
                let text = &mut sections.last_mut().expect("there is one").text;
                if !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    let mut left = sections.iter().skip(1);
    let mut linked = Vec::with_capacity(events.len());
    for event in events.drain(..) {
        if let Event::End(TagEnd::Heading(level)) = event
            && let Some(section) = left.next()
            && level != HeadingLevel::H1
        {
            let link = format!(
                " <a class=\"anchor\" href=\"#{}\" aria-label=\"Link to this section\">#</a>",
                section.id
            );
            linked.push(Event::InlineHtml(link.into()));
        }
        linked.push(event);
    }
    *events = linked;
    sections
}

/// Highlights code blocks, and keeps short inline code on one line.
fn with_code(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut out = Vec::with_capacity(events.len());
    let mut block: Option<(String, String)> = None;
    for event in events {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => info.as_ref(),
                    CodeBlockKind::Indented => "",
                };
                block = Some((language(info).to_owned(), String::new()));
            }
            Event::Text(text) if block.is_some() => {
                if let Some((_, code)) = &mut block {
                    code.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let (name, code) = block.take().unwrap_or_default();
                let html = format!(
                    "<pre tabindex=\"0\"><code>{}</code></pre>\n",
                    highlighted(&name, &code)
                );
                out.push(Event::Html(html.into()));
            }
            Event::Code(text) if text.len() <= UNBROKEN => {
                let code = format!("<code class=\"whole\">{}</code>", escaped(&text));
                out.push(Event::InlineHtml(code.into()));
            }
            event => out.push(event),
        }
    }
    out
}

/// An anchor that no other heading of the page has.
fn unused(mut anchor: String, taken: &mut BTreeMap<String, usize>) -> String {
    let times = taken.entry(anchor.clone()).or_default();
    *times += 1;
    if *times > 1 {
        _ = write!(anchor, "-{times}");
    }
    anchor
}

/// A text as a part of an address: letters and digits, and one dash for all that is between them.
pub fn anchor_of(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_anchors_and_sections_have_words() {
        let (html, sections) = rendered("# A\n\none `two`\n\n## B `c`\n\nthree\n\n## B c\n");
        let ids: Vec<&str> = sections.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["", "a", "b-c", "b-c-2"]);
        assert_eq!(sections[1].text.trim(), "one two");
        assert_eq!(sections[2].heading, "B c");
        assert!(
            html.contains(
                "<h2 id=\"b-c\">B <code class=\"whole\">c</code> <a class=\"anchor\" href=\"#b-c\""
            ),
            "{html}"
        );
    }

    #[test]
    fn code_is_highlighted_by_its_language() {
        let (html, _) = rendered("```mlir file.mlir\n%0\n```\n");
        assert_eq!(
            html,
            "<pre tabindex=\"0\"><code><span class=\"v\">%0</span>\n</code></pre>\n"
        );
    }
}
