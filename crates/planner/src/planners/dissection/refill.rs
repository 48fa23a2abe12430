//! Places boxes that were left out of the drawing. If the hole that a box left is too small for it,
//! the boxes that it was joined from are placed separately.

use super::network::{Edge, NONE, Network};
use super::reduce::Join;

/// The most boxes that are placed, including parts of boxes.
const MOST: usize = 2_000;

/// A box with its offset.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBox {
    /// The sections from `from` up to `to`.
    pub from: u32,
    pub to: u32,
    /// The bytes from `low` up to `high`.
    pub low: u64,
    pub high: u64,
}

/// A box without an offset. Its joins are the chain that ends at `joins[last]`.
#[derive(Clone, Copy, Debug)]
struct UnplacedBox {
    edge: u32,
    from: u32,
    to: u32,
    size: u64,
    last: u32,
}

/// Places the edges `left_out` between the placed boxes, each at the lowest free offset. A box that
/// does not fit below the top is split into the boxes that it was joined from. Writes the offsets
/// of the boxes that were placed and returns which joins were undone. Edges from `items` on are
/// free bytes and are not placed. `None` if there are too many boxes.
pub fn refill(
    network: &Network,
    items: usize,
    joins: &[Join],
    left_out: impl Iterator<Item = u32>,
    mut placed: Vec<PlacedBox>,
    offsets: &mut [u64],
) -> Option<Vec<bool>> {
    let mut undone = vec![false; joins.len()];
    let mut latest = vec![NONE; network.edges.len()];
    let mut before = vec![NONE; joins.len()];
    for (index, join) in (0u32..).zip(joins) {
        let latest = &mut latest[join.kept as usize];
        before[index as usize] = std::mem::replace(latest, index);
    }
    let top = placed.iter().map(|box_| box_.high).max().unwrap_or(0);
    let mut loose: Vec<UnplacedBox> = left_out
        .map(|edge| {
            let Edge { from, to, size } = network.edge(edge);
            UnplacedBox {
                edge,
                from: network.time(from),
                to: network.time(to),
                size,
                last: latest[edge as usize],
            }
        })
        .collect();
    loose.sort_unstable_by_key(|loose| (loose.size, loose.edge));
    let mut steps = 0;
    while let Some(subject) = loose.pop() {
        steps += 1;
        if steps > MOST {
            return None;
        }
        if subject.edge as usize >= items && subject.last == NONE {
            continue;
        }
        let low = lowest(&placed, subject);
        let high = low.checked_add(subject.size)?;
        let Some(join) = joins.get(subject.last as usize).filter(|_| high > top) else {
            offsets[subject.edge as usize] = low;
            placed.push(PlacedBox {
                from: subject.from,
                to: subject.to,
                low,
                high,
            });
            continue;
        };
        undone[subject.last as usize] = true;
        let mut kept = UnplacedBox {
            last: before[subject.last as usize],
            ..subject
        };
        let mut gone = UnplacedBox {
            edge: join.gone,
            last: latest[join.gone as usize],
            ..subject
        };
        if join.above == 0 {
            gone.from = network.started(join.gone);
            kept.to = gone.from;
        } else {
            kept.size = join.above;
            gone.size = subject.size - join.above;
        }
        loose.extend([kept, gone]);
    }
    Some(undone)
}

/// The lowest free offset of a box.
fn lowest(placed: &[PlacedBox], subject: UnplacedBox) -> u64 {
    let mut taken: Vec<(u64, u64)> = placed
        .iter()
        .filter(|other| other.from < subject.to && subject.from < other.to)
        .map(|other| (other.low, other.high))
        .collect();
    taken.sort_unstable();
    let mut low = 0u64;
    for (start, end) in taken {
        if low.saturating_add(subject.size) <= start {
            break;
        }
        low = low.max(end);
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_gap_that_is_large_enough_is_taken() {
        let placed = |from, to, low, high| PlacedBox {
            from,
            to,
            low,
            high,
        };
        let placed = [
            placed(0, 4, 0, 10),
            placed(2, 6, 15, 20),
            placed(4, 9, 0, 40),
        ];
        let subject = |from, to, size| UnplacedBox {
            edge: 0,
            from,
            to,
            size,
            last: NONE,
        };
        assert_eq!(lowest(&placed, subject(0, 3, 5)), 10);
        assert_eq!(lowest(&placed, subject(0, 3, 6)), 20);
        assert_eq!(lowest(&placed, subject(0, 2, 6)), 10);
        assert_eq!(lowest(&placed, subject(3, 5, 1)), 40);
    }
}
