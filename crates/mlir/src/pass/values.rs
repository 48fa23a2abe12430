//! The values of options, given or default.

use memplan_interface::{Declaration, is_set};

/// The values of a pass's options, given or default. They are checked before any pass runs.
#[derive(Clone, Debug)]
pub struct OptionValues {
    declaration: &'static Declaration,
    texts: Vec<String>,
}

impl OptionValues {
    /// Given values: one text for each declared option.
    pub(super) fn given(declaration: &'static Declaration, texts: Vec<String>) -> Self {
        Self { declaration, texts }
    }

    /// The defaults, for callers that do the work of a pass without a pass manager.
    pub fn defaults(declaration: &'static Declaration) -> Self {
        Self {
            declaration,
            texts: declaration
                .options
                .iter()
                .map(|option| option.kind.default_text())
                .collect(),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        for (option, text) in self.declaration.options.iter().zip(&self.texts) {
            if !option.kind.accepts(text) {
                return Err(format!(
                    "{}: option '{}' takes {}, not '{text}'",
                    self.declaration.argument,
                    option.name,
                    option.kind.takes()
                ));
            }
        }
        Ok(())
    }

    /// The value of an option, as text. An undeclared option is a bug of the pass.
    pub fn text(&self, name: &str) -> &str {
        let index = self
            .declaration
            .options
            .iter()
            .position(|option| option.name == name)
            .unwrap_or_else(|| panic!("option '{name}' is not declared"));
        &self.texts[index]
    }

    /// The value of an option, as text, if the pass has it.
    pub(super) fn given_text(&self, name: &str) -> Option<&str> {
        let mut options = self.declaration.options.iter().zip(&self.texts);
        options
            .find(|(option, _)| option.name == name)
            .map(|(_, text)| text.as_str())
    }

    /// The value of a flag.
    pub fn flag(&self, name: &str) -> bool {
        is_set(self.text(name))
    }

    /// The value of an integer option.
    pub fn integer(&self, name: &str) -> i64 {
        let options = self.declaration.options.iter().zip(&self.texts);
        let mut named = options.filter(|(option, _)| option.name == name);
        let number = named
            .next()
            .and_then(|(option, text)| option.kind.number(text));
        number.unwrap_or_default()
    }

    /// The entries of a list.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.text(name)
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_interface::{Example, OptionDeclaration, OptionKind};

    static DECLARATION: Declaration = Declaration {
        argument: "test-pass",
        summary: "",
        description: "",
        example: Example {
            before: "",
            after: "",
        },
        options: &[
            OptionDeclaration {
                name: "flag",
                description: "",
                kind: OptionKind::Flag(true),
            },
            OptionDeclaration {
                name: "size",
                description: "",
                kind: OptionKind::Integer {
                    default: 64,
                    min: 1,
                    max: 128,
                    power_of_two: true,
                },
            },
            OptionDeclaration {
                name: "mode",
                description: "",
                kind: OptionKind::Choice {
                    default: "one",
                    choices: &["one", "other"],
                },
            },
            OptionDeclaration {
                name: "pace",
                description: "",
                kind: OptionKind::ChoiceOrInteger {
                    default: "slow",
                    choices: &["slow", "fast"],
                },
            },
            OptionDeclaration {
                name: "names",
                description: "",
                kind: OptionKind::List {
                    default: "a, b,,c",
                    placeholder: "NAME",
                },
            },
        ],
        statistics: &[],
        codes: &[],
        dialects: &[],
        module_only: false,
    };

    fn with(texts: [&str; 5]) -> OptionValues {
        OptionValues {
            declaration: &DECLARATION,
            texts: texts.map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn defaults_are_accepted_and_read_by_kind() {
        let values = OptionValues::defaults(&DECLARATION);
        assert_eq!(values.check(), Ok(()));
        assert!(values.flag("flag"));
        assert_eq!(values.integer("size"), 64);
        assert_eq!(values.text("mode"), "one");
        assert_eq!(values.text("pace"), "slow");
        assert_eq!(values.list("names").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn the_error_of_a_bad_value_lists_the_accepted_ones() {
        let error_of = |texts| with(texts).check().unwrap_err();
        assert_eq!(
            error_of(["maybe", "1", "one", "slow", ""]),
            "test-pass: option 'flag' takes true or false, not 'maybe'"
        );
        for size in ["3", "0", "256", "-2", "x", ""] {
            assert_eq!(
                error_of(["true", size, "one", "slow", ""]),
                format!(
                    "test-pass: option 'size' takes a power of two from 1 to 128, not '{size}'"
                )
            );
        }
        assert_eq!(
            error_of(["true", "1", "One", "slow", ""]),
            "test-pass: option 'mode' takes one of one, other, not 'One'"
        );
        for pace in ["Slow", "-1", "1.5", "18446744073709551616", ""] {
            assert_eq!(
                error_of(["true", "1", "one", pace, ""]),
                format!(
                    "test-pass: option 'pace' takes one of slow, fast, or an integer, not '{pace}'"
                )
            );
        }
        assert_eq!(with(["true", "1", "one", "17", ""]).check(), Ok(()));
    }
}
