//! What is counted. All sizes are in bytes.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::header::Header;
use crate::{Error, block, chunk, system, table};

/// What one region has. The same as `struct memplan_region_usage`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegionUsage {
    /// References to it, those of its children among them.
    pub references: u64,
    /// Regions that it keeps alive.
    pub parents: u64,
    /// Allocations since it was made, those without bytes among them.
    pub allocations: u64,
    /// Bytes in use: what was allocated and not given back, with the gaps in front of what is aligned.
    pub bytes: u64,
    /// The most that ever were in use at once.
    pub most_bytes: u64,
    /// Bytes that were ever allocated, with these gaps.
    pub total_bytes: u64,
    /// Bytes of its blocks and chunks, with their heads.
    pub held_bytes: u64,
    /// Blocks that it has.
    pub blocks: u64,
    /// Chunks that it has.
    pub chunks: u64,
}

/// What the process has. The same as `struct memplan_process_usage`. Sums over regions that other threads fill are
/// of one moment each.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessUsage {
    /// Regions that were ever made.
    pub regions_made: u64,
    /// Regions that are alive.
    pub regions_alive: u64,
    /// The most that ever were alive at once.
    pub most_regions_alive: u64,
    /// Allocations, in all regions that ever were.
    pub allocations: u64,
    /// Bytes that were ever allocated, with the gaps in front of what is aligned.
    pub total_bytes: u64,
    /// Bytes in use in the regions that are alive, with these gaps.
    pub bytes: u64,
    /// Bytes of the blocks and chunks of regions that are alive.
    pub region_bytes: u64,
    /// Bytes that the process holds: of regions, and in the pools of threads.
    pub held_bytes: u64,
    /// The most that it ever held.
    pub most_held_bytes: u64,
    /// Blocks that the system gave; others came from pools.
    pub system_blocks: u64,
    /// Chunks that the system gave.
    pub system_chunks: u64,
}

static ALIVE: AtomicU64 = AtomicU64::new(0);
static MOST_ALIVE: AtomicU64 = AtomicU64::new(0);

pub(crate) fn count_made() {
    let alive = ALIVE.fetch_add(1, Relaxed) + 1;
    if alive > MOST_ALIVE.load(Relaxed) {
        MOST_ALIVE.fetch_max(alive, Relaxed);
    }
}

/// Counts a region that ends, before its memory goes. What it did stays with the header, where no other thread counts.
pub(crate) fn count_ended(header: &Header) {
    ALIVE.fetch_sub(1, Relaxed);
    let add = |counter: &AtomicU64, more: u64| counter.store(counter.load(Relaxed) + more, Relaxed);
    add(&header.ended_allocations, header.allocations.load(Relaxed));
    add(
        &header.ended_bytes,
        header.given_back.load(Relaxed) + header.bytes(),
    );
}

/// How many regions are alive.
pub(crate) fn alive() -> u64 {
    ALIVE.load(Relaxed)
}

/// What a region has.
pub(crate) fn region(handle: i64) -> Result<RegionUsage, Error> {
    let header = table::alive(handle)?;
    let references = header.count.references(table::life(handle))?;
    Ok(of(header, references))
}

fn of(header: &Header, references: u32) -> RegionUsage {
    let bytes = header.bytes();
    RegionUsage {
        references: references.into(),
        parents: header.parent_count.load(Relaxed).into(),
        allocations: header.allocations.load(Relaxed),
        bytes,
        most_bytes: bytes.max(header.most.load(Relaxed)),
        total_bytes: bytes + header.given_back.load(Relaxed),
        held_bytes: header.held.load(Relaxed),
        blocks: header.blocks.load(Relaxed).into(),
        chunks: header.chunks.load(Relaxed).into(),
    }
}

/// The regions that are alive, with their handles.
pub(crate) fn regions() -> impl Iterator<Item = (i64, RegionUsage)> {
    table::all().filter_map(|(index, header)| {
        let life = header.count.generation();
        let references = header.count.references(life).ok()?;
        Some((table::handle(index, life), of(header, references)))
    })
}

/// What the process has.
pub fn process() -> ProcessUsage {
    let mut usage = ProcessUsage {
        regions_made: 0,
        regions_alive: alive(),
        most_regions_alive: MOST_ALIVE.load(Relaxed),
        allocations: 0,
        total_bytes: 0,
        bytes: 0,
        region_bytes: 0,
        held_bytes: system::held(),
        most_held_bytes: system::most_held(),
        system_blocks: block::taken(),
        system_chunks: chunk::taken(),
    };
    for (_, header) in table::all() {
        // A generation for each life, and one for the time behind it.
        usage.regions_made += u64::from(header.count.generation().div_ceil(2));
        usage.allocations += header.ended_allocations.load(Relaxed);
        usage.total_bytes += header.ended_bytes.load(Relaxed);
    }
    for (_, region) in regions() {
        usage.allocations += region.allocations;
        usage.total_bytes += region.total_bytes;
        usage.bytes += region.bytes;
        usage.region_bytes += region.held_bytes;
    }
    usage
}
