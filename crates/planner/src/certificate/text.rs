//! Certificates as text.
//!
//! ```text
//! memplan certificate 2
//! bound 1048577
//! search
//! times 4 17
//! clique 0 2 3
//! lemma 2 0 3 512
//! by b2 l0 c0
//! nodes b0 l1 b2 l0 m0
//! ```
//!
//! The second line is the bound in bytes that the certificate claims to prove; [`Claim::check`]
//! rejects a claim that is too high. The third line is the kind: `nothing`, `load TIME`, `alignment
//! TIME BYTES`, `clique ID..`, `end ID`, `search` or `distances`. After `search` come any number of lines of
//! times and of nodes. A node is `b` and the position of the buffer of a branch, or `l` and the
//! index of the time of a leaf, counted from 0. A line `clique` lists positions of buffers, and `c`
//! and an index is a leaf at a clique. A line `lemma` lists positions, each with a least offset.
//! The lines `by` below it have its nodes, and `m` and an index is a leaf that uses a lemma.
//!
//! After `distances` come lines `nodes`. A split is the position of a buffer, that of another one, and the distance in
//! bytes of the first from the second: `3:5:-64`. A leaf is `l`.
//!
//! Proofs about banks have the first line `memplan certificate 3`, and the kinds `apart ID..` and `banks LIMIT`:
//!
//! ```text
//! memplan certificate 3
//! bound 18446744073709551615
//! banks 65536
//! lemma 0:1:1 4:1:1
//! . load 3
//! nodes b4 m0 b2
//! ```
//!
//! After `banks` come lines of lemmas and of nodes. A lemma lists positions of buffers, each with its first bank and the
//! number of its banks. The lines below it that begin with a dot have its proof, of a kind of version 2. A node is `b` and the
//! position of the buffer of a branch, or `m` and the index of the lemma of a leaf.

use super::check::check;
use super::error::CertificateError;
use super::{
    BankLemma, BankNode, BankRefutation, Certificate, DistanceNode, Lemma, Node, Refutation,
};
use crate::Problem;
use std::fmt::Write;
use std::str::FromStr;
use thiserror::Error;

/// The first line.
const HEADER: &str = "memplan certificate 2";

/// The first line of a proof about banks.
const BANKS_HEADER: &str = "memplan certificate 3";

/// The number of times or nodes in a line of output.
const WIDTH: usize = 20;

/// A syntax error in the text of a certificate, with its line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {reason}")]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub reason: TextReason,
}

/// The kind of a syntax error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TextReason {
    /// The first line is not the header.
    #[error("the first line is not '{HEADER}', nor '{BANKS_HEADER}'")]
    Header,
    /// The second line is not the claimed bound.
    #[error("the second line is not 'bound BYTES'")]
    Bound,
    /// The third line is none of the kinds.
    #[error(
        "unknown kind of certificate: write nothing, load TIME, alignment TIME BYTES, clique \
         ID.., end ID, search or distances; in version 3 apart ID.. or banks LIMIT"
    )]
    Kind,
    /// A line of a tree begins with an unknown keyword.
    #[error(
        "the line does not begin with times, clique, lemma, by or nodes, or with a dot in a proof about banks"
    )]
    Line,
    /// A word is not a number of 64 bits without sign.
    #[error("'{0}' is not a number from 0 to 2^64 - 1")]
    Number(String),
    /// A word is not a node.
    #[error("'{0}' is not a node: write b, l, c or m and a number from 0 to 2^32 - 1")]
    Node(String),
    /// A word is not a node of a tree over distances.
    #[error("'{0}' is not a node: write l, or POSITION:POSITION:BYTES")]
    Distance(String),
    /// A word is not a node of a tree over banks.
    #[error("'{0}' is not a node: write b or m and a number from 0 to 2^32 - 1")]
    BankNode(String),
    /// A word is not a choice of banks of a buffer.
    #[error("'{0}' is not where a buffer is: write POSITION:BANK:BANKS")]
    Placement(String),
    /// A word is not the position of a buffer.
    #[error("'{0}' is not a number from 0 to 2^32 - 1")]
    Position(String),
    /// A lemma lists a buffer without an offset.
    #[error("a lemma lists positions, each with an offset; the last has none")]
    Offset,
    /// Nodes of a lemma precede the first lemma.
    #[error("there is no lemma to which the nodes belong")]
    NoLemma,
    /// The text continues after the certificate.
    #[error("there is nothing more to say")]
    Trailing,
}

