//! Compilation of a module's partitions on several machines: which partitions belong to which shard, and the shard
//! file that one machine writes.
//!
//! A shard file starts with a line of JSON that identifies the compilation. For each result follow its length and
//! that of its code, as 64-bit little-endian numbers, the result as JSON, and its code.

use crate::outcome::Outcome;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Whether a partition belongs to a shard; depends on the function's name only.
pub fn belongs(name: &str, (shard, of): (usize, usize)) -> bool {
    let of = of.max(1) as u64;
    xxh3_64(name.as_bytes()) % of == shard as u64
}

/// Identifies a compilation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of memplan.
    pub memplan: String,
    /// The fingerprint of the input and all settings.
    pub fingerprint: String,
    /// The number of the shard, and the number of shards.
    pub shard: (usize, usize),
    /// The number of partitions in the module.
    #[serde(rename = "units")]
    pub partitions: usize,
    /// Whether plans were collected.
    pub report: bool,
}

/// Why shards cannot be combined.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file is not a complete shard.
    #[error("'{0}' is not a complete shard of `memplan compile --shard`")]
    Unreadable(String),
    /// The shards are of different compilations.
    #[error("'{0}' and '{1}' are not shards of the same input, settings and version")]
    Different(String, String),
    /// Two shards have the same number and different contents.
    #[error("'{0}' and '{1}' are the same shard, with different contents")]
    Contradiction(String, String),
    /// A shard is missing.
    #[error("shard {0} of {1} is missing")]
    Missing(usize, usize),
    /// All shards are there, but a part of a partition is missing.
    #[error("the shards lack parts of partition {0}")]
    Incomplete(usize),
}

/// The maximum number of shards of one module.
pub const MOST_SHARDS: usize = 100_000;

/// The first bytes of a shard file.
const MAGIC: &str = "memplan shard 1 ";

/// The header of a shard file.
pub fn begin(header: &Header) -> Result<Vec<u8>, serde_json::Error> {
    Ok(format!("{MAGIC}{}\n", serde_json::to_string(header)?).into_bytes())
}

/// Appends a result to a shard file.
pub fn append(bytes: &mut Vec<u8>, outcome: &Outcome) -> Result<(), serde_json::Error> {
    let text = serde_json::to_vec(outcome)?;
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend((outcome.code.len() as u64).to_le_bytes());
    bytes.extend(text);
    bytes.extend(&outcome.code);
    Ok(())
}

/// Parses a shard file.
pub fn read(bytes: &[u8]) -> Option<(Header, Vec<Outcome>)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let header: Header = serde_json::from_str(line.strip_prefix(MAGIC)?).ok()?;
    let (shard, of) = header.shard;
    if shard >= of || of > MOST_SHARDS {
        return None;
    }
    let mut rest = &bytes[end + 1..];
    let mut outcomes = Vec::new();
    while !rest.is_empty() {
        let (lengths, rest_of_file) = rest.split_at_checked(16)?;
        let (text, code) = lengths.split_at(8);
        let text = usize::try_from(u64::from_le_bytes(text.try_into().ok()?)).ok()?;
        let code = usize::try_from(u64::from_le_bytes(code.try_into().ok()?)).ok()?;
        let (text, rest_of_file) = rest_of_file.split_at_checked(text)?;
        let (code, rest_of_file) = rest_of_file.split_at_checked(code)?;
        let outcome: Outcome = serde_json::from_slice(text).ok()?;
        outcomes.push(Outcome {
            code: code.to_vec(),
            ..outcome
        });
        rest = rest_of_file;
    }
    Some((header, outcomes))
}

/// All results of all shards, in the order of the module. Each shard comes with the name of its file.
pub fn gather(
    shards: Vec<(String, Header, Vec<Outcome>)>,
) -> Result<(Option<Header>, Vec<Outcome>), ShardError> {
    let Some((first, header, _)) = shards.first() else {
        return Ok((None, Vec::new()));
    };
    let (first, header) = (first.clone(), header.clone());
    let of = header.shard.1;
    let mut taken: Vec<Option<(String, Vec<Outcome>)>> = (0..of).map(|_| None).collect();
    for (name, other, outcomes) in shards {
        let same = Header {
            shard: header.shard,
            ..other.clone()
        };
        let slot = taken.get_mut(other.shard.0);
        let Some(slot) = slot.filter(|_| same == header && other.shard.1 == of) else {
            return Err(ShardError::Different(first, name));
        };
        match slot {
            // A shard that was compiled twice has equal contents.
            Some((before, known)) if *known != outcomes => {
                return Err(ShardError::Contradiction(before.clone(), name));
            }
            Some(_) => {}
            None => *slot = Some((name, outcomes)),
        }
    }
    let mut all = Vec::new();
    for (number, slot) in taken.into_iter().enumerate() {
        all.extend(slot.ok_or(ShardError::Missing(number, of))?.1);
    }
    all.sort_by_key(|outcome| (outcome.partition, outcome.part));
    check(&all, header.partitions)?;
    Ok((Some(header), all))
}

