//! Problems with the shapes of networks, and some large ones. All are deterministic.

use crate::numbers::Numbers;
use memplan_planner::{Buffer, Problem};

/// A generator of problems. Its argument is the number of layers, blocks or buffers, depending on
/// the generator.
pub type Generator = fn(usize) -> Problem;

/// All generators by name.
pub const ALL: [(&str, Generator); 9] = [
    ("chain", chain),
    ("resnet", resnet),
    ("unet", unet),
    ("densenet", densenet),
    ("transformer", transformer),
    ("short-lived", short_lived),
    ("all-live", all_live),
    ("random", random_ranges),
    ("nested", nested),
];

/// A network under construction: tensors and their live ranges.
#[derive(Default)]
struct Network {
    buffers: Vec<(u64, (u64, u64))>,
    time: u64,
}

impl Network {
    /// An op that reads `inputs` and writes a new tensor of `size` bytes.
    fn op(&mut self, size: u64, inputs: &[usize]) -> usize {
        self.time += 1;
        for &input in inputs {
            self.buffers[input].1.1 = self.time + 1;
        }
        self.buffers.push((size, (self.time, self.time + 1)));
        self.buffers.len() - 1
    }

    fn problem(self) -> Problem {
        let buffers = (0..)
            .zip(self.buffers)
            .map(|(id, (size, live))| Buffer::new(id, size, [live]).aligned(64));
        valid(buffers.collect())
    }
}

fn valid(buffers: Vec<Buffer>) -> Problem {
    Problem::new(buffers).expect("generated problems are valid")
}

/// `layers` consecutive ops, each with a reduction and a padding copy, and sizes that shrink by
/// stages.
pub fn chain(layers: usize) -> Problem {
    let mut network = Network::default();
    let mut last = network.op(3 * 224 * 224 * 4, &[]);
    for layer in 0..layers {
        let size = (64u64 * 112 * 112 * 4) >> (6 * layer / layers.max(1));
        let padded = network.op(size + size / 28 + 4 * layer as u64, &[last]);
        let convolved = network.op(size, &[padded]);
        let mean = network.op(64 * 4, &[convolved]);
        last = network.op(size, &[convolved, mean]);
    }
    network.problem()
}

/// `blocks` residual blocks in four stages. Each stage halves the height and width of the picture.
pub fn resnet(blocks: usize) -> Problem {
    let mut network = Network::default();
    let mut side = 56u64;
    let mut channels = 64u64;
    let mut last = network.op(channels * side * side * 4, &[]);
    for block in 0..blocks {
        let mut skip = last;
        if block > 0 && block % blocks.div_ceil(4) == 0 && side > 7 {
            (side, channels) = (side / 2, channels * 2);
            skip = network.op(channels * side * side * 4, &[last]);
        }
        let size = channels * side * side * 4;
        let narrow = network.op(size / 4, &[last]);
        let padded = network.op(channels * (side + 2) * (side + 2), &[narrow]);
        let middle = network.op(size / 4, &[padded]);
        let wide = network.op(size, &[middle]);
        last = network.op(size, &[wide, skip]);
    }
    network.problem()
}

/// An encoder and a decoder of `depth` levels (at most 9), with a skip connection at each level.
pub fn unet(depth: usize) -> Problem {
    let mut network = Network::default();
    let mut skips = Vec::new();
    let mut last = network.op(3 * 512 * 512 * 4, &[]);
    let depth = depth.clamp(1, 9);
    let size = |level: usize| (32u64 << level) * (512 >> level) * (512 >> level) * 4;
    let pad = |level: usize| (32u64 << level) * ((512 >> level) + 2) * ((512 >> level) + 2) * 4;
    for level in 0..depth {
        for _ in 0..2 {
            let padded = network.op(pad(level), &[last]);
            let convolved = network.op(size(level), &[padded]);
            last = network.op(size(level), &[convolved]);
        }
        skips.push(last);
        last = network.op(size(level) / 4, &[last]);
    }
    for level in (0..depth).rev() {
        let up = network.op(size(level), &[last]);
        let skip = skips.pop().expect("one for each level");
        last = network.op(2 * size(level), &[up, skip]);
        for _ in 0..2 {
            let padded = network.op(pad(level), &[last]);
            let convolved = network.op(size(level), &[padded]);
            last = network.op(size(level), &[convolved]);
        }
    }
    network.problem()
}