/// A certificate as read from text, with the bound that it claims to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// In bytes.
    pub bound: u64,
    /// The proof.
    pub certificate: Certificate,
}

impl Claim {
    /// Checks the claim. Returns the proven bound in bytes, which is the claimed one or higher.
    ///
    /// # Errors
    ///
    /// Those of [`check`], and [`CertificateError::ClaimTooHigh`] if the proof is valid but of a lower
    /// bound.
    pub fn check(&self, problem: &Problem) -> Result<u64, CertificateError> {
        let proven = check(problem, &self.certificate)?;
        let claimed = self.bound;
        match proven < claimed {
            true => Err(CertificateError::ClaimTooHigh { claimed, proven }),
            false => Ok(proven),
        }
    }
}

/// Writes a certificate of a bound in bytes. The text ends with a line feed.
pub fn to_text(bound: u64, certificate: &Certificate) -> String {
    let header = match is_about_banks(certificate) {
        true => BANKS_HEADER,
        false => HEADER,
    };
    format!("{header}\nbound {bound}\n{}", body(certificate))
}

fn is_about_banks(certificate: &Certificate) -> bool {
    matches!(
        certificate,
        Certificate::Apart { .. } | Certificate::Banks(_)
    )
}

/// The lines of a certificate from its kind on.
fn body(certificate: &Certificate) -> String {
    let kind = certificate.kind();
    let numbers = match certificate {
        Certificate::Nothing | Certificate::Search(_) | Certificate::Distances(_) => String::new(),
        Certificate::Load { time } => format!(" {time}"),
        Certificate::Alignment { time, alignment } => format!(" {time} {alignment}"),
        Certificate::Banks(refutation) => format!(" {}", refutation.limit),
        Certificate::Clique { buffers } | Certificate::Apart { buffers } => {
            let numbers = buffers.iter().map(|id| format!(" {id}"));
            numbers.collect()
        }
        Certificate::End { buffer } => format!(" {buffer}"),
    };
    let mut text = format!("{kind}{numbers}\n");
    if let Certificate::Search(refutation) = certificate {
        write_words(&mut text, "times", &refutation.times, |&time| ("", time));
        for clique in &refutation.cliques {
            write_line(&mut text, "clique", clique, |&it| ("", it.into()));
        }
        for Lemma { least, nodes } in &refutation.lemmas {
            let pairs = least.iter().flat_map(|&(it, offset)| [it.into(), offset]);
            let pairs: Vec<u64> = pairs.collect();
            write_line(&mut text, "lemma", &pairs, |&number| ("", number));
            write_words(&mut text, "by", nodes, |&node| node_word(node));
        }
        write_words(&mut text, "nodes", &refutation.nodes, |&node| {
            node_word(node)
        });
    }
    if let Certificate::Banks(refutation) = certificate {
        for lemma in &refutation.lemmas {
            text.push_str("lemma");
            for (position, first, count) in &lemma.placements {
                let _ = write!(text, " {position}:{first}:{count}");
            }
            text.push('\n');
            for line in body(&lemma.certificate).lines() {
                let _ = writeln!(text, ". {line}");
            }
        }
        write_words(&mut text, "nodes", &refutation.nodes, |&node| match node {
            BankNode::Branch(position) => ("b", position.into()),
            BankNode::Lemma(lemma) => ("m", lemma.into()),
        });
    }
    if let Certificate::Distances(nodes) = certificate {
        for line in nodes.chunks(WIDTH) {
            text.push_str("nodes");
            for node in line {
                // Writing to a string does not fail.
                let _ = match node {
                    DistanceNode::Split {
                        upper,
                        lower,
                        distance,
                    } => write!(text, " {upper}:{lower}:{distance}"),
                    DistanceNode::Leaf => write!(text, " l"),
                };
            }
            text.push('\n');
        }
    }
    text
}

/// Lines that begin with `name`.
fn write_words<T>(text: &mut String, name: &str, all: &[T], word: impl Fn(&T) -> (&str, u64)) {
    for line in all.chunks(WIDTH) {
        write_line(text, name, line, &word);
    }
}

