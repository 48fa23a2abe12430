//! The options for the memory spaces of a CSV: capacities, forbidden addresses, banks, certificates.

use std::path::Path;

use anyhow::{Error, Result, anyhow, bail};
use memplan_bytes as bytes;
use memplan_planner::banks::MAX_BANKS;
use memplan_planner::csv::{Space, Table};
use memplan_planner::{Bank, BankLayout, Forbidden, ProblemError};

use crate::facts::escaped_name;

/// How large the memory spaces are.
#[derive(clap::Args)]
pub struct Capacity {
    /// How many bytes there are, as 1048576 or 1MiB: in each memory space, or in the one named.
    #[arg(long, value_name = "[SPACE:]BYTES", value_parser = parse_capacity)]
    capacity: Vec<Scoped<u64>>,
}

/// What is not to be used of them.
#[derive(clap::Args)]
pub struct Forbid {
    /// Addresses that no buffer may use, TO not among them: in each memory space, or in the one
    /// named.
    #[arg(long, value_name = "[SPACE:]FROM-TO", value_parser = parse_forbidden)]
    forbid: Vec<Scoped<Forbidden>>,
}

/// The banks of the memory spaces.
#[derive(clap::Args)]
pub struct BankOption {
    /// The banks of each memory space, or of the one named. 4 is four equal banks of the capacity; 16KiB,16KiB,32KiB has the
    /// size of each; 0-16KiB,32KiB-48KiB has their addresses, TO not among them; 32x4 is 32 interleaved banks of 4 bytes,
    /// so that address 132 is in bank 1. A buffer is in one bank, or in those of its column bank: numbers, any where it
    /// may cross from bank to bank, or both; in interleaved banks it may be anywhere, or starts in those of its column. The
    /// column apart has ids and @GROUPS of buffers that are in no common bank while both are live.
    #[arg(long, value_name = "[SPACE:]BANKS", value_parser = parse_banks)]
    banks: Vec<Scoped<bytes::Banks>>,
}

/// The files with certificates.
#[derive(clap::Args)]
pub struct Certificates {
    /// Where the certificate of the lower bound is: a proof that memplan check accepts. Where there
    /// are several memory spaces, each has a file of its own. Write ./A=B for a file with this sign in
    /// its name.
    #[arg(long, value_name = "[SPACE=]FILE")]
    certificate: Vec<String>,
}

/// A value for one memory space, or for all.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Scoped<T> {
    space: Option<String>,
    value: T,
}

impl Capacity {
    /// Sets the capacities of the problems.
    pub fn apply(&self, table: &mut Table<'_>) -> Result<()> {
        let has_spaces = table.has_spaces();
        for scoped in &self.capacity {
            for space in scoped.spaces(table, "--capacity")? {
                if space.problem.capacity.replace(scoped.value).is_some() {
                    match has_spaces {
                        false => bail!("--capacity is given twice"),
                        true => bail!(
                            "--capacity is given twice for the memory space '{}'",
                            space.name.escape_debug()
                        ),
                    }
                }
            }
        }
        Ok(())
    }
}

impl Forbid {
    /// Adds the forbidden addresses to the problems.
    pub fn apply(&self, table: &mut Table<'_>) -> Result<()> {
        for scoped in &self.forbid {
            for space in scoped.spaces(table, "--forbid")? {
                space.problem.forbidden.push(scoped.value);
            }
        }
        // The buffers were checked with the text, so these errors are due to the option and not to
        // lines of the text.
        for space in table.spaces.iter() {
            if !space.problem.forbidden.is_empty()
                && let Err(error @ (ProblemError::TooLarge | ProblemError::TooMany { .. })) =
                    space.problem.check()
            {
                bail!("--forbid: {error}");
            }
        }
        Ok(())
    }
}

impl BankOption {
    /// Gives the problems banks, after their capacities. `name` is the file with the buffers.
    pub fn apply(&self, table: &mut Table<'_>, name: &str) -> Result<()> {
        for scoped in &self.banks {
            for space in scoped.spaces(table, "--banks")? {
                if space.problem.banks.is_some() {
                    bail!("--banks is given twice for one memory space");
                }
                space.set_banks(layout(&scoped.value, space.problem.capacity)?);
            }
        }
        for space in &table.spaces {
            if let Err(ProblemError::Banks(error)) = space.problem.check()
                && error.is_of_layout()
            {
                bail!("--banks: {}", ProblemError::Banks(error));
            }
        }
        let lacks = |space: &Space| !space.rules.is_empty() && space.problem.banks.is_none();
        if let Some(line) = table.bank_rule().filter(|_| table.spaces.iter().any(lacks)) {
            bail!(
                "{name}: line {line} has a rule for banks, and there are none: name them with --banks"
            );
        }
        Ok(())
    }
}

/// The banks of the option, with what it leaves to the capacity.
fn layout(banks: &bytes::Banks, capacity: Option<u64>) -> Result<BankLayout> {
    match banks {
        bytes::Banks::Count(count) => equal(*count, capacity),
        bytes::Banks::Sizes(sizes) => BankLayout::of_sizes(sizes)
            .ok_or_else(|| anyhow!("--banks: the banks are more than 2^64 - 1 bytes")),
        bytes::Banks::Ranges(ranges) => {
            let banks = ranges.iter().map(|&(start, end)| Bank { start, end });
            Ok(BankLayout::Contiguous(banks.collect()))
        }
        &bytes::Banks::Interleaved { count, width } => Ok(BankLayout::Interleaved { count, width }),
    }
}

