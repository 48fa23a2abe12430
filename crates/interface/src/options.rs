//! Options of passes: kinds, defaults, and the values that they accept.

/// The declaration of an option.
#[derive(Debug)]
pub struct OptionDeclaration {
    /// The name before the `=`.
    pub name: &'static str,
    /// The description in one line.
    pub description: &'static str,
    /// The accepted values, and the default.
    pub kind: OptionKind,
}

/// The option of each pass with statistics that writes them. Pipelines forward it to all of their passes.
pub const STATISTICS: OptionDeclaration = OptionDeclaration {
    name: "statistics",
    description: "Write the numbers of changes that passes made as JSON to a file; - is standard error",
    kind: OptionKind::Text {
        default: "",
        placeholder: "FILE",
    },
};

/// The accepted values of an option, and its default.
#[derive(Debug)]
pub enum OptionKind {
    /// `true` or `false`; the name alone means `true`.
    Flag(bool),
    /// A whole number from `min` to `max`.
    Integer {
        /// Value if the option is not given.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Only powers of two are accepted.
        power_of_two: bool,
    },
    /// A number of bytes from `min` to `max`; a power of two if so asked. `i64::MAX` as the default means no limit.
    Bytes {
        /// If not given.
        default: i64,
        /// The least.
        min: i64,
        /// The largest.
        max: i64,
        /// Powers of two only.
        power_of_two: bool,
    },
    /// Any text.
    Text {
        /// Value if the option is not given.
        default: &'static str,
        /// Placeholder of the text in `--help`, in capitals.
        placeholder: &'static str,
    },
    /// One of some words.
    Choice {
        /// Value if the option is not given.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// One of some words; more can be registered while the process runs.
    DynamicChoice {
        /// Value if the option is not given.
        default: &'static str,
        /// The words at present.
        choices: fn() -> Vec<&'static str>,
    },
    /// One of some words, or an integer from 0 to 2^64 - 1.
    ChoiceOrInteger {
        /// Value if the option is not given.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// Texts separated by commas.
    List {
        /// Value if the option is not given.
        default: &'static str,
        /// Placeholder of an entry in `--help`, in capitals.
        placeholder: &'static str,
    },
}

impl OptionKind {
    /// The default, as text.
    pub fn default_text(&self) -> String {
        match self {
            Self::Flag(default) => default.to_string(),
            Self::Integer { default, .. } | Self::Bytes { default, .. } => default.to_string(),
            Self::Text { default, .. }
            | Self::Choice { default, .. }
            | Self::DynamicChoice { default, .. }
            | Self::ChoiceOrInteger { default, .. }
            | Self::List { default, .. } => (*default).to_string(),
        }
    }

    /// The default for readers: bytes in their largest unit, "none" where there is none.
    pub fn default_shown(&self) -> String {
        match self {
            Self::Integer { default, .. } | Self::Bytes { default, .. } if *default == i64::MAX => {
                "none".into()
            }
            Self::Bytes { default, .. } => bytes_shown(*default),
            kind => match kind.default_text() {
                text if text.is_empty() => "none".into(),
                text => text,
            },
        }
    }

    /// Placeholder of the value in `--help`.
    pub fn placeholder(&self) -> String {
        match self {
            Self::Flag(_) => "true|false".into(),
            Self::Integer { .. } => "N".into(),
            Self::Bytes { .. } => "BYTES".into(),
            Self::Text { placeholder, .. } => (*placeholder).into(),
            Self::Choice { choices, .. } => choices.join("|"),
            Self::DynamicChoice { choices, .. } => choices().join("|"),
            Self::ChoiceOrInteger { choices, .. } => format!("{}|N", choices.join("|")),
            Self::List { placeholder, .. } => format!("{placeholder},…"),
        }
    }

    /// The accepted values, in words.
    pub fn takes(&self) -> String {
        match self {
            Self::Flag(_) => "true or false".into(),
            Self::Integer {
                min,
                max,
                power_of_two,
                ..
            } => {
                let what = if *power_of_two {
                    "a power of two"
                } else {
                    "an integer"
                };
                within(what, *min, *max, |number| number.to_string())
            }
            Self::Bytes {
                min,
                max,
                power_of_two,
                ..
            } => {
                let what = if *power_of_two {
                    "a power of two in bytes"
                } else {
                    "a number of bytes"
                };
                within(what, *min, *max, bytes_shown)
            }
            Self::Text { placeholder, .. } => format!("text ({placeholder})"),
            Self::Choice { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::DynamicChoice { choices, .. } => format!("one of {}", choices().join(", ")),
            Self::ChoiceOrInteger { choices, .. } => {
                format!("one of {}, or an integer", choices.join(", "))
            }
            Self::List { placeholder, .. } => format!("a comma-separated list ({placeholder})"),
        }
    }

    /// The number that a text is: bytes may have a unit.
    pub fn number(&self, text: &str) -> Option<i64> {
        match self {
            Self::Bytes { .. } => i64::try_from(memplan_bytes::parse(text).ok()?).ok(),
            _ => text.parse().ok(),
        }
    }

    /// Whether the option accepts a value.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Flag(_) => matches!(text, "true" | "false" | "1" | "0"),
            Self::Integer {
                min,
                max,
                power_of_two,
                ..
            }
            | Self::Bytes {
                min,
                max,
                power_of_two,
                ..
            } => self.number(text).is_some_and(|value| {
                (*min..=*max).contains(&value)
                    && (!power_of_two || (value > 0 && value & (value - 1) == 0))
            }),
            Self::Choice { choices, .. } => choices.contains(&text),
            Self::DynamicChoice { choices, .. } => choices().contains(&text),
            Self::ChoiceOrInteger { choices, .. } => {
                choices.contains(&text) || text.parse::<u64>().is_ok()
            }
            Self::Text { .. } | Self::List { .. } => true,
        }
    }
}

/// Whether a flag with this value is set.
pub fn is_set(value: &str) -> bool {
    matches!(value, "true" | "1")
}

/// A range of numbers in words; `i64::MAX` is no limit.
fn within(what: &str, min: i64, max: i64, shown: impl Fn(i64) -> String) -> String {
    match max {
        i64::MAX => format!("{what}, at least {}", shown(min)),
        max => format!("{what} from {} to {}", shown(min), shown(max)),
    }
}

/// A number of bytes in the largest unit that divides it: `64 KiB`.
fn bytes_shown(bytes: i64) -> String {
    const UNITS: [(i64, &str); 4] = [
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
        (1, "B"),
    ];
    let unit = UNITS
        .iter()
        .find(|(size, _)| bytes != 0 && bytes % size == 0);
    unit.map_or_else(
        || "0".into(),
        |(size, name)| format!("{} {name}", bytes / size),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_with_units_and_without_limits_that_are_none() {
        let bytes = |default, max| OptionKind::Bytes {
            default,
            min: 0,
            max,
            power_of_two: false,
        };
        assert_eq!(bytes(65536, 1 << 30).default_shown(), "64 KiB");
        assert_eq!(bytes(65537, 1 << 30).default_shown(), "65537 B");
        assert_eq!(bytes(i64::MAX, i64::MAX).default_shown(), "none");
        assert_eq!(bytes(0, i64::MAX).takes(), "a number of bytes, at least 0");
        assert_eq!(
            bytes(0, 1 << 30).takes(),
            "a number of bytes from 0 to 1 GiB"
        );
        assert!(bytes(0, 8).accepts("8") && !bytes(0, 8).accepts("9"));
    }
}
