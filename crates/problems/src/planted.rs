//! Problems with a known perfect packing: a rectangle of time and bytes is cut into boxes, so that
//! no byte is free at any time, and the boxes are shuffled. The load is the height of the
//! rectangle, and a plan at the load exists.

use crate::numbers::Numbers;
use memplan_planner::{Buffer, Problem, Solution};

/// A problem, with the packing from which it was cut.
pub struct Planted {
    /// The problem.
    pub problem: Problem,
    /// The packing.
    pub solution: Solution,
}

/// A generator of packings. Its arguments are the approximate number of buffers and a seed.
pub type Generator = fn(usize, u64) -> Planted;

/// All generators by name.
pub const ALL: [(&str, Generator); 6] = [
    ("uniform", uniform),
    ("heavy-tailed", heavy_tailed),
    ("stack-like", stack_like),
    ("phases", phases),
    ("long-short", long_short),
    ("hard", hard),
];

/// A box: live from `start` to `end`, with the bytes from `low` to `high`.
#[derive(Clone, Copy, Debug)]
struct Area {
    start: u64,
    end: u64,
    low: u64,
    high: u64,
}

impl Area {
    fn time(self) -> u64 {
        self.end - self.start
    }

    fn size(self) -> u64 {
        self.high - self.low
    }

    fn weight(self) -> f64 {
        self.time() as f64 * self.size() as f64
    }

    /// Cuts a box at `time`.
    fn cut_time(self, time: u64) -> (Area, Area) {
        (
            Area { end: time, ..self },
            Area {
                start: time,
                ..self
            },
        )
    }

    /// Cuts a box at `offset`.
    fn cut_size(self, offset: u64) -> (Area, Area) {
        (
            Area {
                high: offset,
                ..self
            },
            Area {
                low: offset,
                ..self
            },
        )
    }
}

/// Parameters of cutting a box into many.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// The approximate duration of a small box relative to its size in bytes.
    shape: f64,
    /// The number of cuts out of eight that cut the longer side, as measured by `shape`.
    longer: u64,
    /// The least part on either side of a cut, in 256ths.
    least: u64,
    /// Whether the side with the smaller area may be cut into more boxes.
    unfair: bool,
    /// The number of cuts out of 16 that make a pinwheel: five boxes that no straight cut
    /// separates.
    pinwheels: u64,
}

/// Cuts boxes and collects them.
struct Cutter {
    numbers: Numbers,
    boxes: Vec<Area>,
}

impl Cutter {
    fn new(seed: u64) -> Self {
        Cutter {
            numbers: Numbers(seed.wrapping_mul(0x9E37_79B9) ^ 0x5EED),
            boxes: Vec::new(),
        }
    }

    /// A random point between two others, at least `least` 256ths of the distance from both.
    fn between(&mut self, low: u64, high: u64, least: u64) -> u64 {
        let margin = ((high - low) * least / 256).max(1);
        low + margin
            + self
                .numbers
                .below((high - low + 1).saturating_sub(2 * margin).max(1))
    }

    /// Cuts `area` into `count` boxes, or fewer if it is too small.
    fn cut(&mut self, area: Area, count: usize, style: Style) {
        let mut todo = vec![(area, count)];
        while let Some((area, count)) = todo.pop() {
            let (time, size) = (area.time(), area.size());
            if count <= 1 || (time < 2 && size < 2) {
                self.boxes.push(area);
                continue;
            }
            if count >= 5 && time > 8 && size > 8 && self.numbers.below(16) < style.pinwheels {
                let parts = self.pinwheel(area, style);
                todo.extend(self.share(&parts, count, style));
                continue;
            }
            let long = time as f64 > style.shape * size as f64;
            let through_time = (self.numbers.below(8) < style.longer) == long;
            let (first, second) = if (through_time && time >= 2) || size < 2 {
                area.cut_time(self.between(area.start, area.end, style.least))
            } else {
                area.cut_size(self.between(area.low, area.high, style.least))
            };
            todo.extend(self.share(&[first, second], count, style));
        }
    }

    fn pinwheel(&mut self, area: Area, style: Style) -> [Area; 5] {
        let Area {
            start,
            end,
            low,
            high,
        } = area;
        let mut pair = |from: u64, to: u64| {
            let middle = self.between(from, to, 96);
            (
                self.between(from, middle, style.least),
                self.between(middle, to, style.least),
            )
        };
        let (left, right) = pair(start, end);
        let (below, above) = pair(low, high);
        [
            (start, left, low, above),
            (left, end, low, below),
            (right, end, below, high),
            (start, right, above, high),
            (left, right, below, above),
        ]
        .map(|(start, end, low, high)| Area {
            start,
            end,
            low,
            high,
        })
    }