fn write_line<T>(text: &mut String, name: &str, all: &[T], word: impl Fn(&T) -> (&str, u64)) {
    text.push_str(name);
    for (letter, number) in all.iter().map(word) {
        // Writing to a string does not fail.
        let _ = write!(text, " {letter}{number}");
    }
    text.push('\n');
}

fn node_word(node: Node) -> (&'static str, u64) {
    match node {
        Node::Branch(position) => ("b", position.into()),
        Node::Leaf(time) => ("l", time.into()),
        Node::Clique(clique) => ("c", clique.into()),
        Node::Lemma(lemma) => ("m", lemma.into()),
    }
}

/// Parses a certificate. [`Claim::check`] checks the proof.
///
/// # Errors
///
/// The first line that cannot be read.
pub fn from_text(text: &str) -> Result<Claim, TextError> {
    let mut lines = (1..).zip(text.lines());
    let mut next = || lines.next().unwrap_or((text.lines().count().max(1), ""));
    let (line, header) = next();
    let fail = |line, reason| Err(TextError { line, reason });
    let version = [HEADER, BANKS_HEADER];
    let version = version.iter().position(|it| *it == header.trim_end());
    let Some(version) = version else {
        return fail(line, TextReason::Header);
    };
    let (line, claim) = next();
    let words: Vec<&str> = claim.split_whitespace().collect();
    let bound = match words[..] {
        ["bound", number] => read_number(number).map_err(|reason| TextError { line, reason })?,
        _ => return fail(line, TextReason::Bound),
    };
    let (line, kind) = next();
    let mut certificate = read_kind(kind).map_err(|reason| TextError { line, reason })?;
    if is_about_banks(&certificate) != (version == 1) {
        return fail(line, TextReason::Kind);
    }
    // Whether the next line with a dot is the kind of the proof of a lemma.
    let mut is_kind = false;
    for (line, text) in lines {
        let read = match &mut certificate {
            Certificate::Banks(refutation) => read_banks(refutation, &mut is_kind, text),
            other => read_line(other, text),
        };
        read.map_err(|reason| TextError { line, reason })?;
    }
    Ok(Claim { bound, certificate })
}

/// Parses a line after the kind and adds it.
fn read_line(certificate: &mut Certificate, text: &str) -> Result<(), TextReason> {
    match certificate {
        Certificate::Search(refutation) => read_words(refutation, text),
        Certificate::Distances(nodes) => read_distances(nodes, text),
        _ if text.trim().is_empty() => Ok(()),
        _ => Err(TextReason::Trailing),
    }
}

/// Parses a line of a tree over banks and adds it.
fn read_banks(
    refutation: &mut BankRefutation,
    is_kind: &mut bool,
    line: &str,
) -> Result<(), TextReason> {
    let mut words = line.split_whitespace();
    match words.next() {
        None => {}
        Some(".") => {
            let lemma = refutation.lemmas.last_mut().ok_or(TextReason::NoLemma)?;
            let text = line.trim_start().strip_prefix('.').unwrap_or(line);
            if !std::mem::replace(is_kind, false) {
                return read_line(&mut lemma.certificate, text);
            }
            let certificate = read_kind(text)?;
            if is_about_banks(&certificate) {
                return Err(TextReason::Kind);
            }
            *lemma.certificate = certificate;
        }
        Some("lemma") => {
            let placements = words.map(|word| {
                let numbers: Option<Vec<u32>> = word.split(':').map(digits).collect();
                match numbers.as_deref() {
                    Some(&[position, first, count]) => Ok((position, first, count)),
                    _ => Err(TextReason::Placement(word.to_owned())),
                }
            });
            refutation.lemmas.push(BankLemma {
                placements: placements.collect::<Result<_, _>>()?,
                ..BankLemma::default()
            });
            *is_kind = true;
        }
        Some("nodes") => {
            for word in words {
                let branch = word
                    .strip_prefix('b')
                    .and_then(digits)
                    .map(BankNode::Branch);
                let lemma = word.strip_prefix('m').and_then(digits).map(BankNode::Lemma);
                let node = branch.or(lemma);
                let node = node.ok_or_else(|| TextReason::BankNode(word.to_owned()))?;
                refutation.nodes.push(node);
            }
        }
        Some(_) => return Err(TextReason::Line),
    }
    Ok(())
}

