//! Code as HTML with its tokens marked, by a scanner of one pass: the browser runs no script for it.
//!
//! The classes are those of `style.css`: `c` comment, `s` string, `n` number, `k` keyword, `t` type, `f` function or
//! operation, `a` attribute, key or option, `v` variable or SSA value.

use crate::markup::escaped;

/// The lexical rules of a language.
struct Language {
    /// What code blocks call it.
    names: &'static [&'static str],
    /// Starts a comment up to the end of the line.
    line_comment: &'static str,
    /// Has comments between `/*` and `*/`.
    has_block_comments: bool,
    /// The characters that open and close strings.
    quotes: &'static str,
    keywords: &'static [&'static str],
    /// Letters of words, other than alphanumeric ones and `_`.
    word_letters: &'static str,
    /// The class of a word that is no keyword: of the word, the text before it in its line, the text after it.
    word: fn(&str, &str, &str) -> Option<char>,
    /// Characters that start a word of one class: SSA values, symbols, variables.
    sigils: &'static [(char, char)],
}

const C_KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "true",
    "typedef",
    "union",
    "unsigned",
    "void",
    "while",
];

const CPP_KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "public",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "while",
];

const RUST_KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true", "type",
    "unsafe", "use", "where", "while",
];

const MLIR_KEYWORDS: &[&str] = &[
    "affine_map",
    "attributes",
    "dense",
    "do",
    "else",
    "from",
    "ins",
    "iter_args",
    "loc",
    "module",
    "outs",
    "private",
    "return",
    "step",
    "strided",
    "then",
    "to",
    "true",
    "false",
    "unit",
];

const PYTHON_KEYWORDS: &[&str] = &[
    "and", "as", "assert", "break", "class", "continue", "def", "elif", "else", "except", "False",
    "finally", "for", "from", "if", "import", "in", "is", "lambda", "None", "not", "or", "pass",
    "raise", "return", "True", "try", "while", "with", "yield",
];

const SHELL_KEYWORDS: &[&str] = &[
    "case", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in",
    "then", "until", "while",
];

const LANGUAGES: &[Language] = &[
    Language {
        names: &["mlir"],
        line_comment: "//",
        has_block_comments: false,
        quotes: "\"",
        keywords: MLIR_KEYWORDS,
        word_letters: ".$",
        word: mlir_word,
        sigils: &[('%', 'v'), ('@', 'f'), ('#', 'a'), ('!', 't'), ('^', 'v')],
    },
    Language {
        names: &["rust"],
        line_comment: "//",
        has_block_comments: true,
        quotes: "\"",
        keywords: RUST_KEYWORDS,
        word_letters: "",
        word: rust_word,
        sigils: &[],
    },
    Language {
        names: &["cpp"],
        line_comment: "//",
        has_block_comments: true,
        quotes: "\"'",
        keywords: CPP_KEYWORDS,
        word_letters: "",
        word: c_word,
        sigils: &[('#', 'a')],
    },
    Language {
        names: &["c"],
        line_comment: "//",
        has_block_comments: true,
        quotes: "\"'",
        keywords: C_KEYWORDS,
        word_letters: "",
        word: c_word,
        sigils: &[('#', 'a')],
    },
    Language {
        names: &["cmake"],
        line_comment: "#",
        has_block_comments: false,
        quotes: "\"",
        keywords: &[],
        word_letters: "-",
        word: cmake_word,
        sigils: &[('$', 'v')],
    },
    Language {
        names: &["toml"],
        line_comment: "#",
        has_block_comments: false,
        quotes: "\"'",
        keywords: &["true", "false"],
        word_letters: "-",
        word: toml_word,
        sigils: &[],
    },
    Language {
        names: &["sh"],
        line_comment: "#",
        has_block_comments: false,
        quotes: "\"'",
        keywords: SHELL_KEYWORDS,
        word_letters: "-./+",
        word: shell_word,
        sigils: &[('$', 'v')],
    },
    Language {
        names: &["json"],
        line_comment: "",
        has_block_comments: false,
        quotes: "\"",
        keywords: &["true", "false", "null"],
        word_letters: "",
        word: |_, _, _| None,
        sigils: &[],
    },
    Language {
        names: &["csv"],
        line_comment: "#",
        has_block_comments: false,
        quotes: "\"",
        keywords: &[],
        word_letters: "",
        word: |_, _, _| None,
        sigils: &[],
    },
    Language {
        names: &["python"],
        line_comment: "#",
        has_block_comments: false,
        quotes: "\"'",
        keywords: PYTHON_KEYWORDS,
        word_letters: "",
        word: c_word,
        sigils: &[('@', 'a')],
    },
];

/// Text without a language.
pub const PLAIN: &str = "text";

/// The language that the info string of a code block names: `rust` of `rust src/main.rs`.
pub fn language(info: &str) -> &str {
    info.split([' ', ',']).next().unwrap_or_default()
}

