//! Counters of regions and of the process. All sizes are in bytes.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::header::Header;
use crate::{Error, block, chunk, header_table, system_memory};

/// Counters of one region. The layout is that of `struct memplan_region_usage`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegionUsage {
    /// References to the region, those of its children included.
    pub references: u64,
    /// Number of parents.
    pub parents: u64,
    /// Allocations since the region was made, those of 0 bytes included.
    pub allocations: u64,
    /// Bytes in use: allocated and not freed, with alignment gaps.
    pub bytes: u64,
    /// Peak of `bytes`.
    pub most_bytes: u64,
    /// Bytes that were ever allocated, with alignment gaps.
    pub total_bytes: u64,
    /// Bytes of blocks and chunks, with their heads.
    pub held_bytes: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// Number of chunks.
    pub chunks: u64,
}

/// Counters of the process. The layout is that of `struct memplan_process_usage`. Sums are not a snapshot: each
/// region is read at its own time while other threads fill it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessUsage {
    /// Regions that were ever made.
    pub regions_made: u64,
    /// Live regions.
    pub regions_alive: u64,
    /// Peak of `regions_alive`.
    pub most_regions_alive: u64,
    /// Allocations in all regions, freed ones included.
    pub allocations: u64,
    /// Bytes that were ever allocated, with alignment gaps.
    pub total_bytes: u64,
    /// Bytes in use in live regions, with alignment gaps.
    pub bytes: u64,
    /// Bytes of the blocks and chunks of live regions.
    pub region_bytes: u64,
    /// Bytes that the process holds, in regions and in the pools of threads.
    pub held_bytes: u64,
    /// Peak of `held_bytes`.
    pub most_held_bytes: u64,
    /// Blocks that were allocated from the system, not from pools.
    pub system_blocks: u64,
    /// Chunks that were allocated from the system.
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

/// Counts a region that ends, before its memory is released. Its counters are added to the header, which no other
/// thread writes.
pub(crate) fn count_ended(header: &Header) {
    ALIVE.fetch_sub(1, Relaxed);
    let add = |counter: &AtomicU64, more: u64| counter.store(counter.load(Relaxed) + more, Relaxed);
    add(&header.ended_allocations, header.allocations.load(Relaxed));
    add(
        &header.ended_bytes,
        header.released_bytes.load(Relaxed) + header.bytes(),
    );
}

/// Number of live regions.
pub(crate) fn alive() -> u64 {
    ALIVE.load(Relaxed)
}

/// The counters of a region.
pub(crate) fn region(handle: i64) -> Result<RegionUsage, Error> {
    let header = header_table::alive(handle)?;
    let references = header.count.references(header_table::life(handle))?;
    Ok(of(header, references))
}

fn of(header: &Header, references: u32) -> RegionUsage {
    let bytes = header.bytes();
    RegionUsage {
        references: references.into(),
        parents: header.parent_count.load(Relaxed).into(),
        allocations: header.allocations.load(Relaxed),
        bytes,
        most_bytes: bytes.max(header.peak_bytes.load(Relaxed)),
        total_bytes: bytes + header.released_bytes.load(Relaxed),
        held_bytes: header.held.load(Relaxed),
        blocks: header.blocks.load(Relaxed).into(),
        chunks: header.chunks.load(Relaxed).into(),
    }
}

/// The live regions, with their handles.
pub(crate) fn regions() -> impl Iterator<Item = (i64, RegionUsage)> {
    header_table::all().filter_map(|(index, header)| {
        let life = header.count.generation();
        let references = header.count.references(life).ok()?;
        Some((header_table::handle(index, life), of(header, references)))
    })
}

/// The counters of the process.
pub fn process() -> ProcessUsage {
    let mut usage = ProcessUsage {
        regions_made: 0,
        regions_alive: alive(),
        most_regions_alive: MOST_ALIVE.load(Relaxed),
        allocations: 0,
        total_bytes: 0,
        bytes: 0,
        region_bytes: 0,
        held_bytes: system_memory::held(),
        most_held_bytes: system_memory::most_held(),
        system_blocks: block::allocated_from_system(),
        system_chunks: chunk::allocated_from_system(),
    };
    for (_, header) in header_table::all() {
        // Each life has two generations: one while the region is alive, one after it.
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
