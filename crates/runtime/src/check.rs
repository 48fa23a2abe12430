//! Random operations on regions, checked against a model. Property tests and fuzz targets use it.
//!
//! The model records the live allocations, the references and parents of each region, and the position of each mark.
//! After each operation it checks:
//! * Live allocations have their bytes and their alignment, and none overlaps another.
//! * A region is alive exactly as long as it has references.
//! * The statistics match the operations that were performed.
//!
//! Operations that must fail are tried, too.

use std::collections::BTreeSet;

use crate::{Error, LARGE, allocate, clear, marks, parents, references, statistics};

/// An operation. Indices of regions and marks are taken modulo the number of regions and marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Make a region.
    Make,
    /// Add a reference.
    Retain(u8),
    /// Release a reference of the program.
    Release(u8),
    /// Allocate memory.
    Allocate {
        /// The region.
        region: u8,
        /// Size in bytes.
        size: u16,
        /// Logarithm of the alignment to base 2, at most 13.
        alignment: u8,
    },
    /// Clear a region.
    Clear(u8),
    /// Empty a region.
    Empty(u8),
    /// Take a mark.
    Mark(u8),
    /// Release to a mark.
    ReleaseTo(u8, u8),
    /// Make the second a parent of the first.
    Refer(u8, u8),
}

/// Decodes operations from arbitrary bytes, four bytes an operation, so that a fuzzer can generate them.
pub fn actions(bytes: &[u8]) -> Vec<Action> {
    let action = |bytes: &[u8; 4]| match bytes[0] % 16 {
        0 => Action::Make,
        1 => Action::Retain(bytes[1]),
        2 | 3 => Action::Release(bytes[1]),
        4 if bytes[2].is_multiple_of(2) => Action::Clear(bytes[1]),
        4 => Action::Empty(bytes[1]),
        5 | 6 => Action::Mark(bytes[1]),
        7 | 8 => Action::ReleaseTo(bytes[1], bytes[2]),
        9 | 10 => Action::Refer(bytes[1], bytes[2]),
        kind => Action::Allocate {
            region: bytes[1],
            size: match kind {
                11 | 12 => u16::from(bytes[2]),
                13 | 14 => u16::from(bytes[2]) * 32,
                _ => u16::from(bytes[2]) * 256,
            },
            alignment: bytes[3] % 14,
        },
    };
    bytes.as_chunks().0.iter().map(action).collect()
}

/// The most regions in the model, freed ones included.
const MAX_REGIONS: usize = 24;

struct Allocation {
    memory: *mut u8,
    size: usize,
    alignment: usize,
    /// The first byte of the pattern that is written to the allocation. Each byte is one more than the last.
    seed: u8,
}

struct Mark {
    value: i64,
    allocations: usize,
    parents: usize,
}

#[derive(Default)]
struct Model {
    handle: i64,
    /// References that the program owns.
    program_references: u32,
    live: Vec<Allocation>,
    /// Marks that may be released to.
    marks: Vec<Mark>,
    /// Marks that lie after one that was released to.
    stale_marks: Vec<i64>,
    /// Handles, in the order in which they were added.
    parents: Vec<i64>,
    allocations: u64,
    /// Lower and upper bound of all bytes that were ever allocated. The model does not know the alignment gaps.
    total_bytes_range: (u64, u64),
}

#[derive(Default)]
struct Models {
    regions: Vec<Model>,
    seed: u8,
}

/// Performs the operations on regions and on the model.
///
/// # Errors
/// The first difference, and the operation after which it was found.
pub fn check(actions: &[Action]) -> Result<(), String> {
    let mut models = Models::default();
    let mut result = Ok(());
    for (at, action) in actions.iter().enumerate() {
        result = models
            .apply(*action)
            .and_then(|()| models.compare(at % 16 == 0 || at + 1 == actions.len()))
            .map_err(|message| format!("operation {at}, {action:?}: {message}"));
        if result.is_err() {
            break;
        }
    }
    let ended = models.release_all();
    result.and(ended)
}

fn expect_same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    actual: T,
    expected: T,
) -> Result<(), String> {
    if actual == expected {
        Ok(())
    } else {
        Err(format!("{what}: {actual:?} instead of {expected:?}"))
    }
}

impl Allocation {
    fn pattern(&self) -> impl Iterator<Item = u8> {
        let seed = self.seed;
        (0..self.size).map(move |at| seed.wrapping_add(at as u8))
    }

