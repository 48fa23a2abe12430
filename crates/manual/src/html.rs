//! The manual as HTML: a file for each page, an index, a style sheet, a script, the words for the search, and pictures.
//!
//! The files need no network and no server: a browser opens them from the folder.

use crate::{
    markup::escaped,
    page::Page,
    part::{Entry, Part},
    pictures::PICTURES,
    search,
    section::{Section, rendered},
};
use std::{fmt::Write, fs, io, path::Path};

/// Files that do not depend on the pages.
const FIXED: [(&str, &str); 3] = [
    ("style.css", include_str!("site/style.css")),
    ("site.js", include_str!("site/site.js")),
    ("icon.svg", include_str!("site/icon.svg")),
];

/// The JSON Schema of reports.
const SCHEMA: &str = "report.schema.json";

/// A page, and what it becomes.
struct Rendered<'p> {
    page: &'p Page,
    html: String,
    sections: Vec<Section>,
}

/// Writes all files into a folder, which is created.
pub fn write(folder: &Path, parts: &[Part]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in FIXED.iter().chain(PICTURES) {
        memplan_output::write(&folder.join(name), text.as_bytes())?;
    }
    memplan_output::write(
        &folder.join(SCHEMA),
        memplan_report::schema::text().as_bytes(),
    )?;
    memplan_output::write(&folder.join("index.html"), index(parts).as_bytes())?;
    let pages = parts.iter().flat_map(Part::all).map(|page| {
        let (html, sections) = rendered(&page.text);
        Rendered {
            page,
            html,
            sections,
        }
    });
    let pages: Vec<Rendered<'_>> = pages.collect();
    let words = pages.iter().map(|one| {
        let page = one.page;
        (page.name.as_str(), label(page), one.sections.as_slice())
    });
    memplan_output::write(
        &folder.join("search-index.js"),
        search::index(words).as_bytes(),
    )?;
    let order = order(parts);
    for one in &pages {
        let file = folder.join(file(one.page));
        memplan_output::write(&file, of_page(parts, &order, one).as_bytes())?;
    }
    Ok(())
}

/// The file of a page.
fn file(page: &Page) -> String {
    format!("{}.html", page.name)
}

/// The name of a page in menus: its heading. Names of passes are what users type.
fn label(page: &Page) -> String {
    let heading = page
        .text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# "));
    heading.unwrap_or(&page.name).replace('`', "")
}

fn index(parts: &[Part]) -> String {
    let mut body = String::from(
        "<h1>memplan</h1>\n<p class=\"lead\">Memory planning for MLIR: a pass plugin for stock <code>mlir-opt</code>, a \
         library for compilers, a solver with a command line, and a small runtime.</p>\n<pre tabindex=\"0\"><code>",
    );
    body.push_str(&crate::highlight::highlighted(
        "sh",
        "mlir-opt in.mlir --load-pass-plugin=libmemplan.so \\\n    --pass-pipeline='builtin.module(memplan)'",
    ));
    body.push_str("</code></pre>\n");
    for part in parts {
        _ = write!(
            body,
            "<section>\n<h2>{}</h2>\n<dl class=\"pages\">\n",
            part.title
        );
        for Entry { page, .. } in &part.entries {
            let about = match label(page) == page.title {
                true => String::new(),
                false => escaped(&page.title.replace('`', "")),
            };
            _ = writeln!(
                body,
                "<dt><a href=\"{}\">{}</a></dt><dd>{about}</dd>",
                file(page),
                escaped(&label(page)),
            );
        }
        body.push_str("</dl>\n</section>\n");
    }
    document("memplan: the manual", parts, None, &body)
}

fn of_page(parts: &[Part], order: &[Row<'_>], one: &Rendered<'_>) -> String {
    let Rendered {
        page,
        html,
        sections,
    } = one;
    let row = order.iter().find(|row| row.page.name == page.name);
    let mut body = String::new();
    if let Some(up) = row.and_then(|row| row.up) {
        _ = writeln!(
            body,
            "<p class=\"up\"><a href=\"{}\">{}</a></p>",
            file(up),
            escaped(&label(up))
        );
    }
    match html.split_once("</h1>\n") {
        Some((heading, rest)) => {
            _ = write!(body, "{heading}</h1>\n{}{rest}", contents(sections));
        }
        None => body.push_str(html),
    }
    if let Some(row) = row {
        body.push_str(&neighbours(row));
    }
    let menu = row.map(|row| row.up.unwrap_or(row.page).name.as_str());
    // Texts of topics are too long for a title.
    const SHORT: usize = 72;
    let about = page.title.replace('`', "");
    let title = match label(page) {
        label if label == about || about.len() > SHORT => escaped(&label),
        label => format!("{}: {}", escaped(&label), escaped(&about)),
    };
    document(
        &format!("{title} · memplan"),
        parts,
        menu.map(|entry| (entry, page.name.as_str())),
        &body,
    )
}

/// A page with the pages around it in reading order.
struct Row<'p> {
    page: &'p Page,
    /// The page that lists it, where no menu does.
    up: Option<&'p Page>,
    before: Option<&'p Page>,
    after: Option<&'p Page>,
}

