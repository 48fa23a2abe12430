//! Enumerates all problems of some buffers over a small grid of time and size, up to symmetry.

use memplan_planner::{Buffer, Problem};

/// Start, end, size and alignment.
type Item = (u64, u64, u64, u64);

/// Calls `visit` with every problem of `count` buffers without holes, each with one of these sizes
/// and alignments. Returns the number of problems.
///
/// Time is compressed: at each point except the first, some buffer ends and some buffer starts. The
/// enumeration omits reordered problems, problems that are reversed in time, and problems that a
/// point in time divides into two. If all alignments are 1, it also omits problems with a buffer
/// that is live all the time, which may as well lie below all others.
pub fn every(count: usize, kinds: &[(u64, u64)], visit: &mut impl FnMut(&Problem)) -> usize {
    let mut grid = Grid {
        kinds,
        points: 0,
        items: vec![(0, 0, 0, 0); count],
        visited: 0,
        visit,
    };
    for points in 1..=count as u64 {
        grid.points = points;
        grid.fill(0, 0);
    }
    grid.visited
}

struct Grid<'a, F> {
    kinds: &'a [(u64, u64)],
    points: u64,
    items: Vec<Item>,
    visited: usize,
    visit: &'a mut F,
}

impl<F: FnMut(&Problem)> Grid<'_, F> {
    /// Fills the positions from `index` on with items in order. `ended` has a bit for each point in
    /// time at which an earlier item ends.
    fn fill(&mut self, index: usize, ended: u64) {
        let left = (self.items.len() - index) as u64;
        let before = index.checked_sub(1).map(|before| self.items[before]);
        let (first, last) = match before {
            None => (0, 0),
            Some((start, ..)) => (start, (start + 1).min(self.points - 1)),
        };
        if self.points - u64::from(ended.count_ones()) > left || self.points - 1 - first > left {
            return; // too few to start and to end everywhere
        }
        if left == 0 {
            self.finish();
            return;
        }
        for start in first..=last {
            for end in start + 1..=self.points {
                for &(size, alignment) in self.kinds {
                    let item = (start, end, size, alignment);
                    if before.is_none_or(|before| before <= item) {
                        self.items[index] = item;
                        self.fill(index + 1, ended | 1 << end);
                    }
                }
            }
        }
    }

    fn finish(&mut self) {
        let (items, points) = (&self.items, self.points);
        let crossed = |time| items.iter().any(|item| item.0 < time && time < item.1);
        let all_the_time = |item: &Item| item.0 == 0 && item.1 == points && points > 1;
        let plain = items.iter().all(|item| item.3 == 1);
        if !(1..points).all(crossed) || plain && items.iter().any(all_the_time) {
            return;
        }
        let mut backward: Vec<Item> = items
            .iter()
            .map(|&(start, end, size, alignment)| (points - end, points - start, size, alignment))
            .collect();
        backward.sort_unstable();
        if *items > backward {
            return;
        }
        let buffers = (0..)
            .zip(items)
            .map(|(id, &(start, end, size, alignment))| {
                Buffer::new(id, size, [(start, end)]).aligned(alignment)
            });
        let problem = Problem::new(buffers.collect()).expect("a valid problem");
        self.visited += 1;
        (self.visit)(&problem);
    }
}
