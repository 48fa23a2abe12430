//! Splits the blocks of a function, as they are: the search, and what it found is written.

use super::{
    blocks::{blocks_of, loads},
    bound::WholeBlock,
    obstacle::Obstacle,
    read::{Nests, StaticShapes, read},
    settings::Settings,
    write::{BlockWriting, ChainFacts, write},
};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::BuildError,
    ir::Op,
    melior::ir::{Location, operation::OperationLike},
    names::name_of,
};
use memplan_semantics::Semantics;
use memplan_strips::{
    amounts::Amounts,
    chain::Spread,
    frontiers::Frontiers,
    in_place,
    program::Program,
    search::{Chosen, Limits, Search},
    time,
};

/// A chain that was written.
#[derive(Clone, Debug)]
pub struct WrittenChain<'c> {
    /// The location of its last operation.
    pub location: Location<'c>,
    /// The operation in whose loops it is split.
    pub seed: String,
    /// What was chosen.
    pub chosen: Chosen,
    /// What was recorded of it.
    pub facts: ChainFacts,
}

/// What one attempt gave.
#[derive(Default)]
pub struct Attempt<'c> {
    /// Whether any operation has loops, of whatever size.
    pub may_split: bool,
    /// The chains that were written.
    pub chains: Vec<WrittenChain<'c>>,
    /// What keeps the peak, if remarks are wanted.
    pub obstacle: Option<Obstacle<'c>>,
    /// The blocks before that, if remarks are wanted.
    pub blocks: Vec<WholeBlock>,
}

/// Splits the blocks of an analysed function, as they are, if they are none of `tried`; with strips they have to hold less than `below`.
/// Chains are numbered from `from` on.
pub fn split<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    settings: &Settings,
    (limits, below, from): (Limits, u64, u64),
    explains: bool,
    tried: &mut Vec<Vec<Program>>,
) -> Result<Attempt<'c>, BuildError> {
    let mut attempt = Attempt::default();
    // Writing one invalidates the analysis.
    let blocks = blocks_of(function, semantics, settings.in_parallel);
    let readings = read(
        analysis,
        semantics,
        &blocks,
        Nests::of(settings.in_parallel),
        &mut StaticShapes,
    );
    attempt.may_split = readings.iter().any(|reading| reading.has_loops);
    let programs = readings.iter().map(|reading| &reading.program);
    if tried.iter().any(|one| one.iter().eq(programs.clone())) {
        return Ok(attempt);
    }
    tried.push(programs.cloned().collect());
    let unread = explains.then(|| Obstacle::unread(analysis, &blocks));
    if explains {
        attempt.blocks = WholeBlock::all(&readings);
    }
    let mut found: Vec<FoundHere> = readings.iter().map(|_| FoundHere::default()).collect();
    // Where more is held for certain, less in another block lowers nothing.
    let mut peak = 0;
    let mut steps = 0;
    let times = readings.iter().map(|one| time::unsplit(&one.program));
    let times: Vec<u64> = times.collect();
    let percent = time::most_added(times.iter().copied().fold(0, u64::saturating_add));
    for load in loads(&readings) {
        if load.all() <= peak {
            break;
        }
        let limits = Limits {
            enough: peak.max(limits.enough).saturating_sub(load.around),
            added_time: (settings.limits_time).then_some(times[load.number] / 100 * percent),
            steps: limits.steps.saturating_sub(steps),
            ..limits
        };
        let reading = &readings[load.number];
        let mut search = Search::new(&reading.program, limits);
        let here = search.run(below.saturating_sub(load.around));
        steps += search.steps();
        if explains && let Some(obstacle) = search.obstacle(&here) {
            let bytes = obstacle.bytes.saturating_add(load.around);
            let known = attempt.obstacle.as_ref();
            if known.is_none_or(|known| known.bytes < bytes) {
                attempt.obstacle = Obstacle::of(reading, &obstacle, load.around);
            }
        }
        let own = match here.chains.is_empty() {
            true => load.own,
            false => here.peak,
        };
        peak = peak.max(own.saturating_add(load.around));
        let chains = here.chains.iter();
        let held = chains.map(|chain| search.unsplit_in(chain.nodes.clone()));
        let held = held
            .map(|bytes| bytes.saturating_add(load.around))
            .collect();
        found[load.number] = FoundHere {
            chains: here.chains,
            held,
            around: load.around,
        };
    }
    for (reading, found) in readings.iter().zip(&found) {
        let first = attempt.chains.len();
        let mut block = BlockWriting::of(reading);
        // The last ones first: operations before them stay.
        for (number, chosen) in found.chains.iter().enumerate().rev() {
            let bytes = (
                found.held[number],
                chosen.bytes.saturating_add(found.around),
            );
            let number = from + (first + number) as u64;
            let written = write_chain(&mut block, chosen, number, bytes, semantics)?;
            attempt.chains.push(written);
        }
        attempt.chains[first..].reverse();
    }
    if let Some(unread) = unread.flatten().filter(|unread| unread.bytes > peak) {
        attempt.obstacle = Some(unread);
    }
    Ok(attempt)
}

/// What was found in a block.
#[derive(Default)]
struct FoundHere {
    chains: Vec<Chosen>,
    /// For each chain, the bytes that are held in it without strips.
    held: Vec<u64>,
    /// Bytes that are held around the block.
    around: u64,
}

/// Writes a chain with a number. In it, so many bytes are held without strips, and so many with them.
fn write_chain<'c>(
    block: &mut BlockWriting<'_, 'c>,
    chosen: &Chosen,
    number: u64,
    (before, after): (u64, u64),
    semantics: &mut Semantics,
) -> Result<WrittenChain<'c>, BuildError> {
    let reading = block.reading;
    let program = &reading.program;
    let spreads = chosen
        .splits
        .iter()
        .map(|split| Spread::of(program, chosen.nodes.clone(), chosen.seed, split.number).ok());
    let spreads: Option<Vec<Spread>> = spreads.collect();
    let spreads = spreads.ok_or_else(BuildError::unexpected)?;
    let frontiers = chosen
        .splits
        .iter()
        .zip(&spreads)
        .map(|(split, spread)| split.frontiers(spread).ok());
    let frontiers: Option<Vec<Frontiers>> = frontiers.collect();
    let frontiers = frontiers.ok_or_else(BuildError::unexpected)?;
    let splits: Vec<(&Spread, &Frontiers)> = spreads.iter().zip(&frontiers).collect();
    let taken = in_place::takeovers(program, &splits);
    let written = WrittenChain {
        location: reading.ops[chosen.nodes.end - 1].location(),
        seed: name_of(reading.ops[chosen.seed.index()]),
        chosen: chosen.clone(),
        facts: ChainFacts {
            number,
            before,
            after,
            amounts: Amounts::of(program, &splits),
            repeated: chosen.repeated,
        },
    };
    write(block, &splits, &taken, &written.facts, semantics)?;
    Ok(written)
}