/// The order of the pages: those of the menu, and the leaves of each of them.
fn order(parts: &[Part]) -> Vec<Row<'_>> {
    let entries: Vec<&Entry> = parts.iter().flat_map(|part| &part.entries).collect();
    let menu: Vec<&Page> = entries.iter().map(|entry| &entry.page).collect();
    let mut rows = Vec::new();
    add_rows(&mut rows, &menu, None);
    for entry in entries {
        let leaves: Vec<&Page> = entry.leaves.iter().collect();
        add_rows(&mut rows, &leaves, Some(&entry.page));
    }
    rows
}

fn add_rows<'p>(rows: &mut Vec<Row<'p>>, pages: &[&'p Page], up: Option<&'p Page>) {
    for (at, page) in pages.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| pages.get(at));
        rows.push(Row {
            page,
            up,
            before: before.copied(),
            after: pages.get(at + 1).copied(),
        });
    }
}

/// Links to the pages before and after.
fn neighbours(row: &Row<'_>) -> String {
    let link = |page: Option<&Page>, rel: &str, word: &str| {
        page.map_or("<span></span>\n".to_owned(), |page| {
            format!(
                "<a rel=\"{rel}\" href=\"{}\"><small>{word}</small> {}</a>\n",
                file(page),
                escaped(&label(page))
            )
        })
    };
    format!(
        "<footer>\n{}{}</footer>\n",
        link(row.before, "prev", "Previous"),
        link(row.after, "next", "Next")
    )
}

/// The sections of a page, if there are several.
fn contents(sections: &[Section]) -> String {
    const SEVERAL: usize = 2;
    let sections: Vec<&Section> = sections.iter().filter(|one| one.level == 2).collect();
    if sections.len() < SEVERAL {
        return String::new();
    }
    let links = sections.iter().map(|one| {
        let heading = escaped(&one.heading);
        format!("<li><a href=\"#{}\">{heading}</a></li>\n", one.id)
    });
    let links: String = links.collect();
    format!(
        "<aside aria-label=\"On this page\">\n<h2>On this page</h2>\n<ul>\n{links}</ul>\n</aside>\n"
    )
}

/// The menu; `here` is the entry that the page belongs to, and the page.
fn menu(parts: &[Part], here: Option<(&str, &str)>) -> String {
    let mark = |page: &Page| match here {
        Some((_, name)) if page.name == name => " aria-current=\"page\"",
        Some((entry, _)) if page.name == entry => " aria-current=\"true\"",
        _ => "",
    };
    let mut menu = String::new();
    for part in parts {
        if let [Entry { page, .. }] = part.entries.as_slice()
            && label(page) == part.title
        {
            let mark = mark(page);
            _ = writeln!(
                menu,
                "<h2><a{mark} href=\"{}\">{}</a></h2>",
                file(page),
                part.title
            );
            continue;
        }
        _ = write!(menu, "<h2>{}</h2>\n<ul>\n", part.title);
        for Entry { page, .. } in &part.entries {
            let mark = mark(page);
            let class = match page.name.starts_with("memplan") {
                true => " class=\"name\"",
                false => "",
            };
            _ = writeln!(
                menu,
                "<li><a{class}{mark} href=\"{}\">{}</a></li>",
                file(page),
                escaped(&label(page))
            );
        }
        menu.push_str("</ul>\n");
    }
    menu
}

/// A file: the bar, the menu and the page.
fn document(title: &str, parts: &[Part], here: Option<(&str, &str)>, body: &str) -> String {
    let menu = menu(parts, here);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\" />\n\
         <link rel=\"stylesheet\" href=\"style.css\" />\n<script src=\"site.js\"></script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#site-page\">Skip to the text</a>\n\
         <header>\n<button id=\"site-menu-switch\" class=\"scripted\" type=\"button\" aria-expanded=\"false\" \
         aria-controls=\"site-menu\">Menu</button>\n\
         <a class=\"home\" href=\"index.html\">memplan</a>\n\
         <div class=\"search scripted\" role=\"search\">\
         <input id=\"site-search\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" aria-label=\"Search the manual\" \
         aria-controls=\"site-results\" placeholder=\"Search  /\" />\
         <div id=\"site-results\" hidden=\"hidden\"></div></div>\n\
         <button id=\"site-theme\" class=\"scripted\" type=\"button\" aria-label=\"Colours\">Auto</button>\n</header>\n\
         <div class=\"columns\">\n<nav id=\"site-menu\" aria-label=\"Pages\">\n{menu}</nav>\n\
         <main id=\"site-page\" tabindex=\"-1\">\n{body}</main>\n</div>\n</body>\n</html>\n"
    )
}
