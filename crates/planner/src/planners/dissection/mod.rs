//! Recovers perfect packings: problems with nearly the same load at all times, read as a rectangle
//! of time and bytes that was cut into boxes.
//!
//! Such a *dissection* is a planar graph. It has a vertex for each vertical line of cuts, and an
//! edge for each box from the line at which it starts to the line at which it ends. The sizes in
//! bytes that flow into a vertex flow out of it again. Conversely, any drawing of the graph without
//! crossings gives the offsets: each box lies as high as the face below it, and the face above is
//! higher by the size of the box. So a perfect packing is found in linear time, where heuristics
//! leave 10 to 30 percent free.
//!
//! | step | module |
//! |---|---|
//! | build the graph of boxes and lines; free bytes are boxes, too | `network` |
//! | merge adjacent boxes; split lines that coincide in time | `reduce`, `split_lines` |
//! | draw the rest, without the boxes that prevent a drawing | `core`, `planarity` |
//! | compute the heights of the faces, and so of the boxes | `faces` |
//! | place the boxes that were left out | `refill` |
//!
//! For any other problem the search fails early.
//!
//! Source: Brooks, Smith, Stone and Tutte, "The Dissection of Rectangles into Squares" (1940), for
//! the graph of a dissection; the reduction is that of series-parallel graphs (Duffin, "Topology of
//! Series-Parallel Networks", 1965).

mod core;
mod faces;
mod network;
mod planarity;
mod reduce;
mod refill;
mod split_lines;

use super::Plan;
use crate::timeline::{Item, Timeline};
use core::Core;
use network::{Edge, Network};
use refill::{PlacedBox, refill};

/// A plan at the load or a little above it, if nearly all items and free bytes are boxes of a
/// dissection.
pub fn plan(timeline: &Timeline) -> Option<Plan> {
    let mut network = Network::new(timeline)?;
    let joins = reduce::reduce(&mut network);
    let mut core = Core::new(&network);
    let rotation = core.draw()?;
    let mut offsets = vec![0; network.edges.len()];
    for (strip, offset) in core.strips.iter().zip(faces::offsets(&core, &rotation)?) {
        offsets[strip.name as usize] = offset;
    }
    let undone = match core.left_out().next() {
        None => vec![false; joins.len()],
        Some(_) => {
            let placed = core.strips.iter().map(|strip| {
                let Edge { from, to, size } = network.edge(strip.name);
                let low = offsets[strip.name as usize];
                PlacedBox {
                    from: network.time(from),
                    to: network.time(to),
                    low,
                    high: low + size,
                }
            });
            let placed = placed.collect();
            refill(
                &network,
                timeline.items.len(),
                &joins,
                core.left_out(),
                placed,
                &mut offsets,
            )?
        }
    };
    reduce::expand(&joins, &undone, &mut offsets);
    offsets.truncate(timeline.items.len());
    let aligned = |(item, &offset): (&Item, &u64)| offset % item.alignment == 0;
    let all = timeline.items.iter().zip(&offsets).all(aligned);
    all.then(|| Plan::new(timeline, offsets, "dissection"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    fn timeline(boxes: &[(u64, u64, u64)]) -> Timeline {
        let buffers = (0..)
            .zip(boxes)
            .map(|(id, &(start, end, size))| Buffer::new(id, size, [(start, end)]));
        Timeline::new(&Problem::new(buffers.collect()).expect("valid"))
    }

    /// Five boxes in a square of 100 by 100 that no straight cut separates.
    const PINWHEEL: [(u64, u64, u64); 5] = [
        (0, 30, 70),
        (30, 100, 20),
        (60, 100, 80),
        (0, 60, 30),
        (30, 60, 50),
    ];

    #[test]
    fn a_pinwheel_is_drawn() {
        let plan = plan(&timeline(&PINWHEEL)).expect("a perfect packing");
        assert_eq!(plan.peak, 100);
    }

    #[test]
    fn guillotine_cuts_are_reduced_to_one_box() {
        let boxes = [(0, 4, 7), (4, 9, 7), (0, 9, 5), (9, 12, 12)];
        let timeline = timeline(&boxes);
        let mut network = Network::new(&timeline).expect("nothing is free");
        assert_eq!(reduce::reduce(&mut network).len(), 3);
        assert_eq!(plan(&timeline).expect("a perfect packing").peak, 12);
    }

    #[test]
    fn little_may_be_free_but_not_much() {
        let mut boxes = PINWHEEL;
        boxes[4].2 -= 1;
        assert_eq!(plan(&timeline(&boxes)).expect("nearly perfect").peak, 100);
        boxes[2].2 -= 60;
        assert!(plan(&timeline(&boxes)).is_none());
    }

    #[test]
    fn fixed_offsets_and_holes_are_no_dissection() {
        let fixed = vec![Buffer::new(0, 8, [(0, 1)]).fixed_at(0)];
        let holes = vec![
            Buffer::new(0, 8, [(0, 1), (2, 3)]),
            Buffer::new(1, 8, [(1, 2)]),
        ];
        for buffers in [fixed, holes] {
            let problem = Problem::new(buffers).expect("valid");
            assert!(plan(&Timeline::new(&problem)).is_none());
        }
    }

    #[test]
    fn no_items_are_no_dissection() {
        assert!(plan(&timeline(&[])).is_none());
    }
}
