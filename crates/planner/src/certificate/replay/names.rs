//! What the nodes of a refutation name is there.

use super::super::cliques::conflict;
use super::super::error::CertificateError;
use super::{is_free, nodes};
use crate::{Buffer, Node, Problem, Refutation};
use std::collections::BTreeSet;

/// Every node names a buffer that can be placed, or a time or a clique that is listed; cliques are
/// cliques, and lemmas list buffers that can be placed.
pub fn check_names(problem: &Problem, refutation: &Refutation) -> Result<(), CertificateError> {
    let (times, cliques) = (refutation.times.len(), refutation.cliques.len());
    let buffer = |position: u32| problem.buffers.get(position as usize);
    let named = |position: u32, keep: fn(&Buffer) -> bool| {
        let buffer = buffer(position).filter(|&it| keep(it));
        buffer.ok_or(CertificateError::NothingThere { position })
    };
    for (node, name) in nodes(refutation).enumerate() {
        match name {
            Node::Branch(position) => {
                if !buffer(position).is_some_and(is_free) {
                    return Err(CertificateError::NothingToPlace { node, position });
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
                return Err(CertificateError::NotAtOnce { first, second });
            }
        }
    }
    for lemma in &refutation.lemmas {
        let mut seen = BTreeSet::new();
        for &(position, _) in &lemma.least {
            named(position, is_free)?;
            if !seen.insert(position) {
                return Err(CertificateError::NothingThere { position });
            }
        }
    }
    Ok(())
}
