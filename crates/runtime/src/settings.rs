//! Settings from environment variables, read once.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::process::abort;
use std::sync::OnceLock;

/// Settings from environment variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Settings {
    /// `MEMPLAN_REGION_STATS`: print a table at exit.
    pub stats: bool,
    /// `MEMPLAN_REGION_DEBUG`: poison memory, check that one thread fills a region, list leaks at exit.
    pub debug: bool,
    /// `MEMPLAN_REGION_LIMIT`: the most bytes that regions may hold.
    pub limit: Option<u64>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings. The first call reads them. An invalid value aborts the process: a limit that is silently ignored is
/// worse than none.
#[inline]
pub(crate) fn get() -> &'static Settings {
    SETTINGS.get_or_init(read_or_abort)
}

#[cold]
fn read_or_abort() -> Settings {
    match Settings::read(|name| env::var_os(name)) {
        Ok(settings) => settings,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "memplan: {message}");
            abort()
        }
    }
}

impl Settings {
    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        let switch = |name: &str| match variable(name) {
            None => Ok(false),
            Some(value) => match value.to_str() {
                Some("" | "0") => Ok(false),
                Some("1") => Ok(true),
                _ => Err(format!("{name} is 0 or 1, not {value:?}")),
            },
        };
        let name = "MEMPLAN_REGION_LIMIT";
        let limit = match variable(name) {
            Some(value) if !value.is_empty() => {
                let bytes = value.to_str().and_then(parse_bytes);
                let invalid = || {
                    format!(
                        "{name} is a number of bytes, with k, M or G for 2^10, 2^20 or 2^30 of them, not {value:?}"
                    )
                };
                Some(bytes.ok_or_else(invalid)?)
            }
            _ => None,
        };
        Ok(Self {
            stats: switch("MEMPLAN_REGION_STATS")?,
            debug: switch("MEMPLAN_REGION_DEBUG")?,
            limit,
        })
    }
}

/// Parses a number of bytes such as `64k`.
fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['k', 'K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::read(|name| {
            let found = set.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn nothing_is_asked_for_by_default() {
        assert_eq!(read(&[]), Ok(Settings::default()));
        let empty = [("MEMPLAN_REGION_STATS", "0"), ("MEMPLAN_REGION_LIMIT", "")];
        assert_eq!(read(&empty), Ok(Settings::default()));
    }

    #[test]
    fn limits_have_units() {
        for (text, value) in [
            ("0", 0),
            ("123", 123),
            ("2k", 2048),
            ("3M", 3 << 20),
            ("1G", 1 << 30),
        ] {
            let read = read(&[("MEMPLAN_REGION_LIMIT", text)]).unwrap();
            assert_eq!(read.limit, Some(value), "{text}");
        }
    }

    #[test]
    fn invalid_values_are_errors() {
        let limits = [
            "x",
            "1x",
            "-1",
            "+1",
            "k",
            "1kk",
            "1 k",
            "99999999999G",
            "1.5M",
        ];
        for text in limits {
            let message = read(&[("MEMPLAN_REGION_LIMIT", text)]).unwrap_err();
            assert!(message.contains(text), "{message}");
        }
        let message = read(&[("MEMPLAN_REGION_DEBUG", "yes")]).unwrap_err();
        assert_eq!(message, "MEMPLAN_REGION_DEBUG is 0 or 1, not \"yes\"");
    }
}
