//! Programs on images of channels, rows and columns, and on matrices.

use memplan_strips::{
    program::{Access, Buffer, BufferId, Linear, Loop, Node, Origin, Program, ViewId},
    views::View,
};
use smallvec::SmallVec;

/// Each element from a window of so many rows and columns of the image before, or from that and an earlier image.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub window: i64,
    /// How many images before the last one, if it has the same size.
    pub second: Option<usize>,
}

/// An index that is the sum of loops.
fn sum(loops: &[u32]) -> Linear {
    Linear {
        terms: loops.iter().map(|number| (*number, 1)).collect(),
        constant: 0,
    }
}

/// The loops of an operation, the first four of which are parallel.
fn loops(extents: &[i64]) -> SmallVec<[Loop; 6]> {
    let loops = extents.iter().enumerate();
    loops
        .map(|(number, extent)| Loop {
            extent: *extent,
            is_parallel: number < 4,
        })
        .collect()
}

fn access(buffer: BufferId, indices: &[&[u32]], [reads, writes]: [bool; 2]) -> Access {
    Access {
        buffer,
        view: ViewId::new(0),
        indices: indices.iter().map(|loops| sum(loops)).collect(),
        reads,
        writes,
        moved: 4,
    }
}

/// A program without nodes.
fn empty() -> Program {
    let mut program = Program::default();
    program.views.push(View {
        steps: Vec::new(),
        is_whole: true,
    });
    program
}

/// A matrix of `rows` times `inner` elements, multiplied with one of `inner` times `middle`, and then with one of `middle`
/// times `columns`: the last one is a result.
pub fn matmuls([rows, inner, middle, columns]: [i64; 4]) -> Program {
    let mut program = empty();
    let mut matrix = |origin, rows, columns| buffer(&mut program, origin, &[rows, columns]);
    let given = matrix(Origin::Outside, rows, inner);
    let weights = [(inner, middle), (middle, columns)];
    let weights = weights.map(|(rows, columns)| matrix(Origin::Outside, rows, columns));
    let between = matrix(Origin::Inside, rows, middle);
    let result = matrix(Origin::Result, rows, columns);
    let both = [
        (given, weights[0], between, [rows, middle, inner]),
        (between, weights[1], result, [rows, columns, middle]),
    ];
    for (from, weights, into, extents) in both {
        let loops = |count: usize| {
            let loops = extents[..count].iter().enumerate();
            loops
                .map(|(number, extent)| Loop {
                    extent: *extent,
                    is_parallel: number < 2,
                })
                .collect()
        };
        program.add(Node {
            loops: loops(2),
            accesses: SmallVec::from_vec(vec![access(into, &[&[0], &[1]], [false, true])]),
            ..Node::default()
        });
        program.add(Node {
            loops: loops(3),
            accesses: SmallVec::from_vec(vec![
                access(from, &[&[0], &[2]], [true, false]),
                access(weights, &[&[2], &[1]], [true, false]),
                access(into, &[&[0], &[1]], [true, true]),
            ]),
            ..Node::default()
        });
    }
    program
}

/// A program of these layers on an image of so many rows and columns. The last image is a result.
pub fn program(layers: &[Layer], channels: i64, [rows, columns]: [i64; 2]) -> Program {
    let mut program = empty();
    let mut images: Vec<(BufferId, [i64; 4])> = Vec::new();
    let shape = [1, channels, rows, columns];
    images.push((buffer(&mut program, Origin::Outside, &shape), shape));
    let (read, write, both) = ([true, false], [false, true], [true, true]);
    let each: [&[u32]; 4] = [&[0], &[1], &[2], &[3]];
    let window: [&[u32]; 4] = [&[0], &[1], &[2, 4], &[3, 5]];
    for layer in layers {
        let (from, shape) = images[images.len() - 1];
        let size = layer.window;
        let [_, _, rows, columns] = shape.map(|extent| extent - size + 1);
        if rows < 1 || columns < 1 {
            continue;
        }
        let image = [1, channels, rows, columns];
        let into = buffer(&mut program, Origin::Inside, &image);
        if size == 1 {
            let mut accesses = SmallVec::from_vec(vec![access(from, &each, read)]);
            let second = layer.second.and_then(|back| images.iter().rev().nth(back));
            if let Some((second, _)) = second.filter(|(_, other)| *other == shape) {
                accesses.push(access(*second, &each, read));
            }
            accesses.push(access(into, &each, write));
            program.add(Node {
                loops: loops(&image),
                accesses,
                ..Node::default()
            });
        } else {
            program.add(Node {
                loops: loops(&image),
                accesses: SmallVec::from_vec(vec![access(into, &each, write)]),
                ..Node::default()
            });
            program.add(Node {
                loops: loops(&[1, channels, rows, columns, size, size]),
                accesses: SmallVec::from_vec(vec![
                    access(from, &window, read),
                    access(into, &each, both),
                ]),
                ..Node::default()
            });
        }
        images.push((into, image));
    }
    if let Some((last, _)) = images.last().filter(|_| images.len() > 1) {
        program.buffers[last.index()].origin = Origin::Result;
    }
    program
}

/// A buffer of elements of 4 bytes.
fn buffer(program: &mut Program, origin: Origin, shape: &[i64]) -> BufferId {
    let same = |buffer: &Buffer| buffer.shape[..] == *shape;
    let known = program.buffers.iter().position(same);
    let number = program.buffers.len();
    program.buffers.push(Buffer {
        origin,
        shape: SmallVec::from_slice(shape),
        element: 4,
        r#type: known.unwrap_or(number) as u32,
        nodes: Vec::new(),
        writers: Vec::new(),
    });
    BufferId::new(number)
}
