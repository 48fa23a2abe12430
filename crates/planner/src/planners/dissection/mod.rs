//! Perfect packings: a problem whose load is nearly the same at all times, read as a rectangle of
//! time and bytes that was cut into boxes.
//!
//! Such a *dissection* is a planar graph: a vertex for each vertical line of cuts, and an edge for
//! each box from the line at which it starts to the line at which it ends. What flows into a vertex,
//! sizes in bytes, flows out again. Conversely any drawing of the graph without crossings gives the
//! offsets: crossing a box from one face to the next adds its size. So a perfect packing is found in
//! linear time, where heuristics leave 10 to 30 percent free.
//!
//! | step | module |
//! |---|---|
//! | boxes and lines of the problem; free bytes are boxes, too | `network` |
//! | join boxes that lie side by side; part lines that are at one time | `reduce`, `lines` |
//! | draw what is left, without the boxes for which something went wrong | `core`, `planarity` |
//! | heights of the faces, and so of the boxes | `faces` |
//! | the boxes that were left out | `refill` |
//!
//! Nothing comes of it where the problem is no such thing; that shows soon.
//!
//! Source: Brooks, Smith, Stone and Tutte, "The Dissection of Rectangles into Squares" (1940), for
//! the graph of a dissection; the reduction is that of series-parallel graphs (Duffin, "Topology of
//! Series-Parallel Networks", 1965).

mod core;
mod faces;
mod lines;
mod network;
mod planarity;
mod reduce;
mod refill;

use super::Plan;
use crate::timeline::{Item, Timeline};
use core::Core;
use network::{Edge, Network};
use refill::{Placed, refill};

/// A plan at the load or little above it, if the items and the bytes that are free are found to be
/// the boxes of a dissection, but for a few.
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
                Placed {
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