    /// Divides `count` boxes among the areas, at least one each.
    fn share(&mut self, areas: &[Area], count: usize, style: Style) -> Vec<(Area, usize)> {
        let weight = |cutter: &mut Cutter, area: Area| {
            if style.unfair {
                area.weight().sqrt() * (1 + cutter.numbers.below(8)) as f64
            } else {
                area.weight()
            }
        };
        let weights: Vec<f64> = areas.iter().map(|&area| weight(self, area)).collect();
        share(areas, &weights, count)
    }

    /// The boxes as a problem, in random order.
    fn finish(mut self) -> Planted {
        for index in (1..self.boxes.len()).rev() {
            let other = self.numbers.below(index as u64 + 1);
            self.boxes.swap(index, other as usize);
        }
        let buffers = (0..)
            .zip(&self.boxes)
            .map(|(id, area)| Buffer::new(id, area.size(), [(area.start, area.end)]));
        let problem = Problem::new(buffers.collect()).expect("generated problems are valid");
        let offsets = self.boxes.iter().map(|area| area.low).collect();
        Planted {
            solution: Solution::new(&problem, offsets),
            problem,
        }
    }
}

/// Divides `count` in proportion to the weights, at least one each.
fn share(areas: &[Area], weights: &[f64], count: usize) -> Vec<(Area, usize)> {
    let total: f64 = weights.iter().sum();
    let spare = count.saturating_sub(areas.len()) as f64;
    let (mut sum, mut given) = (0.0, 0);
    let mut shares = Vec::with_capacity(areas.len());
    for (&area, weight) in areas.iter().zip(weights) {
        sum += weight;
        let until = (spare * sum / total).round() as usize;
        shares.push((area, 1 + until - given));
        given = until;
    }
    shares
}

/// The height in bytes of all packings except the hard ones.
pub const CAPACITY: u64 = 1 << 36;

/// The rectangle of all time and all bytes.
fn full_area(count: usize) -> Area {
    Area {
        start: 0,
        end: 16 * count as u64 + 16,
        low: 0,
        high: CAPACITY,
    }
}

/// A style of similar boxes, with about `live` of `count` boxes live at once in `area`.
fn even_style(area: Area, count: usize, live: f64) -> Style {
    let time = area.time() as f64 * live / count as f64;
    Style {
        shape: time * live / area.size() as f64,
        longer: 6,
        least: 64,
        unfair: false,
        pinwheels: 1,
    }
}

/// Sizes and live times that vary by a small factor. The square root of `count` are live at once.
pub fn uniform(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let area = full_area(count);
    cutter.cut(area, count, even_style(area, count, (count as f64).sqrt()));
    cutter.finish()
}

/// Sizes and live times over many orders of magnitude, most of them small.
pub fn heavy_tailed(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let area = full_area(count);
    let style = Style {
        longer: 5,
        least: 8,
        unfair: true,
        ..even_style(area, count, (count as f64).sqrt())
    };
    cutter.cut(area, count, style);
    cutter.finish()
}

/// Nested calls: below each box lie those that are live before and after it. Some calls allocate
/// and free in arbitrary order.
pub fn stack_like(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let mut todo = vec![(full_area(count), count)];
    while let Some((area, count)) = todo.pop() {
        if count < 3 || area.time() < 4 || area.size() < 4 {
            cutter.cut(area, count, even_style(area, count, 1.0));
            continue;
        }
        if count < 64 && cutter.numbers.below(4) == 0 {
            let style = even_style(area, count, (count as f64).sqrt());
            cutter.cut(area, count, style);
            continue;
        }
        // The number of remaining levels is about the logarithm of the number of boxes.
        let levels = 2 * (count as u64).ilog2() as u64 + 1;
        let frame = area.size() * (1 + cutter.numbers.below(64)) / (32 * levels + 64);
        let (bottom, rest) = area.cut_size(area.low + frame.max(1));
        cutter.boxes.push(bottom);
        let (first, second) = rest.cut_time(cutter.between(rest.start, rest.end, 8));
        todo.extend(share(
            &[first, second],
            &[first.weight(), second.weight()],
            count - 1,
        ));
    }
    cutter.finish()
}