/// Checks that each part of each partition is there exactly once.
fn check(all: &[Outcome], partitions: usize) -> Result<(), ShardError> {
    let mut next = (0, 0);
    for outcome in all {
        if (outcome.partition, outcome.part.0) != next {
            return Err(ShardError::Incomplete(next.0));
        }
        next = match outcome.part.0 + 1 < outcome.part.1 {
            true => (outcome.partition, outcome.part.0 + 1),
            false => (outcome.partition + 1, 0),
        };
    }
    match next == (partitions, 0) {
        true => Ok(()),
        false => Err(ShardError::Incomplete(next.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(shard: usize) -> Header {
        Header {
            memplan: "0".to_owned(),
            fingerprint: "f".to_owned(),
            shard: (shard, 2),
            partitions: 2,
            report: false,
        }
    }

    fn outcome(partition: usize, part: (usize, usize)) -> Outcome {
        Outcome {
            partition,
            part,
            code: vec![partition as u8; 3],
            ..Outcome::default()
        }
    }

    fn file(shard: usize, outcomes: &[Outcome]) -> (String, Header, Vec<Outcome>) {
        let mut bytes = begin(&header(shard)).unwrap();
        for outcome in outcomes {
            append(&mut bytes, outcome).unwrap();
        }
        let (header, outcomes) = read(&bytes).unwrap();
        (format!("{shard}.shard"), header, outcomes)
    }

    #[test]
    fn shards_in_any_order_and_twice_are_one_module() {
        let even = file(0, &[outcome(1, (0, 1)), outcome(0, (1, 2))]);
        let odd = file(1, &[outcome(0, (0, 2))]);
        let (_, all) = gather(vec![odd.clone(), even, odd]).unwrap();
        let positions: Vec<_> = all.iter().map(|one| (one.partition, one.part.0)).collect();
        assert_eq!(positions, [(0, 0), (0, 1), (1, 0)]);
        assert_eq!(all[2].code, [1, 1, 1]);
    }

    #[test]
    fn missing_and_different_shards_are_errors() {
        let even = file(0, &[outcome(0, (0, 1))]);
        let odd = file(1, &[outcome(1, (0, 2))]);
        assert!(matches!(
            gather(vec![even.clone()]),
            Err(ShardError::Missing(1, 2))
        ));
        assert!(matches!(
            gather(vec![even.clone(), odd.clone()]),
            Err(ShardError::Incomplete(1))
        ));
        let mut other = odd.clone();
        other.1.fingerprint.clear();
        assert!(matches!(
            gather(vec![even, other]),
            Err(ShardError::Different(..))
        ));
        let mut twice = odd.clone();
        twice.2[0].code.clear();
        assert!(matches!(
            gather(vec![odd, twice]),
            Err(ShardError::Contradiction(..))
        ));
    }

    #[test]
    fn truncated_files_are_no_shards() {
        let mut bytes = begin(&header(0)).unwrap();
        append(&mut bytes, &outcome(0, (0, 1))).unwrap();
        for end in 0..bytes.len() {
            let whole = bytes[..end].ends_with(b"\n") && end > 1;
            assert_eq!(read(&bytes[..end]).is_some(), whole, "{end}");
        }
    }

    #[test]
    fn invalid_headers_are_of_no_shard() {
        for shard in [(0, 0), (2, 2), (0, usize::MAX)] {
            let header = Header { shard, ..header(0) };
            assert!(read(&begin(&header).unwrap()).is_none());
        }
    }

    #[test]
    fn each_name_belongs_to_one_shard() {
        for name in ["a", "b", "main", ""] {
            let owners = (0..5).filter(|shard| belongs(name, (*shard, 5))).count();
            assert_eq!(owners, 1);
        }
    }
}
