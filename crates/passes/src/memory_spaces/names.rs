//! The names of memory spaces in options and attributes.

/// Name of the default memory space in options.
const DEFAULT_SPACE: &str = "default";

/// Short form of a memory space: `1` for what MLIR prints as `1 : i64`.
pub fn short_space(printed: &str) -> &str {
    printed.strip_suffix(" : i64").unwrap_or(printed)
}

/// The name of a memory space in options and attributes.
pub fn space_name(printed: &str) -> &str {
    match short_space(printed) {
        "" => DEFAULT_SPACE,
        name => name,
    }
}

/// The memory space of this name; `None` for an empty name.
pub fn space(name: &str) -> Option<String> {
    match short_space(name.trim()) {
        "" => None,
        // `memref<4xf32, 0>` is in the default memory space.
        DEFAULT_SPACE | "0" => Some(String::new()),
        name => Some(name.to_string()),
    }
}