    fn write(&self) {
        for (at, byte) in self.pattern().enumerate() {
            // SAFETY: as many bytes were allocated.
            unsafe { self.memory.add(at).write(byte) };
        }
    }

    /// Compares all bytes with the pattern, or only those at both ends, where a neighbour that overruns its end would
    /// show.
    fn compare(&self, all: bool) -> Result<(), String> {
        let skipped = if all {
            0..0
        } else {
            8..self.size.saturating_sub(8)
        };
        for (at, byte) in self
            .pattern()
            .enumerate()
            .filter(|(at, _)| !skipped.contains(at))
        {
            // SAFETY: as many bytes were allocated, and written.
            let actual = unsafe { self.memory.add(at).read() };
            expect_same("a byte of an allocation", actual, byte)?;
        }
        Ok(())
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.memory.addr(), other.memory.addr());
        self.size > 0 && other.size > 0 && one < two + other.size && two < one + self.size
    }

    fn max_bytes(&self) -> u64 {
        if self.size == 0 {
            return 0;
        }
        // The size that is cut from a block is rounded up to 16 bytes.
        (self.size + 15 + self.alignment - 1) as u64
    }
}

impl Models {
    fn children(&self, handle: i64) -> u64 {
        let children = self
            .regions
            .iter()
            .filter(|model| model.parents.contains(&handle));
        children.count() as u64
    }

    fn references(&self, model: &Model) -> u64 {
        u64::from(model.program_references) + self.children(model.handle)
    }

    fn pick(&self, number: u8) -> Option<usize> {
        (usize::from(number)).checked_rem(self.regions.len())
    }