fn read_kind(line: &str) -> Result<Certificate, TextReason> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["nothing"] => Ok(Certificate::Nothing),
        ["load", time] => Ok(Certificate::Load {
            time: read_number(time)?,
        }),
        ["alignment", time, alignment] => Ok(Certificate::Alignment {
            time: read_number(time)?,
            alignment: read_number(alignment)?,
        }),
        ["clique", ref ids @ ..] => Ok(Certificate::Clique {
            buffers: ids
                .iter()
                .map(|id| read_number(id))
                .collect::<Result<_, _>>()?,
        }),
        ["apart", ref ids @ ..] => Ok(Certificate::Apart {
            buffers: ids
                .iter()
                .map(|id| read_number(id))
                .collect::<Result<_, _>>()?,
        }),
        ["banks", limit] => Ok(Certificate::Banks(BankRefutation {
            limit: read_number(limit)?,
            ..BankRefutation::default()
        })),
        ["end", buffer] => Ok(Certificate::End {
            buffer: read_number(buffer)?,
        }),
        ["search"] => Ok(Certificate::Search(Refutation::default())),
        ["distances"] => Ok(Certificate::Distances(Vec::new())),
        _ => Err(TextReason::Kind),
    }
}

/// Parses one line of a tree and adds it.
fn read_words(refutation: &mut Refutation, line: &str) -> Result<(), TextReason> {
    let mut words = line.split_whitespace();
    match words.next() {
        None => {}
        Some("times") => {
            for word in words {
                refutation.times.push(read_number(word)?);
            }
        }
        Some("clique") => {
            let clique = words.map(read_position).collect::<Result<_, _>>()?;
            refutation.cliques.push(clique);
        }
        Some("lemma") => {
            let mut lemma = Lemma::default();
            while let Some(word) = words.next() {
                let offset = words.next().ok_or(TextReason::Offset)?;
                lemma
                    .least
                    .push((read_position(word)?, read_number(offset)?));
            }
            refutation.lemmas.push(lemma);
        }
        Some("by") => {
            let lemma = refutation.lemmas.last_mut().ok_or(TextReason::NoLemma)?;
            for word in words {
                lemma.nodes.push(read_node(word)?);
            }
        }
        Some("nodes") => {
            for word in words {
                refutation.nodes.push(read_node(word)?);
            }
        }
        Some(_) => return Err(TextReason::Line),
    }
    Ok(())
}

/// Parses one line of a tree over distances and adds it.
fn read_distances(nodes: &mut Vec<DistanceNode>, line: &str) -> Result<(), TextReason> {
    let mut words = line.split_whitespace();
    match words.next() {
        None => {}
        Some("nodes") => {
            for word in words {
                let node = read_distance(word);
                nodes.push(node.ok_or_else(|| TextReason::Distance(word.to_owned()))?);
            }
        }
        Some(_) => return Err(TextReason::Line),
    }
    Ok(())
}

fn read_distance(word: &str) -> Option<DistanceNode> {
    if word == "l" {
        return Some(DistanceNode::Leaf);
    }
    let (upper, rest) = word.split_once(':')?;
    let (lower, distance) = rest.split_once(':')?;
    let plain: Option<u64> = digits(distance.strip_prefix('-').unwrap_or(distance));
    Some(DistanceNode::Split {
        upper: digits(upper)?,
        lower: digits(lower)?,
        distance: plain.and_then(|_| distance.parse().ok())?,
    })
}

fn read_number(word: &str) -> Result<u64, TextReason> {
    digits(word).ok_or_else(|| TextReason::Number(word.to_owned()))
}

fn read_node(word: &str) -> Result<Node, TextReason> {
    let branch = word.strip_prefix('b').and_then(digits).map(Node::Branch);
    let leaf = word.strip_prefix('l').and_then(digits).map(Node::Leaf);
    let clique = word.strip_prefix('c').and_then(digits).map(Node::Clique);
    let lemma = word.strip_prefix('m').and_then(digits).map(Node::Lemma);
    let node = branch.or(leaf).or(clique).or(lemma);
    node.ok_or_else(|| TextReason::Node(word.to_owned()))
}

