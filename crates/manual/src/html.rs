//! The manual as HTML: a file for each page, one that lists them, and pictures.

use crate::{book::Part, page::Page, pictures::PICTURES};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};
use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};

const STYLE: &str = include_str!("style.css");
/// Shows the pages alone that have what is typed.
const SCRIPT: &str = include_str!("filter.js");

/// Code in a sentence of up to so many letters stays on one line: a name is not broken at its dashes.
const WHOLE: usize = 32;

/// Writes all files into a folder, which is made.
pub fn write(folder: &Path, parts: &[Part]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("style.css"), STYLE)?;
    fs::write(folder.join("filter.js"), SCRIPT)?;
    for (name, picture) in PICTURES {
        fs::write(folder.join(name), picture)?;
    }
    fs::write(folder.join("index.html"), index(parts))?;
    for part in parts {
        for page in part.all() {
            let file = folder.join(format!("{}.html", page.name));
            fs::write(file, of_page(parts, part, page))?;
        }
    }
    Ok(())
}

fn index(parts: &[Part]) -> String {
    let mut body = String::from(
        "<h1>memplan</h1>\n<p>Memory planning for MLIR: what each pass does, and how it all works.</p>\n\
         <p class=\"search\" hidden=\"hidden\"><label for=\"filter\">Find a page</label> \
         <input id=\"filter\" type=\"search\" autocomplete=\"off\" placeholder=\"merge, E101, planner …\" /></p>\n\
         <p id=\"none\" hidden=\"hidden\">No page has that in its name or title.</p>\n",
    );
    for part in parts {
        _ = write!(
            body,
            "<section>\n<h2>{}</h2>\n<table class=\"pages\">\n",
            part.title
        );
        for page in &part.pages {
            body.push_str(&row(page, ""));
        }
        for page in &part.leaves {
            // Too many to read through: they show where they are looked for.
            body.push_str(&row(page, " class=\"leaf\" hidden=\"hidden\""));
        }
        body.push_str("</table>\n</section>\n");
    }
    body.push_str("<script src=\"filter.js\"></script>\n");
    document("memplan: the manual", parts, "", &body)
}

fn row(page: &Page, attributes: &str) -> String {
    format!(
        "<tr{attributes}><td><a href=\"{0}.html\"><code>{0}</code></a></td><td>{1}</td></tr>\n",
        page.name,
        escaped(&page.title.replace('`', ""))
    )
}

fn of_page(parts: &[Part], part: &Part, page: &Page) -> String {
    let (text, headings) = rendered(&page.text);
    let mut body = String::new();
    if part.leaves.iter().any(|leaf| leaf.name == page.name) {
        for up in &part.pages {
            _ = writeln!(
                body,
                "<p class=\"up\"><a href=\"{0}.html\">{0}</a></p>",
                up.name
            );
        }
    }
    match text.split_once("</h1>\n") {
        Some((heading, rest)) => _ = write!(body, "{heading}</h1>\n{}{rest}", contents(&headings)),
        None => body.push_str(&text),
    }
    body.push_str(&neighbours(parts, part, page));
    document(&format!("{}: memplan", page.name), parts, &page.name, &body)
}

/// A heading that can be gone to.
struct Heading {
    id: String,
    text: String,
}

/// Markdown as HTML, with the headings of its sections.
fn rendered(markdown: &str) -> (String, Vec<Heading>) {
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

/// Where the sections of a page are, if they are many.
fn contents(headings: &[Heading]) -> String {
    const MANY: usize = 3;
    if headings.len() < MANY {
        return String::new();
    }
    let links = headings.iter();
    let links = links.map(|one| format!("<a href=\"#{}\">{}</a>", one.id, escaped(&one.text)));
    let links: Vec<String> = links.collect();
    format!("<p class=\"contents\">{}</p>\n", links.join("\n"))
}

/// The pages before and behind one: of all that menus have, or of all that one page leads to.
fn neighbours(parts: &[Part], part: &Part, page: &Page) -> String {
    let is_leaf = part.leaves.iter().any(|leaf| leaf.name == page.name);
    let row: Vec<&Page> = match is_leaf {
        true => part.leaves.iter().collect(),
        false => parts.iter().flat_map(|part| &part.pages).collect(),
    };
    let Some(at) = row.iter().position(|one| one.name == page.name) else {
        return String::new();
    };
    let link = |at: Option<usize>, rel: &str, arrow: [&str; 2]| {
        let page = at.and_then(|at| row.get(at));
        page.map_or("<span></span>\n".to_owned(), |page| {
            let [before, behind] = arrow;
            format!(
                "<a rel=\"{rel}\" href=\"{0}.html\">{before}{0}{behind}</a>\n",
                page.name
            )
        })
    };
    format!(
        "<footer>\n{}{}</footer>\n",
        link(at.checked_sub(1), "prev", ["← ", ""]),
        link(Some(at + 1), "next", ["", " →"])
    )
}

/// A file: where one can go, and what is there.
fn document(title: &str, parts: &[Part], here: &str, body: &str) -> String {
    let mut menu = String::new();
    for part in parts {
        _ = write!(menu, "<h2>{}</h2>\n<ul>\n", part.title);
        for page in &part.pages {
            let is_here = match page.name == here {
                true => " aria-current=\"page\"",
                false => "",
            };
            _ = writeln!(
                menu,
                "<li><a{is_here} href=\"{0}.html\">{0}</a></li>",
                page.name
            );
        }
        menu.push_str("</ul>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{}</title>\n<link rel=\"stylesheet\" href=\"style.css\" />\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#page\">To the page</a>\n\
         <nav aria-label=\"Pages\">\n<a class=\"home\" href=\"index.html\">memplan</a>\n\
         {menu}</nav>\n\
         <main id=\"page\">\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
