//! How far the moves that are chosen are from the least: `cargo run --release --example moves -- [N]`.
//!
//! N straight lines of few values by chance, of which those count that need moves. The least is found by search.

use memplan_bounded::{Analysis, Builder, Placement, Tree, Value, exact::least_moved};
use memplan_planner::Effort;

/// Pseudo-random numbers: the same ones each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }
}

fn line(numbers: &mut Numbers) -> Tree {
    let mut program = Builder::new();
    program.open(None);
    let mut names = Vec::new();
    for _ in 0..4 + numbers.below(4) {
        names.extend(program.step(&[], [Value::buffer(1 + numbers.below(4), 1)]));
        for _ in 0..numbers.below(3) {
            let at = numbers.below(names.len() as u64) as usize;
            program.step(&[names[at]], []);
        }
    }
    for _ in 0..2 {
        let at = numbers.below(names.len() as u64) as usize;
        program.step(&[names[at]], []);
    }
    program.finish().expect("names are known")
}

fn main() {
    let wanted = std::env::args().nth(1);
    let count: u64 = wanted.map_or(2000, |count| count.parse().expect("a number"));
    for (name, placement) in [
        ("first", Placement::First),
        ("best", Placement::Best),
        ("planner", Placement::Planner),
    ] {
        let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
        let (mut needy, mut best, mut sum, mut least_sum, mut skipped, mut avoidable) =
            (0, 0, 0, 0, 0, 0);
        for _ in 0..count {
            let tree = line(&mut numbers);
            let analysis = Analysis::new(&tree, placement, Effort::Quick);
            let Ok(still) = analysis.without_moves() else {
                continue;
            };
            let lowest = analysis.lowest(&still);
            assert_eq!(lowest.layout.peak, analysis.load.most);
            if lowest.worst.moved_bytes == 0 {
                continue;
            }
            match least_moved(&tree, &analysis.deaths, analysis.load.most, 300_000) {
                Ok(Some(least)) => {
                    needy += 1;
                    best += u64::from(least == lowest.worst.moved_bytes);
                    avoidable += u64::from(least == 0);
                    sum += lowest.worst.moved_bytes;
                    least_sum += least;
                }
                _ => skipped += 1,
            }
        }
        println!(
            "fit={name}: {needy} of {count} lines move something; {best} as few bytes as possible; {sum} bytes moved, \
             the least {least_sum}; {avoidable} need no move at all; {skipped} too large to search"
        );
    }
}
