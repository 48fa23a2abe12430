//! Checks the references in a refutation: from nodes to buffers, times and cliques.

use super::super::cliques::conflict;
use super::super::error::CertificateError;
use super::{is_free, nodes};
use crate::{Buffer, Node, Problem, Refutation};
use std::collections::BTreeSet;

/// Checks that every node refers to a buffer that can be placed, or to a listed time or clique.
/// Also checks that cliques conflict pairwise and that lemmas list buffers that can be placed. The
/// walk checks references to lemmas.
pub fn check_references(
    problem: &Problem,
    refutation: &Refutation,
) -> Result<(), CertificateError> {
    let (times, cliques) = (refutation.times.len(), refutation.cliques.len());
    let buffer = |position: u32| problem.buffers.get(position as usize);
    let named = |position: u32, keep: fn(&Buffer) -> bool| {
        let buffer = buffer(position).filter(|&it| keep(it));
        buffer.ok_or(CertificateError::InvalidPosition { position })
    };
    for (node, name) in nodes(refutation).enumerate() {
        match name {
            Node::Branch(position) => {
                if !buffer(position).is_some_and(is_free) {
                    return Err(CertificateError::NotPlaceable { node, position });
                }
            }
            Node::Leaf(time) => {
                if time as usize >= times {
                    return Err(CertificateError::UnknownTime { node, time, times });
                }
            }
            Node::Clique(clique) => {
                if clique as usize >= cliques {
                    return Err(CertificateError::UnknownClique {
                        node,
                        clique,
                        cliques,
                    });
                }
            }
            Node::Lemma(_) => {}
        }
    }
    for clique in &refutation.cliques {
        let members = clique.iter().map(|&it| named(it, Buffer::is_active));
        let members = members.collect::<Result<Vec<&Buffer>, _>>()?;
        for (index, buffer) in members.iter().enumerate() {
            if let Some(other) = members[..index].iter().find(|it| !conflict(it, buffer)) {
                let (first, second) = (other.id, buffer.id);
                return Err(CertificateError::NoConflict { first, second });
            }
        }
    }
    for lemma in &refutation.lemmas {
        let mut seen = BTreeSet::new();
        for &(position, _) in &lemma.least {
            named(position, is_free)?;
            if !seen.insert(position) {
                return Err(CertificateError::InvalidPosition { position });
            }
        }
    }
    Ok(())
}