    /// Does a region keep another alive?
    fn reaches(&self, from: i64, wanted: i64) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut left = vec![from];
        while let Some(handle) = left.pop() {
            if handle == wanted {
                return true;
            }
            let found = self.regions.iter().find(|model| model.handle == handle);
            let parents = found.map_or(&[][..], |model| &model.parents);
            left.extend(parents.iter().filter(|parent| seen.insert(**parent)));
        }
        false
    }

    fn apply(&mut self, action: Action) -> Result<(), String> {
        match action {
            Action::Make => self.make(),
            Action::Retain(region) => self.with(region, Self::retain),
            Action::Release(region) => self.with(region, Self::release),
            Action::Clear(region) => self.with(region, |models, at| models.clear(at, true)),
            Action::Empty(region) => self.with(region, |models, at| models.clear(at, false)),
            Action::Mark(region) => self.with(region, Self::mark),
            Action::ReleaseTo(region, mark) => {
                self.with(region, |models, at| models.release_to(at, mark))
            }
            Action::Allocate {
                region,
                size,
                alignment,
            } => self.with(region, |models, at| {
                models.allocate(at, size.into(), 1 << alignment.min(13))
            }),
            Action::Refer(child, parent) => {
                self.with(child, |models, at| match models.pick(parent) {
                    Some(parent) => models.refer(at, parent),
                    None => Ok(()),
                })
            }
        }
    }

    fn with(
        &mut self,
        region: u8,
        act: impl FnOnce(&mut Self, usize) -> Result<(), String>,
    ) -> Result<(), String> {
        match self.pick(region) {
            Some(at) => act(self, at),
            None => Ok(()),
        }
    }

    /// The error of each operation on a region that has been freed.
    fn liveness(&self, at: usize) -> Result<(), Error> {
        if self.references(&self.regions[at]) == 0 {
            return Err(Error::Freed);
        }
        Ok(())
    }

    fn make(&mut self) -> Result<(), String> {
        if self.regions.len() == MAX_REGIONS {
            let gone = (0..MAX_REGIONS).find(|at| self.liveness(*at).is_err());
            match gone {
                Some(at) => drop(self.regions.remove(at)),
                None => return Ok(()),
            }
        }
        let handle = references::make().map_err(|error| error.to_string())?;
        let known = self.regions.iter().any(|model| model.handle == handle);
        expect_same("a handle that is in use", known, false)?;
        self.regions.push(Model {
            handle,
            program_references: 1,
            ..Model::default()
        });
        Ok(())
    }

    fn retain(&mut self, at: usize) -> Result<(), String> {
        let model = &self.regions[at];
        expect_same(
            "retain",
            references::retain(model.handle),
            self.liveness(at),
        )?;
        if self.liveness(at).is_ok() {
            self.regions[at].program_references += 1;
        }
        Ok(())
    }

    fn release(&mut self, at: usize) -> Result<(), String> {
        let refused = self.liveness(at);
        if refused.is_ok() && self.regions[at].program_references == 0 {
            // Only its children refer to it.
            return Ok(());
        }
        // SAFETY: the program has a reference, or the handle is rejected.
        let released = unsafe { references::release(self.regions[at].handle) };
        expect_same("release", released, refused)?;
        if refused.is_ok() {
            self.regions[at].program_references -= 1;
            self.clear_dead();
        }
        Ok(())
    }

    /// Clears the model of regions without references.
    fn clear_dead(&mut self) {
        while let Some(at) = self.regions.iter().position(|model| {
            self.references(model) == 0
                && !(model.live.is_empty() && model.parents.is_empty() && model.marks.is_empty())
        }) {
            let model = &mut self.regions[at];
            model.live.clear();
            model.parents.clear();
            model.marks.clear();
        }
    }

    fn allocate(&mut self, at: usize, size: usize, alignment: usize) -> Result<(), String> {
        let handle = self.regions[at].handle;
        // SAFETY: this thread alone fills it.
        let allocate = |size, alignment| unsafe { allocate::allocate(handle, size, alignment) };
        if let Err(error) = self.liveness(at) {
            return expect_same(
                "allocate",
                allocate(size as i64, alignment as i64),
                Err(error),
            );
        }
        expect_same(
            "a negative size",
            allocate(-1, 8),
            Err(Error::NegativeSize(-1)),
        )?;
        expect_same("an alignment", allocate(8, 24), Err(Error::Alignment(24)))?;
        expect_same("no alignment", allocate(8, 0), Err(Error::Alignment(0)))?;
        let huge = allocate(i64::MAX, 8);
        expect_same("all memory", huge, Err(Error::TooLarge(i64::MAX)))?;
        let memory = allocate(size as i64, alignment as i64).map_err(|error| error.to_string())?;
        self.seed = self.seed.wrapping_add(37);
        let allocation = Allocation {
            memory: memory.as_ptr(),
            size,
            alignment,
            seed: self.seed,
        };
        expect_same(
            "bytes off the alignment",
            memory.addr().get() % alignment,
            0,
        )?;
        let all = self.regions.iter().flat_map(|model| &model.live);
        expect_same(
            "an overlap",
            all.into_iter().any(|other| other.overlaps(&allocation)),
            false,
        )?;
        allocation.write();
        let model = &mut self.regions[at];
        model.allocations += 1;
        model.total_bytes_range.0 += size as u64;
        model.total_bytes_range.1 += allocation.max_bytes();
        model.live.push(allocation);
        Ok(())
    }

    fn clear(&mut self, at: usize, keeps_block: bool) -> Result<(), String> {
        let refused = self.liveness(at);
        let clear = if keeps_block {
            clear::clear
        } else {
            clear::empty
        };
        // SAFETY: the model uses no memory of the region from here on.
        let cleared = unsafe { clear(self.regions[at].handle) };
        expect_same("clear", cleared, refused)?;
        let model = &mut self.regions[at];
        if refused.is_ok() && !keeps_block {
            let held = statistics::region(model.handle).map(|usage| usage.held_bytes);
            expect_same("held by an empty region", held, Ok(0))?;
        }
        let marks = std::mem::take(&mut model.marks);
        model.live.clear();
        model.parents.clear();
        model.stale_marks.clear();
        if let (Ok(()), Some(mark)) = (refused, marks.last()) {
            // SAFETY: as above.
            let released = unsafe { marks::release_to(model.handle, mark.value) };
            expect_same("a mark of before a clear", released, Err(Error::NotAMark))?;
        }
        self.clear_dead();
        Ok(())
    }

    fn mark(&mut self, at: usize) -> Result<(), String> {
        let refused = self.liveness(at);
        let model = &mut self.regions[at];
        let marked = marks::mark(model.handle);
        expect_same("mark", marked.map(|_| ()), refused)?;
        if let Ok(value) = marked {
            model.marks.push(Mark {
                value,
                allocations: model.live.len(),
                parents: model.parents.len(),
            });
        }
        Ok(())
    }

    fn release_to(&mut self, at: usize, mark: u8) -> Result<(), String> {
        let refused = self.liveness(at);
        let model = &mut self.regions[at];
        // SAFETY: the model uses no memory after the mark from here on.
        let release_to = |handle, mark| unsafe { marks::release_to(handle, mark) };
        if refused.is_err() {
            return expect_same("release to a mark", release_to(model.handle, 0), refused);
        }
        if let Some(gone) = model.stale_marks.pop()
            && marks::mark(model.handle).is_ok_and(|now| now < gone)
        {
            expect_same(
                "a mark ahead",
                release_to(model.handle, gone),
                Err(Error::MarkAhead),
            )?;
        }
        let Some(number) = usize::from(mark).checked_rem(model.marks.len()) else {
            return Ok(());
        };
        let value = model.marks[number].value;
        expect_same("release to a mark", release_to(model.handle, value), Ok(()))?;
        expect_same("the mark", marks::mark(model.handle), Ok(value))?;
        model.live.truncate(model.marks[number].allocations);
        model.parents.truncate(model.marks[number].parents);
        let after = model.marks.drain(number + 1..);
        model.stale_marks.extend(after.map(|mark| mark.value));
        self.clear_dead();
        Ok(())
    }

    fn refer(&mut self, child: usize, parent: usize) -> Result<(), String> {
        let (child_handle, parent_handle) =
            (self.regions[child].handle, self.regions[parent].handle);
        let known = self.regions[child].parents.contains(&parent_handle);
        let refused = self.liveness(child).and_then(|()| self.liveness(parent));
        let cycle = refused.is_ok() && self.reaches(parent_handle, child_handle);
        let expected = if cycle { Err(Error::Cycle) } else { refused };
        expect_same(
            "refer",
            parents::refer(child_handle, parent_handle),
            expected,
        )?;
        if expected.is_ok() && !known {
            self.regions[child].parents.push(parent_handle);
        }
        Ok(())
    }

    fn compare(&self, all: bool) -> Result<(), String> {
        for model in &self.regions {
            let references = self.references(model);
            if references == 0 {
                let usage = statistics::region(model.handle);
                expect_same("a region that is gone", usage, Err(Error::Freed))?;
                continue;
            }
            let usage = statistics::region(model.handle).map_err(|error| error.to_string())?;
            expect_same("references", usage.references, references)?;
            expect_same("parents", usage.parents, model.parents.len() as u64)?;
            expect_same("allocations", usage.allocations, model.allocations)?;
            let sum = |value: fn(&Allocation) -> u64| model.live.iter().map(value).sum::<u64>();
            let count = |large: fn(&Allocation) -> bool| {
                model.live.iter().filter(|one| large(one)).count() as u64
            };
            let bytes = sum(|one| one.size as u64)..=sum(Allocation::max_bytes);
            let chunks =
                count(|one| one.size > LARGE)..=count(|one| one.size + one.alignment > LARGE);
            let total = model.total_bytes_range.0..=model.total_bytes_range.1;
            for (what, number, range) in [
                ("bytes", usage.bytes, bytes),
                ("chunks", usage.chunks, chunks),
                ("total bytes", usage.total_bytes, total),
                (
                    "most bytes",
                    usage.most_bytes,
                    usage.bytes..=usage.total_bytes,
                ),
                ("held bytes", usage.held_bytes, usage.bytes..=u64::MAX),
            ] {
                if !range.contains(&number) {
                    return Err(format!("{what}: {number} instead of one of {range:?}"));
                }
            }
            if (usage.blocks, usage.chunks) == (0, 0) {
                expect_same("held without blocks and chunks", usage.held_bytes, 0)?;
            }
            model.live.iter().try_for_each(|one| one.compare(all))?;
        }
        Ok(())
    }

    /// Releases all references of the program. No region is alive afterwards.
    fn release_all(&mut self) -> Result<(), String> {
        for model in &self.regions {
            for _ in 0..model.program_references {
                // SAFETY: the program has the reference, and the model uses nothing from here on.
                let released = unsafe { references::release(model.handle) };
                expect_same("the last releases", released, Ok(()))?;
            }
        }
        for model in &self.regions {
            let usage = statistics::region(model.handle);
            expect_same("a region at the end", usage, Err(Error::Freed))?;
        }
        Ok(())
    }
}
