//! The names of passes and options in C and C++.

/// `merge-alloc` as `MergeAlloc`.
pub fn upper_camel(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// The keywords of C++20, except those that contain `_`, which no option has.
const KEYWORDS: [&str; 75] = [
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
];

/// `min-size` as `minSize`. A keyword of C++ gets a final `_`.
pub fn lower_camel(name: &str) -> String {
    let upper = upper_camel(name);
    let mut letters = upper.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    let name: String = first.into_iter().chain(letters).collect();
    match KEYWORDS.contains(&name.as_str()) {
        true => name + "_",
        false => name,
    }
}

/// The name of a pass without the prefix `memplan-` and the suffix `-pipeline`, in upper camel
/// case. The pipeline `memplan` keeps its name.
pub fn stem(argument: &str) -> String {
    let stem = argument.strip_prefix("memplan-").unwrap_or(argument);
    upper_camel(stem.strip_suffix("-pipeline").unwrap_or(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_a_reader_of_mlirs_headers_expects() {
        assert_eq!(stem("memplan-merge-alloc"), "MergeAlloc");
        assert_eq!(stem("memplan-dealloc-pipeline"), "Dealloc");
        assert_eq!(stem("memplan"), "Memplan");
        assert_eq!(lower_camel("min-size"), "minSize");
        assert_eq!(lower_camel("virtual"), "virtual_");
    }
}
