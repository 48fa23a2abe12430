//! Plausible reports for the tests, planned with first fit.

use memplan_report::{BufferReport, FunctionReport, Report, ScopeReport, Skipped, load};

/// A buffer to plan: type, size, live ranges and the earlier buffer whose bytes it takes over.
#[derive(Debug)]
pub struct Wanted {
    pub ty: String,
    pub size: u64,
    pub live: Vec<(u64, u64)>,
    pub in_place_with: Option<u64>,
}

/// The buffers of a network, collected in the order of its operations.
#[derive(Default)]
pub struct Network {
    pub buffers: Vec<Wanted>,
    clock: u64,
}

impl Network {
    /// A layer that reads `inputs` and fills a new buffer of `channels` square maps.
    fn layer(&mut self, inputs: &[usize], channels: u64, side: u64) -> usize {
        let position = self.tick(inputs);
        let ty = format!("memref<1x{channels}x{side}x{side}xf32>");
        let size = 4 * channels * side * side;
        self.buffers.push(Wanted {
            ty,
            size,
            live: vec![(position, position + 1)],
            in_place_with: None,
        });
        self.buffers.len() - 1
    }

    /// A layer that writes over its input.
    fn in_place(&mut self, input: usize) -> usize {
        let position = self.tick(&[input]);
        let Wanted { ty, size, .. } = &self.buffers[input];
        self.buffers.push(Wanted {
            ty: ty.clone(),
            size: *size,
            live: vec![(position, position + 1)],
            in_place_with: Some(input as u64),
        });
        self.buffers.len() - 1
    }

    /// The next position; `inputs` live on through it.
    fn tick(&mut self, inputs: &[usize]) -> u64 {
        let position = self.clock;
        self.clock += 1;
        for &input in inputs {
            if let Some(last) = self.buffers[input].live.last_mut() {
                last.1 = position + 1;
            }
        }
        position
    }
}

/// A residual network of 18 layers with padded inputs, as bufferized: a padded copy before
/// each 3x3 convolution, activations in place.
pub fn resnet() -> Network {
    let mut net = Network::default();
    let padded = net.layer(&[], 3, 230);
    let stem = net.layer(&[padded], 64, 112);
    let stem = net.in_place(stem);
    let padded = net.layer(&[stem], 64, 114);
    let mut x = net.layer(&[padded], 64, 56);
    for (channels, side) in [(64, 56), (128, 28), (256, 14), (512, 7)] {
        for block in 0..2 {
            let narrows = block == 0 && channels > 64;
            let before = if narrows { side * 2 } else { side };
            let from = if narrows { channels / 2 } else { channels };
            let padded = net.layer(&[x], from, before + 2);
            let a = net.layer(&[padded], channels, side);
            let a = net.in_place(a);
            let padded = net.layer(&[a], channels, side + 2);
            let b = net.layer(&[padded], channels, side);
            let skip = if narrows {
                net.layer(&[x], channels, side)
            } else {
                x
            };
            let sum = net.layer(&[b, skip], channels, side);
            x = net.in_place(sum);
        }
    }
    let pooled = net.layer(&[x], 512, 1);
    let scores = net.layer(&[pooled], 1000, 1);
    net.layer(&[scores], 1000, 1);
    // Read once more at the end, after a stretch in which it is dead.
    let end = net.clock + 3;
    net.buffers[scores].live.push((end, end + 2));
    net
}