/// `layers` layers, each of which concatenates all features before it and adds new ones.
pub fn densenet(layers: usize) -> Problem {
    let mut network = Network::default();
    let mut channels = 64u64;
    let mut side = 56u64;
    let mut features = vec![network.op(channels * side * side * 4, &[])];
    for layer in 0..layers {
        if layer > 0 && layer % 12 == 0 && side > 7 {
            let all = network.op(channels * side * side * 4, &features);
            channels /= 2;
            let squeezed = network.op(channels * side * side * 4, &[all]);
            side /= 2;
            features = vec![network.op(channels * side * side * 4, &[squeezed])];
        }
        let all = network.op(channels * side * side * 4, &features);
        let normal = network.op(channels * side * side * 4, &[all]);
        let narrow = network.op(128 * side * side * 4, &[normal]);
        let padded = network.op(128 * (side + 2) * (side + 2) * 4, &[narrow]);
        features.push(network.op(32 * side * side * 4, &[padded]));
        channels += 32;
    }
    network.problem()
}

/// `layers` encoder layers of a transformer with a sequence length of 197.
pub fn transformer(layers: usize) -> Problem {
    let mut network = Network::default();
    let (sequence, width, heads) = (197u64, 384u64, 6u64);
    let plane = sequence * width * 4;
    let mut last = network.op(plane, &[]);
    for _ in 0..layers {
        let mean = network.op(sequence * 4, &[last]);
        let normal = network.op(plane, &[last, mean]);
        let query = network.op(plane, &[normal]);
        let key = network.op(plane, &[normal]);
        let value = network.op(plane, &[normal]);
        let turned = network.op(plane, &[key]);
        let scores = network.op(heads * sequence * sequence * 4, &[query, turned]);
        let most = network.op(heads * sequence * 4, &[scores]);
        let powers = network.op(heads * sequence * sequence * 4, &[scores, most]);
        let sums = network.op(heads * sequence * 4, &[powers]);
        let weights = network.op(heads * sequence * sequence * 4, &[powers, sums]);
        let mixed = network.op(plane, &[weights, value]);
        let joined = network.op(plane, &[mixed]);
        let attended = network.op(plane, &[joined, last]);
        let normal = network.op(plane, &[attended]);
        let wide = network.op(4 * plane, &[normal]);
        let bent = network.op(4 * plane, &[wide]);
        let narrow = network.op(plane, &[bent]);
        last = network.op(plane, &[narrow, attended]);
    }
    network.problem()
}

/// `count` buffers that are live for 1 to 8 points in time; one starts at each point.
pub fn short_lived(count: usize) -> Problem {
    let mut numbers = Numbers(1);
    let buffers = (0..count as u64).map(|id| {
        let live = (id, id + 1 + numbers.below(8));
        Buffer::new(id, 1 + numbers.below(1 << 16), [live]).aligned(64)
    });
    valid(buffers.collect())
}

/// `count` buffers that are all live from start to end.
pub fn all_live(count: usize) -> Problem {
    let mut numbers = Numbers(2);
    let end = 2 * count as u64;
    let buffers = (0..count as u64)
        .map(|id| Buffer::new(id, 64 + 64 * numbers.below(1 << 10), [(id, end)]).aligned(64));
    valid(buffers.collect())
}

/// `count` buffers with random starts and ends.
pub fn random_ranges(count: usize) -> Problem {
    let mut numbers = Numbers(3);
    let buffers = (0..count as u64).map(|id| {
        let start = numbers.below(2 * count as u64);
        let end = start + 1 + numbers.below(2 * count as u64);
        Buffer::new(id, 1 + numbers.below(1 << 16), [(start, end)]).aligned(64)
    });
    valid(buffers.collect())
}

/// `count` buffers with nested live ranges, as in deep recursion or backpropagation, alternating
/// with short-lived ones.
pub fn nested(count: usize) -> Problem {
    let mut numbers = Numbers(4);
    let end = 4 * count as u64;
    let buffers = (0..count as u64).map(|id| {
        let depth = id / 2;
        let live = if id % 2 == 0 {
            (2 * depth, end - 2 * depth)
        } else {
            (end - 2 * depth - 2, end - 2 * depth + 1)
        };
        Buffer::new(id, 1 + numbers.below(1 << 16), [live]).aligned(64)
    });
    valid(buffers.collect())
}
