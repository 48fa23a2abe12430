//! The measures: which options of the pipeline are changed, one at a time.

/// A value of an option.
struct Choice {
    option: &'static str,
    value: &'static str,
    /// Whether it turns off what the option has on.
    removes: bool,
    /// In words.
    about: &'static str,
}

const fn on(option: &'static str, value: &'static str, about: &'static str) -> Choice {
    Choice {
        option,
        value,
        removes: false,
        about,
    }
}

const fn off(option: &'static str, value: &'static str, about: &'static str) -> Choice {
    Choice {
        option,
        value,
        removes: true,
        about,
    }
}

/// All choices. Those that an option has by default are skipped, unless it is given another value.
const CHOICES: &[Choice] = &[
    on("elide", "copies", "copies are computed in place"),
    off("elide", "none", "copies are computed in place"),
    on("split", "chains", "chains of operations run in strips"),
    off("split", "none", "chains of operations run in strips"),
    on("reorder", "blocks", "operations in another order"),
    off("reorder", "none", "operations in another order"),
    on(
        "out-params",
        "private",
        "private functions write results to memory of their callers",
    ),
    off(
        "out-params",
        "none",
        "private functions write results to memory of their callers",
    ),
    on("reuse", "all", "buffers in memory of arguments and results"),
    off(
        "reuse",
        "none",
        "buffers in memory of arguments and results",
    ),
    on(
        "in-place",
        "true",
        "an operation writes into a buffer that it reads last",
    ),
    off(
        "in-place",
        "false",
        "an operation writes into a buffer that it reads last",
    ),
    on("results", "on", "results count while buffers are placed"),
    off("results", "off", "results count while buffers are placed"),
    on(
        "results",
        "arena",
        "results of a function in one allocation",
    ),
    on(
        "recompute",
        "cheap",
        "cheap buffers are computed again next to late uses",
    ),
    off(
        "recompute",
        "none",
        "cheap buffers are computed again next to late uses",
    ),
    on("hoist", "loops", "allocations of dynamic size before loops"),
    off("hoist", "none", "allocations of dynamic size before loops"),
    on("alignment", "16", "slices aligned to 16 bytes"),
    on("effort", "thorough", "a longer search"),
];

/// A measure: the options with one of them changed.
#[derive(Debug, PartialEq, Eq)]
pub struct Measure {
    /// The changed option.
    pub option: String,
    /// Whether it turns off what is on.
    pub removes: bool,
    /// In words.
    pub about: &'static str,
    /// All options.
    pub options: String,
}

/// The measures for these options. `default` returns the default of an option as text.
pub fn of(options: &str, default: impl Fn(&str) -> Option<String>) -> Vec<Measure> {
    let given = given(options);
    let choices = CHOICES.iter().filter(|choice| {
        let now = given.iter().find(|(name, _)| *name == choice.option);
        // A flag alone is true.
        let now = now.map(|(_, value)| value.unwrap_or("true").to_owned());
        now.or_else(|| default(choice.option))
            .is_some_and(|now| now != choice.value)
    });
    let measures = choices.map(|choice| {
        let rest = given.iter().filter(|(name, _)| *name != choice.option);
        let mut words: Vec<String> = rest
            .map(|(name, value)| {
                value.map_or((*name).to_owned(), |value| format!("{name}={value}"))
            })
            .collect();
        let option = format!("{}={}", choice.option, choice.value);
        words.push(option.clone());
        Measure {
            option,
            removes: choice.removes,
            about: choice.about,
            options: words.join(" "),
        }
    });
    measures.collect()
}

/// The options of a text, with their values, which may be in braces or quotes.
fn given(options: &str) -> Vec<(&str, Option<&str>)> {
    let mut words = Vec::new();
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    for (at, c) in options.char_indices() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('{', None) => depth += 1,
            ('}', None) => depth = depth.saturating_sub(1),
            (' ', None) if depth == 0 => {
                words.push(&options[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&options[start..]);
    let words = words
        .into_iter()
        .map(str::trim)
        .filter(|word| !word.is_empty());
    words
        .map(|word| match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_declarations::pipelines::ALL;

    fn default(name: &str) -> Option<String> {
        let option = ALL.options().find(|option| option.name == name)?;
        Some(option.kind.default_text())
    }

    #[test]
    fn each_choice_is_a_value_that_the_pipeline_accepts() {
        for choice in CHOICES {
            let mut options = ALL.options();
            let option = options.find(|option| option.name == choice.option);
            assert!(
                option.is_some_and(|option| option.kind.accepts(choice.value)),
                "{}={}",
                choice.option,
                choice.value
            );
        }
    }

    #[test]
    fn what_is_on_is_turned_off_and_the_other_way_round() {
        let options = |text: &str| -> Vec<String> {
            let measures = of(text, default).into_iter();
            measures.map(|measure| measure.option).collect()
        };
        let plain = options("");
        assert!(plain.contains(&"elide=none".to_owned()), "{plain:?}");
        assert!(!plain.contains(&"elide=copies".to_owned()), "{plain:?}");
        let given = options("elide=none in-place=false recompute=cheap");
        for option in ["elide=copies", "in-place=true", "recompute=none"] {
            assert!(given.contains(&option.to_owned()), "{given:?}");
        }
    }

    #[test]
    fn other_options_stay_and_values_may_have_blanks() {
        let measures = of("alignment=128 shape={d0=4 d1=2} verify", default);
        let elide = measures.iter().find(|one| one.option == "elide=none");
        assert_eq!(
            elide.map(|one| one.options.as_str()),
            Some("alignment=128 shape={d0=4 d1=2} verify elide=none")
        );
        let alignment = measures.iter().find(|one| one.option == "alignment=16");
        assert_eq!(
            alignment.map(|one| one.options.as_str()),
            Some("shape={d0=4 d1=2} verify alignment=16")
        );
    }
}
