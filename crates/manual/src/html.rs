//! The manual as HTML: a file for each page, one that lists them, and pictures.

use crate::{
    book::Part,
    page::Page,
    pictures::PICTURES,
    section::{Heading, escaped, rendered},
};
use std::{fmt::Write, fs, io, path::Path};

const STYLE: &str = include_str!("style.css");
/// Shows the pages alone that have what is typed.
const SCRIPT: &str = include_str!("filter.js");

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