/// Whether code of that language is highlighted.
pub fn is_known(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|one| one.names.contains(&name))
}

/// Code as HTML. Code of an unknown language has no marks.
pub fn highlighted(name: &str, code: &str) -> String {
    let Some(language) = find(name) else {
        return escaped(code);
    };
    let mut out = String::with_capacity(2 * code.len());
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        let (length, class) = language.token(line, rest);
        let text = escaped(&rest[..length]);
        match class {
            Some(class) => out.push_str(&format!("<span class=\"{class}\">{text}</span>")),
            None => out.push_str(&text),
        }
        at += length;
    }
    out
}

impl Language {
    /// The length in bytes of the first token of `rest`, and its class; `line` is the text before it in its line.
    fn token(&self, line: &str, rest: &str) -> (usize, Option<char>) {
        let first = rest.chars().next().unwrap_or_default();
        if let Some(length) = self.comment(line, rest) {
            return (length, Some('c'));
        }
        if self.quotes.contains(first) {
            let length = string_length(rest, first);
            let is_key = self.names == ["json"] && rest[length..].trim_start().starts_with(':');
            return (length, Some(if is_key { 'a' } else { 's' }));
        }
        if let Some(length) = self.character(rest) {
            return (length, Some('s'));
        }
        if let Some((_, class)) = self.sigils.iter().find(|(sigil, _)| *sigil == first) {
            let length = match rest[1..].find(|one: char| !self.is_word(one)) {
                // `${NAME}`
                Some(0) if rest[1..].starts_with('{') => rest.find('}').map_or(1, |end| end + 1),
                Some(end) => end + 1,
                None => rest.len(),
            };
            return (length, (length > 1).then_some(*class));
        }
        if self.is_word(first) {
            let end = rest.find(|one: char| !self.is_word(one));
            let word = &rest[..end.unwrap_or(rest.len())];
            return (word.len(), self.class_of(word, line, &rest[word.len()..]));
        }
        (first.len_utf8(), None)
    }

    fn comment(&self, line: &str, rest: &str) -> Option<usize> {
        let starts_word = line.ends_with(|one: char| !one.is_whitespace());
        let is_line = !self.line_comment.is_empty()
            && rest.starts_with(self.line_comment)
            // In a shell `#` starts a comment only where a word would start.
            && !(self.line_comment == "#" && starts_word);
        if is_line {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        let is_block = self.has_block_comments && rest.starts_with("/*");
        is_block.then(|| rest.find("*/").map_or(rest.len(), |end| end + 2))
    }

    /// The length of a character literal of Rust; `'a` alone is a lifetime.
    fn character(&self, rest: &str) -> Option<usize> {
        let inner = rest.strip_prefix('\'').filter(|_| self.names == ["rust"])?;
        let inner = inner.strip_prefix('\\').unwrap_or(inner);
        let after = &inner[inner.chars().next()?.len_utf8()..];
        after
            .starts_with('\'')
            .then(|| rest.len() - after.len() + 1)
    }

    fn is_word(&self, one: char) -> bool {
        one.is_alphanumeric() || one == '_' || self.word_letters.contains(one)
    }

    fn class_of(&self, word: &str, line: &str, after: &str) -> Option<char> {
        if self.keywords.contains(&word) {
            return Some('k');
        }
        let is_number = word.starts_with(|one: char| one.is_ascii_digit())
            && word
                .chars()
                .all(|one| one.is_ascii_hexdigit() || "xX._".contains(one));
        match (self.word)(word, line, after) {
            None if is_number => Some('n'),
            class => class,
        }
    }
}

/// The length of a string, its quotes included; one that does not end in its line ends there.
fn string_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, one) in rest.char_indices().skip(1) {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote == '\'' => return at,
            one if one == quote => return at + one.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Operations have a dialect; types are builtin names and shapes such as `4x?xf32`.
fn mlir_word(word: &str, _: &str, after: &str) -> Option<char> {
    const TYPES: &[&str] = &[
        "memref", "tensor", "vector", "index", "none", "complex", "tuple",
    ];
    let element = word.rsplit('x').next().unwrap_or_default();
    let is_float = ["bf16", "tf32"].contains(&element);
    let width = element.trim_start_matches(|one: char| "sui".contains(one));
    let width = width.strip_prefix('f').unwrap_or(width);
    let is_scalar = element.len() > width.len()
        && !width.is_empty()
        && width.bytes().all(|one| one.is_ascii_digit());
    let is_shape = is_float || is_scalar || TYPES.contains(&element);
    if TYPES.contains(&word)
        || (is_shape
            && (word == element
                || word.starts_with(|one: char| one.is_ascii_digit() || one == 'x')))
    {
        return Some('t');
    }
    // `4x` of `4x?xf32`.
    if word.len() > 1
        && word.ends_with('x')
        && word[..word.len() - 1]
            .bytes()
            .all(|one| one.is_ascii_digit() || one == b'x')
        && after.starts_with('?')
    {
        return Some('t');
    }
    let has_dialect = word.contains('.') && word.starts_with(|one: char| one.is_ascii_lowercase());
    if !has_dialect {
        return None;
    }
    // `memplan.arena = …`, `{memplan.keep}` and `{a.b, c}` are attributes.
    let next = after.trim_start_matches(' ');
    let is_attribute = word.starts_with("memplan.")
        || next.starts_with([',', '}'])
        || (next.starts_with('=') && !next.starts_with("=="));
    Some(if is_attribute { 'a' } else { 'f' })
}

fn rust_word(word: &str, line: &str, after: &str) -> Option<char> {
    if after.starts_with('!') && !after.starts_with("!=") {
        return Some('f');
    }
    if line.ends_with('\'') {
        return None;
    }
    c_word(word, line, after)
}

/// Names with a capital are types; names before a parenthesis are functions.
fn c_word(word: &str, line: &str, after: &str) -> Option<char> {
    const TYPES: &[&str] = &[
        "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize", "f32", "f64", "str",
    ];
    if line.trim_start().starts_with('#') && line.contains("include") {
        return Some('s');
    }
    let is_type = TYPES.contains(&word)
        || word.ends_with("_t")
        || (word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase));
    if is_type {
        return Some('t');
    }
    let is_name = word.starts_with(|one: char| one.is_alphabetic() || one == '_');
    (is_name && after.starts_with('(')).then_some('f')
}

