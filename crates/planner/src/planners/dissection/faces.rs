//! Computes the offsets of a dissection from a drawing of its graph.
//!
//! Two boxes that are live at once have faces between them. The boxes around a face are below it or
//! above it. So each face lies at least as high as any face below one of the boxes below it, plus
//! the size of that box.
//!
//! Source: in a planar graph with one source and one sink, any two edges are connected either by a
//! path or by a path of the dual graph (Tamassia and Preparata, "Dynamic maintenance of planar
//! digraphs", 1990).

use super::core::Core;
use super::network::NONE;
use super::planarity::Rotation;

/// The highest useful face; sums beyond it could overflow.
const HIGHEST: u64 = 1 << 62;

/// The offset of each strip of `core`. `None` if the rotation is not a planar drawing that is
/// monotonic in time.
pub fn offsets(core: &Core, rotation: &Rotation) -> Option<Vec<u64>> {
    let mut face = vec![NONE; rotation.len()];
    let mut faces = 0;
    for start in 0..rotation.len() {
        if face[start] != NONE {
            continue;
        }
        let mut half = start;
        while face[half] == NONE {
            face[half] = faces;
            half = rotation[half ^ 1] as usize;
        }
        faces += 1;
    }
    // Euler's formula: the drawing of a connected graph is planar.
    let edges = core.strips.len() + 1;
    if core.lines + faces as usize != edges + 2 || !is_one_way(core, rotation) {
        return None;
    }
    // Half edge 2e of strip e borders the face on one side, and half edge 2e + 1 the face on the
    // other.
    let sides = |strip: usize| (face[2 * strip + 1] as usize, face[2 * strip] as usize);
    let levels = levels(core, faces as usize, sides)?;
    Some(
        (0..core.strips.len())
            .map(|strip| levels[sides(strip).0])
            .collect(),
    )
}

/// Whether the strips that start at a line are consecutive around it, and those that end there.
fn is_one_way(core: &Core, rotation: &Rotation) -> bool {
    let closing = core.strips.len();
    // The closing edge goes back in time, from the last line to the first.
    let starts = |half: usize| half.is_multiple_of(2) != (half / 2 == closing);
    let line = |half: usize| match core.strips.get(half / 2) {
        Some(strip) if half.is_multiple_of(2) => strip.from as usize,
        Some(strip) => strip.to as usize,
        None if half.is_multiple_of(2) => core.lines - 1,
        None => 0,
    };
    let mut turns = vec![0u32; core.lines];
    for half in 0..rotation.len() {
        let next = rotation[half] as usize;
        turns[line(half)] += u32::from(starts(half) != starts(next));
    }
    let last = core.lines - 1;
    let (first, middle) = turns.split_at(1);
    first[0] == 0 && turns[last] == 0 && middle[..last - 1].iter().all(|&turns| turns == 2)
}

/// The height of each face: the longest path up from the lowest face.
fn levels(core: &Core, faces: usize, sides: impl Fn(usize) -> (usize, usize)) -> Option<Vec<u64>> {
    let mut first = vec![0u32; faces + 1];
    let mut missing = vec![0u32; faces];
    for strip in 0..core.strips.len() {
        let (below, above) = sides(strip);
        first[below + 1] += 1;
        missing[above] += 1;
    }
    for face in 0..faces {
        first[face + 1] += first[face];
    }
    let mut next = first.clone();
    let mut over = vec![0u32; core.strips.len()];
    for strip in 0..core.strips.len() {
        let slot = &mut next[sides(strip).0];
        over[*slot as usize] = strip as u32;
        *slot += 1;
    }
    let mut levels = vec![0u64; faces];
    let mut ready: Vec<usize> = (0..faces).filter(|&face| missing[face] == 0).collect();
    let mut done = 0;
    while let Some(face) = ready.pop() {
        done += 1;
        for &strip in &over[first[face] as usize..first[face + 1] as usize] {
            let (_, above) = sides(strip as usize);
            let level = levels[face].checked_add(core.strips[strip as usize].size)?;
            if level > HIGHEST {
                return None;
            }
            levels[above] = levels[above].max(level);
            missing[above] -= 1;
            if missing[above] == 0 {
                ready.push(above);
            }
        }
    }
    (done == faces).then_some(levels)
}