/// Equal banks of the capacity.
fn equal(count: u32, capacity: Option<u64>) -> Result<BankLayout> {
    let Some(capacity) = capacity else {
        bail!(
            "--banks={count} divides the capacity, and there is none: write the size of each bank, as 4KiB,4KiB"
        );
    };
    BankLayout::equal(count, capacity).ok_or_else(|| {
        anyhow!("--banks={count}: the capacity of {capacity} bytes is no multiple of {count}")
    })
}

impl Certificates {
    /// The index of the space and the file of each certificate.
    pub fn files<'a>(&'a self, table: &Table<'_>) -> Result<Vec<(usize, &'a Path)>> {
        let mut files: Vec<(usize, &Path)> = Vec::new();
        for text in &self.certificate {
            // A path may contain `=`, too.
            let named = text.match_indices('=').find_map(|(at, _)| {
                let mut spaces = table.spaces.iter();
                let space = spaces.position(|space| space.name == text[..at])?;
                table.has_spaces().then_some((space, &text[at + 1..]))
            });
            let (space, path) = match named {
                Some(named) => named,
                None if names_a_space(text) => {
                    let name = text.split('=').next().unwrap_or(text);
                    return Err(unknown(table, "--certificate", name));
                }
                None if table.spaces.len() == 1 => (0, text.as_str()),
                None => bail!("--certificate {text}: several memory spaces need SPACE=FILE"),
            };
            if files.iter().any(|&(other, _)| other == space) {
                bail!("--certificate is given twice for one memory space");
            }
            files.push((space, Path::new(path)));
        }
        Ok(files)
    }
}

impl<T> Scoped<T> {
    /// The spaces to which the value applies.
    fn spaces<'a>(
        &self,
        table: &'a mut Table<'_>,
        option: &str,
    ) -> Result<impl Iterator<Item = &'a mut Space>> {
        let is_for = |space: &Space| self.space.as_ref().is_none_or(|name| *name == space.name);
        if let Some(name) = &self.space
            && !table.spaces.iter().any(is_for)
        {
            return Err(unknown(table, option, name));
        }
        Ok(table.spaces.iter_mut().filter(move |space| is_for(space)))
    }
}

/// Whether the argument begins with the name of a memory space. A path with `=` before its first
/// separator can be written as ./a=b.
fn names_a_space(text: &str) -> bool {
    let name = text.split_once('=');
    name.is_some_and(|(name, _)| !name.contains(std::path::is_separator))
}

/// The error for an unknown memory space.
fn unknown(table: &Table<'_>, option: &str, name: &str) -> Error {
    let names: Vec<String> = table
        .spaces
        .iter()
        .map(|it| escaped_name(&it.name))
        .collect();
    let there_are = match table.has_spaces() {
        true => format!("there are {}", names.join(", ")),
        false => "there is no column 'space'".to_owned(),
    };
    let name = name.escape_debug();
    anyhow!("{option}: there is no memory space '{name}'; {there_are}")
}

fn parse_capacity(text: &str) -> Result<Scoped<u64>, String> {
    scoped(text, bytes::parse)
}

fn parse_forbidden(text: &str) -> Result<Scoped<Forbidden>, String> {
    scoped(text, |text| {
        bytes::parse_range(text).map(|(from, to)| Forbidden::new(from, to))
    })
}

fn parse_banks(text: &str) -> Result<Scoped<bytes::Banks>, String> {
    scoped(text, |text| bytes::Banks::parse(text, MAX_BANKS))
}

/// Parses an optional `SPACE:` or `SPACE=` before a value. The value must not contain these signs.
fn scoped<T>(
    text: &str,
    value: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Scoped<T>, String> {
    let (space, text) = bytes::scoped(text);
    let space = space.map(str::to_owned);
    value(text).map(|value| Scoped { space, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_are_a_number_sizes_ranges_or_interleaved() {
        let parsed = |text: &str| {
            let banks = parse_banks(text).expect("banks");
            layout(&banks.value, Some(32)).map_err(|error| error.to_string())
        };
        let contiguous = |banks: &[(u64, u64)]| {
            let banks = banks.iter().map(|&(start, end)| Bank { start, end });
            Ok(BankLayout::Contiguous(banks.collect()))
        };
        assert_eq!(parsed("2"), contiguous(&[(0, 16), (16, 32)]));
        assert_eq!(
            parsed("l2:1KiB,512"),
            contiguous(&[(0, 1024), (1024, 1536)])
        );
        assert_eq!(parsed("0-8,0x10-24"), contiguous(&[(0, 8), (16, 24)]));
        let (count, width) = (32, 4);
        assert_eq!(parsed("32x4"), Ok(BankLayout::Interleaved { count, width }));
        assert!(parsed("3").is_err() && parsed("15EiB,1EiB").is_err());
    }

    #[test]
    fn a_space_may_be_named() {
        let capacity = parse_capacity("a=b=1KiB").expect("a capacity");
        assert_eq!(
            (capacity.space.as_deref(), capacity.value),
            (Some("a=b"), 1024)
        );
        let forbidden = parse_forbidden("0-4KiB").expect("a range");
        assert_eq!(forbidden.value, Forbidden::new(0, 4096));
        for wrong in ["4096", "5-5", "9-2", "-9", "l2=x-9"] {
            assert!(parse_forbidden(wrong).is_err(), "{wrong}");
        }
    }
}