/// Commands stand before a parenthesis; arguments in capitals are keywords.
fn cmake_word(word: &str, _: &str, after: &str) -> Option<char> {
    if after.trim_start_matches(' ').starts_with('(') {
        return Some('f');
    }
    let is_capital = |one: char| one.is_ascii_uppercase() || one == '_';
    (word.len() > 1 && word.chars().all(is_capital)).then_some('k')
}

fn toml_word(_: &str, line: &str, after: &str) -> Option<char> {
    if line.trim_start().starts_with('[') && !line.contains('=') {
        return Some('t');
    }
    let next = after.trim_start_matches([' ', '.']);
    (next.starts_with('=') || (after.starts_with('.') && !line.contains('='))).then_some('a')
}

/// The first word of a command is its program; words that start with a dash are options.
fn shell_word(word: &str, line: &str, after: &str) -> Option<char> {
    if word.starts_with('-') && word.len() > 1 {
        return Some('a');
    }
    let before = line.trim();
    let starts = before.is_empty() || before.ends_with(['|', ';', '&', '(']) || before == "$";
    let is_continued = line.is_empty() || !line.starts_with(' ');
    // `NAME=value command`
    if starts && after.starts_with('=') {
        return Some('v');
    }
    (starts && (is_continued || !before.is_empty())).then_some('f')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_change_nothing_of_the_code() {
        let codes = [
            (
                "mlir",
                "%0 = memref.alloc() {memplan.keep} : memref<4x?xf32> // a \"b\"\n^bb0(%a: i32):\n",
            ),
            (
                "rust",
                "fn f<'a>(x: &'a str) -> String { format!(\"<{x}>\") } /* é */",
            ),
            (
                "cpp",
                "#include <vector>\nint main() { return 'a' < \"\\\"\"[0]; }",
            ),
            ("c", "size_t n = 0x10;"),
            ("cmake", "find_package(MLIR REQUIRED) # x\nset(A \"${B}\")"),
            ("toml", "[a.b]\nc = { path = 'd' }\n"),
            ("sh", "A=1 mlir-opt --x \"$B\" | memplan table - # c"),
            ("json", "{\"a\": [1, \"b\", null]}"),
            ("csv", "id,lower\n1,2\n"),
            ("python", "import json\nprint(f\"{x}\")"),
        ];
        for (name, code) in codes {
            let html = highlighted(name, code);
            let mut text = String::new();
            for part in html.split('<') {
                text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
            }
            assert!(html.contains("<span class=") || name == "csv", "{name}");
            assert_eq!(text, escaped(code), "{name}");
        }
    }

    #[test]
    fn operations_values_types_and_attributes_of_mlir_differ() {
        assert_eq!(
            highlighted("mlir", "%0 = memref.alloc() {memplan.keep} : memref<4xf32>"),
            "<span class=\"v\">%0</span> = <span class=\"f\">memref.alloc</span>() {<span class=\"a\">memplan.keep</span>} : \
             <span class=\"t\">memref</span>&lt;<span class=\"t\">4xf32</span>&gt;"
        );
    }

    #[test]
    fn programs_and_options_of_a_shell_differ() {
        assert_eq!(
            highlighted("sh", "memplan table -j r.json"),
            "<span class=\"f\">memplan</span> table <span class=\"a\">-j</span> r.json"
        );
    }

    #[test]
    fn a_language_is_the_first_word() {
        assert_eq!(language("rust src/main.rs"), "rust");
        assert_eq!(language("rust,no_run"), "rust");
        assert!(is_known("mlir") && !is_known(PLAIN));
    }
}
