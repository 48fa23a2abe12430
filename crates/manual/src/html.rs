//! The manual as HTML: a file for each page, one that lists them, and pictures.

use crate::{book::Part, page::Page};
use pulldown_cmark::{Options, Parser, html::push_html};
use std::{fmt::Write, fs, io, path::Path};

/// Pictures that chapters show, by the names of their files.
const PICTURES: &[(&str, &str)] = &[(
    "resnet18.svg",
    include_str!("../../../tests/pictures/resnet18.svg"),
)];

const STYLE: &str = include_str!("style.css");

/// Writes all files into a folder, which is made.
pub fn write(folder: &Path, parts: &[Part]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("style.css"), STYLE)?;
    for (name, picture) in PICTURES {
        fs::write(folder.join(name), picture)?;
    }
    fs::write(folder.join("index.html"), index(parts))?;
    for page in parts.iter().flat_map(Part::all) {
        fs::write(
            folder.join(format!("{}.html", page.name)),
            of_page(parts, page),
        )?;
    }
    Ok(())
}

fn index(parts: &[Part]) -> String {
    let mut body = String::from(
        "<h1>memplan</h1>\n<p>Memory planning for MLIR: what each pass does, and how it all works.</p>\n",
    );
    for part in parts {
        _ = write!(body, "<h2>{}</h2>\n<table>\n", part.title);
        for page in &part.pages {
            _ = writeln!(
                body,
                "<tr><td><a href=\"{0}.html\"><code>{0}</code></a></td><td>{1}</td></tr>",
                page.name,
                escaped(&page.title)
            );
        }
        body.push_str("</table>\n");
    }
    document("memplan", parts, "", &body)
}

fn of_page(parts: &[Part], page: &Page) -> String {
    let mut body = String::new();
    let parser = Parser::new_ext(&page.text, Options::ENABLE_TABLES);
    push_html(&mut body, parser);
    document(&page.name, parts, &page.name, &body)
}

/// A file: where one can go, and what is there.
fn document(title: &str, parts: &[Part], here: &str, body: &str) -> String {
    let mut menu = String::from("<a href=\"index.html\">memplan</a>\n");
    for part in parts {
        _ = write!(menu, "<h2>{}</h2>\n<ul>\n", part.title);
        for page in &part.pages {
            let is_here = if page.name == here {
                " class=\"here\""
            } else {
                ""
            };
            _ = writeln!(
                menu,
                "<li{is_here}><a href=\"{0}.html\">{0}</a></li>",
                page.name
            );
        }
        menu.push_str("</ul>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{}</title>\n<link rel=\"stylesheet\" href=\"style.css\" />\n</head>\n<body>\n\
         <nav>\n{menu}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