/// Plans `wanted` with first fit in order of size and wraps it up with all its sums right.
pub fn planned(wanted: &[Wanted], alignment: u64) -> ScopeReport {
    let mut buffers: Vec<BufferReport> = wanted
        .iter()
        .enumerate()
        .map(|(id, wanted)| BufferReport {
            id: id as u64,
            location: format!("loc(\"resnet18.mlir\":{}:11)", 40 + 7 * id),
            ty: wanted.ty.clone(),
            size: wanted.size,
            alignment,
            offset: 0,
            live: wanted.live.clone(),
            windows: Vec::new(),
            in_place_with: wanted.in_place_with,
            arena_of: String::new(),
            same_as: None,
        })
        .collect();
    let mut scope = ScopeReport {
        slots: Vec::new(),
        excluded: Vec::new(),
        banks: None,
        held: None,
        each_iteration: false,
        first_time: 0,
        kind: "function".into(),
        location: "loc(\"resnet18.mlir\":3:3)".into(),
        arena: String::new(),
        memory_space: String::new(),
        planner: "first-fit".into(),
        optimal: false,
        naive_bytes: wanted
            .iter()
            .map(|w| w.size.next_multiple_of(alignment))
            .sum(),
        load_bytes: 0,
        lower_bound_bytes: 0,
        lower_bound_proof: String::new(),
        lower_bound_sizes: Vec::new(),
        op_floor_bytes: None,
        peak: None,
        planned_bytes: 0,
        alignment,
        buffers: std::mem::take(&mut buffers),
    };
    place(&mut scope);
    let curve = load::curve(&load::blocks(&scope));
    scope.load_bytes = load::peak(&curve).map_or(0, |peak| peak.load);
    scope.lower_bound_bytes = scope.load_bytes;
    scope.lower_bound_proof = match scope.load_bytes {
        0 => "nothing",
        _ => "load",
    }
    .into();
    scope.planned_bytes = scope
        .buffers
        .iter()
        .map(|b| b.offset + b.size)
        .max()
        .unwrap_or(0);
    scope.optimal = scope.planned_bytes == scope.lower_bound_bytes;
    scope
}

fn place(scope: &mut ScopeReport) {
    let blocks = load::blocks(scope);
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(blocks[at].size), blocks[at].live.clone()));
    let mut placed: Vec<(usize, u64)> = Vec::new();
    for at in order {
        let block = &blocks[at];
        let mut taken: Vec<(u64, u64)> = placed
            .iter()
            .filter(|&&(other, _)| meets(&block.live, &blocks[other].live))
            .map(|&(other, offset)| (offset, offset + blocks[other].size))
            .collect();
        taken.sort_unstable();
        let mut offset = 0u64;
        for (start, end) in taken {
            if start >= offset + block.size {
                break;
            }
            offset = offset.max(end.next_multiple_of(scope.alignment));
        }
        placed.push((at, offset));
        for &member in &block.members {
            scope.buffers[member].offset = offset;
        }
    }
}

/// Whether two sets of live ranges share a position.
pub fn meets(a: &[(u64, u64)], b: &[(u64, u64)]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.0 < b.1 && b.0 < a.1))
}

/// A report with one planned network.
pub fn resnet_report() -> Report {
    Report::new(vec![FunctionReport {
        name: "forward".into(),
        scopes: vec![planned(&resnet().buffers, 64)],
        skipped: vec![Skipped {
            location: "loc(\"resnet18.mlir\":701:11)".into(),
            ty: "memref<1x1000xf32>".into(),
            reason: "returned".into(),
            id: None,
            arena_of: String::new(),
        }],
        bounded: None,
        dimensions: Vec::new(),
        regions: None,
        orders: Vec::new(),
        chains: Vec::new(),
        functions_read: None,
        program: None,
        planned_bytes: None,
        lower_bound_bytes: None,
        heap_bytes: None,
        heap_lower_bound_bytes: None,
        costs: None,
        explained: None,
    }])
}

/// Pseudo-random numbers, the same on every run.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// Many buffers of mixed sizes and lives, some with a hole.
pub fn crowd(count: u64) -> ScopeReport {
    let mut numbers = Numbers(count);
    let wanted: Vec<Wanted> = (0..count)
        .map(|at| {
            let words = 16 << numbers.below(9);
            let start = at / 2;
            let mut live = vec![(start, start + 1 + numbers.below(40))];
            if numbers.below(10) == 0 {
                let again = live[0].1 + 3 + numbers.below(20);
                live.push((again, again + 1 + numbers.below(9)));
            }
            let ty = format!("memref<{words}xf32>");
            Wanted {
                ty,
                size: 4 * words,
                live,
                in_place_with: None,
            }
        })
        .collect();
    planned(&wanted, 64)
}