/// Phases of time with different kinds of boxes, and some boxes that are live during several
/// phases.
pub fn phases(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let area = full_area(count);
    let mut times: Vec<u64> = (0..24.min(count / 16))
        .map(|_| cutter.between(area.start, area.end, 2))
        .chain([area.start, area.end])
        .collect();
    times.sort_unstable();
    times.dedup();
    let mut cells = Vec::new();
    let mut low = 0;
    let strips = 16.min(1 + count / 256) as u64;
    for strip in 1..=strips {
        let high = CAPACITY * strip / strips;
        let mut first = 0;
        while first + 1 < times.len() {
            let last = (first + 1 + cutter.numbers.below(4) as usize / 2).min(times.len() - 1);
            cells.push(Area {
                start: times[first],
                end: times[last],
                low,
                high,
            });
            first = last;
        }
        low = high;
    }
    let weights: Vec<f64> = cells
        .iter()
        .map(|cell| cell.weight() * (1u64 << (2 * cutter.numbers.below(4))) as f64)
        .collect();
    for (cell, count) in share(&cells, &weights, count) {
        let kind = cutter.numbers.below(3);
        let live = (count as f64).powf([0.3, 0.5, 0.7][kind as usize]);
        let style = Style {
            unfair: kind == 0,
            ..even_style(cell, count, live)
        };
        cutter.cut(cell, count, style);
    }
    cutter.finish()
}

/// One box in 20 is long-lived; many short-lived ones lie in between.
pub fn long_short(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let area = full_area(count);
    let long = count / 20 + 1;
    cutter.cut(area, long, even_style(area, long, 0.1 * long as f64));
    let mut room = Vec::new();
    for area in std::mem::take(&mut cutter.boxes) {
        if room.is_empty() || cutter.numbers.below(2) == 0 {
            room.push(area);
        } else {
            cutter.boxes.push(area);
        }
    }
    let weights: Vec<f64> = room.iter().map(|area| area.weight()).collect();
    for (area, count) in share(&room, &weights, count - cutter.boxes.len()) {
        cutter.cut(area, count, even_style(area, count, 2.0));
    }
    cutter.finish()
}

/// The bytes and points in time of the hard packings, and the common divisor of both.
pub const HARD: u64 = 1 << 20;
const GRAIN: u64 = 1 << 10;

/// Small and hard packings, similar to MiniMalloc's instances: 1 MiB by as many points in time, in
/// steps of 1024, with sizes and live times over three orders of magnitude. Odd seeds leave nothing
/// free; even ones remove a few boxes. Every fourth seed has short and similar boxes, with many of
/// them live only at some times.
pub fn hard(count: usize, seed: u64) -> Planted {
    let mut cutter = Cutter::new(seed);
    let grains = HARD / GRAIN;
    let area = Area {
        start: 0,
        end: grains,
        low: 0,
        high: grains,
    };
    if seed % 4 == 3 {
        let all = count * 8 / 5;
        let style = Style {
            longer: 8,
            least: 100,
            ..even_style(area, all, 15.0)
        };
        cutter.cut(area, all, style);
        let crowds: Vec<u64> = (0..6).map(|_| cutter.numbers.below(grains)).collect();
        let numbers = &mut cutter.numbers;
        cutter.boxes.retain(|area| {
            crowds.iter().any(|&at| area.start <= at && at < area.end) || numbers.below(32) < 17
        });
    } else {
        let style = Style {
            shape: 3.0,
            longer: 5,
            least: 6 + 12 * (seed / 4 % 3),
            unfair: true,
            pinwheels: 2,
        };
        let count = count + count * ((seed + 1) % 2) as usize / 32;
        let mut rest = area;
        let strips = count / 40 + cutter.numbers.below(8) as usize;
        for _ in 0..strips.min(count / 2) {
            let strip;
            (strip, rest) = rest.cut_size(rest.low + 1 + cutter.numbers.below(8));
            cutter.boxes.push(strip);
        }
        cutter.cut(rest, count - cutter.boxes.len(), style);
        if seed.is_multiple_of(2) {
            let numbers = &mut cutter.numbers;
            cutter.boxes.retain(|_| numbers.below(32) > 0);
        }
    }
    for area in &mut cutter.boxes {
        for value in [
            &mut area.start,
            &mut area.end,
            &mut area.low,
            &mut area.high,
        ] {
            *value *= GRAIN;
        }
    }
    cutter.finish()
}
