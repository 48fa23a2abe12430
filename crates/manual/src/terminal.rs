//! Pages as text.

/// A page's Markdown with lines of at most `width` columns; code and tables stay as they are, but for the cells of
/// tables, which are aligned.
pub fn text(markdown: &str, width: usize) -> String {
    let mut out = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            // The marks say nothing to a reader of the terminal.
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                push(&mut out, &format!("    {line}"));
            }
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            write_table(&mut out, &rows, width);
        } else if line.starts_with('#') || line.is_empty() {
            push(&mut out, line);
        } else {
            let (mark, behind) = match line.strip_prefix("* ") {
                Some(_) => ("* ", "  "),
                None => ("", ""),
            };
            let mut paragraph = line[mark.len()..].to_owned();
            let goes_on = |line: &&str| !line.is_empty() && !line.starts_with(['#', '|', '*', '`']);
            while let Some(more) = lines.next_if(goes_on) {
                paragraph.push(' ');
                paragraph.push_str(more.trim());
            }
            let options = textwrap::Options::new(width)
                .initial_indent(mark)
                .subsequent_indent(behind)
                .break_words(false)
                .word_splitter(textwrap::WordSplitter::NoHyphenation);
            push(
                &mut out,
                &textwrap::fill(&without_links(&paragraph), options),
            );
        }
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Rows as aligned columns, of which the last is wrapped.
fn write_table(out: &mut String, rows: &[&str], width: usize) {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .filter(|row| !row.starts_with("|---"))
        .map(|row| cells(row))
        .collect();
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        let texts = cells.iter().filter_map(|row| row.get(column));
        texts
            .map(|text| textwrap::core::display_width(text))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    for (number, row) in cells.iter().enumerate() {
        let mut line = String::new();
        let last = row.len().saturating_sub(1);
        for (text, width) in row.iter().zip(&widths).take(last) {
            let padding = width - textwrap::core::display_width(text);
            line.push_str(text);
            line.push_str(&" ".repeat(padding + 2));
        }
        let indent = textwrap::core::display_width(&line);
        let text = row.last().map_or("", String::as_str);
        // A narrow terminal breaks lines itself.
        let room = width.saturating_sub(indent).max(30);
        for (at, part) in textwrap::wrap(text, room).iter().enumerate() {
            let before = if at == 0 {
                line.clone()
            } else {
                " ".repeat(indent)
            };
            push(out, &format!("{before}{part}"));
        }
        if number == 0 {
            let all = widths.iter().sum::<usize>() + 2 * last;
            push(out, &"-".repeat(all.min(width)));
        }
    }
}

/// What links and pictures are about, without where they lead.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](")
        && let Some((_, behind)) = after.split_once(')')
        && let Some((start, about)) = before.rsplit_once('[')
    {
        out.push_str(start.strip_suffix('!').unwrap_or(start));
        out.push_str(about);
        rest = behind;
    }
    out + rest
}

/// The cells of a row, without links and marks of code.
fn cells(row: &str) -> Vec<String> {
    let row = without_links(row);
    let inner = row.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for one in inner.chars() {
        match one {
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '|' if !is_escaped => cells.push(String::new()),
            '`' => {}
            one => cells.last_mut().expect("there is one").push(one),
        }
        is_escaped = false;
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_code_stays() {
        let page =
            "# f\n\none two\nthree four\n\n```mlir\nop   {a = 1}\n```\n* a point that goes\n  on\n";
        assert_eq!(
            text(page, 14),
            "# f\n\none two three\nfour\n\n    op   {a = 1}\n* a point that\n  goes on\n"
        );
    }

    #[test]
    fn links_are_what_they_are_about() {
        let page = "see [one](one.html) or [a]\n[two](two.html)\n\n| [x](x.html) | y |\n";
        assert_eq!(text(page, 80), "see one or [a] two\n\nx  y\n----\n");
    }

    #[test]
    fn tables_are_aligned() {
        let page = "| option | |\n|---|---|\n| `a` | `x\\|y` or so |\n| `longer` | |\n";
        assert_eq!(
            text(page, 80),
            "option\n-----------------\na       x|y or so\nlonger\n"
        );
    }
}