fn read_position(word: &str) -> Result<u32, TextReason> {
    digits(word).ok_or_else(|| TextReason::Position(word.to_owned()))
}

/// A number without sign.
fn digits<T: FromStr>(word: &str) -> Option<T> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, TextReason) {
        let error = from_text(text).expect_err("no certificate");
        (error.line, error.reason)
    }

    #[test]
    fn certificates_are_read_as_they_are_written() {
        let nodes = (0..50).map(|number| match number % 5 {
            0 => Node::Branch(number),
            1 => Node::Clique(number),
            2 => Node::Lemma(number),
            _ => Node::Leaf(u32::MAX - number),
        });
        let refutation = Refutation {
            times: (0..45).map(|number| u64::MAX >> number).collect(),
            cliques: vec![vec![3, u32::MAX], Vec::new()],
            lemmas: vec![
                Lemma {
                    least: vec![(7, u64::MAX), (u32::MAX, 0)],
                    nodes: nodes.clone().collect(),
                },
                Lemma::default(),
            ],
            nodes: nodes.collect(),
        };
        let distances = (0..50).map(|number| match number % 3 {
            0 => DistanceNode::Leaf,
            sign => DistanceNode::Split {
                upper: number,
                lower: u32::MAX - number,
                distance: if sign == 1 {
                    i64::MIN >> number
                } else {
                    i64::MAX >> number
                },
            },
        });
        for certificate in [
            Certificate::Nothing,
            Certificate::Load { time: 7 },
            Certificate::Alignment {
                time: u64::MAX,
                alignment: 64,
            },
            Certificate::Clique {
                buffers: vec![3, u64::MAX, 0],
            },
            Certificate::End { buffer: 0 },
            Certificate::Search(Refutation::default()),
            Certificate::Distances(Vec::new()),
            Certificate::Distances(distances.clone().collect()),
            Certificate::Apart {
                buffers: vec![8, u64::MAX],
            },
            Certificate::Banks(BankRefutation::default()),
            Certificate::Banks(BankRefutation {
                limit: u64::MAX,
                lemmas: vec![
                    BankLemma {
                        placements: vec![(7, 0, 1), (u32::MAX, 3, u32::MAX)],
                        certificate: Box::new(Certificate::Search(refutation.clone())),
                    },
                    BankLemma::default(),
                    BankLemma {
                        placements: vec![(1, 2, 3)],
                        certificate: Box::new(Certificate::Distances(distances.collect())),
                    },
                ],
                nodes: (0..50)
                    .map(|number| match number % 2 {
                        0 => BankNode::Branch(number),
                        _ => BankNode::Lemma(u32::MAX - number),
                    })
                    .collect(),
            }),
            Certificate::Search(refutation),
        ] {
            let text = to_text(99, &certificate);
            let read = from_text(&text).expect("a certificate");
            assert_eq!(
                (read.bound, &read.certificate),
                (99, &certificate),
                "{text}"
            );
            assert!(text.lines().all(|line| line.len() < 500));
        }
    }

    #[test]
    fn a_tree_is_short() {
        let certificate = Certificate::Search(Refutation {
            times: vec![4, 17],
            nodes: vec![Node::Branch(12), Node::Leaf(1), Node::Leaf(0)],
            ..Refutation::default()
        });
        let text = "memplan certificate 2\nbound 7\nsearch\ntimes 4 17\nnodes b12 l1 l0\n";
        assert_eq!(to_text(7, &certificate), text);
        let text = format!(
            "{HEADER} \r\nbound  7\r\nsearch \r\n\r\n nodes b12\r\ntimes 4\ntimes\t17\nnodes l1  l0"
        );
        let claim = Claim {
            bound: 7,
            certificate,
        };
        assert_eq!(from_text(&text), Ok(claim));
    }

    #[test]
    fn a_malformed_certificate_is_an_error_with_its_line() {
        let with = |rest: &str| {
            let (line, reason) = error(&format!("{HEADER}\nbound 0\n{rest}"));
            (line - 1, reason)
        };
        assert_eq!(error(""), (1, TextReason::Header));
        assert_eq!(
            error("memplan certificate 1\nsearch"),
            (1, TextReason::Header)
        );
        assert_eq!(error(&format!("{HEADER}\nload 1")), (2, TextReason::Bound));
        assert_eq!(
            error(&format!("{HEADER}\nbound 1 2")),
            (2, TextReason::Bound)
        );
        assert_eq!(error(HEADER), (1, TextReason::Bound));
        assert_eq!(with(""), (1, TextReason::Kind));
        for kind in [
            "load",
            "load 1 2",
            "find",
            "nothing 1",
            "end",
            "alignment 1",
        ] {
            assert_eq!(with(kind), (2, TextReason::Kind), "{kind}");
        }
        for word in ["-1", "+1", "x", "18446744073709551616"] {
            let reason = TextReason::Number(word.to_owned());
            assert_eq!(with(&format!("load {word}")), (2, reason.clone()));
            assert_eq!(with(&format!("search\n\ntimes 1 {word} 2")), (4, reason));
        }
        for word in [
            "b",
            "l",
            "b-1",
            "l+1",
            "bb1",
            "1",
            "d1",
            "b4294967296",
            "é1",
        ] {
            let reason = TextReason::Node(word.to_owned());
            assert_eq!(with(&format!("search\nnodes l0 {word}")), (3, reason));
        }
        assert_eq!(with("search\nlemma 1 2 3"), (3, TextReason::Offset));
        assert_eq!(with("search\nby l0"), (3, TextReason::NoLemma));
        let position = TextReason::Position("4294967296".to_owned());
        assert_eq!(with("search\nclique 4294967296"), (3, position));
        assert_eq!(with("search\nnode l0"), (3, TextReason::Line));
        assert_eq!(with("load 1\n\nload 1"), (4, TextReason::Trailing));
        for word in [
            "l0",
            "1:2",
            "1:2:",
            "1:2:+3",
            "1:2:--3",
            "-1:2:3",
            "1:2:9223372036854775808",
        ] {
            let reason = TextReason::Distance(word.to_owned());
            assert_eq!(with(&format!("distances\nnodes l {word}")), (3, reason));
        }
        assert_eq!(with("distances\ntimes 1"), (3, TextReason::Line));
        assert_eq!(with("banks 8"), (2, TextReason::Kind));
    }

    #[test]
    fn a_malformed_proof_about_banks_is_an_error_with_its_line() {
        let with = |rest: &str| error(&format!("{BANKS_HEADER}\nbound 0\n{rest}"));
        assert_eq!(with("load 1"), (3, TextReason::Kind));
        assert_eq!(with("banks"), (3, TextReason::Kind));
        assert_eq!(with("banks 8\n. load 1"), (4, TextReason::NoLemma));
        assert_eq!(with("banks 8\nby l0"), (4, TextReason::Line));
        assert_eq!(
            with("banks 8\nlemma 1:2:3\n. apart 1"),
            (5, TextReason::Kind)
        );
        let trailing = with("banks 8\nlemma 1:2:3\n. load 1\n. load 2");
        assert_eq!(trailing, (6, TextReason::Trailing));
        let line = with("banks 8\nlemma 1:2:3\n. search\n. nodes l0\n. by");
        assert_eq!(line, (7, TextReason::NoLemma));
        for word in ["1", "1:2", "1:2:3:4", "1:-2:3", "a:1:1"] {
            let reason = TextReason::Placement(word.to_owned());
            assert_eq!(with(&format!("banks 8\nlemma {word}")), (4, reason));
        }
        for word in ["l0", "b", "m-1", "1"] {
            let reason = TextReason::BankNode(word.to_owned());
            assert_eq!(with(&format!("banks 8\nnodes b0 {word}")), (4, reason));
        }
    }

    #[test]
    fn a_claim_that_is_too_high_is_refused() {
        let problem = Problem::new(vec![crate::Buffer::new(0, 8, [(0, 1)])]).expect("valid");
        let claim = |bound| Claim {
            bound,
            certificate: Certificate::Load { time: 0 },
        };
        assert_eq!(claim(7).check(&problem), Ok(8));
        let weak = CertificateError::ClaimTooHigh {
            claimed: 9,
            proven: 8,
        };
        assert_eq!(claim(9).check(&problem), Err(weak));
    }
}
