//! Random operations on regions, against a model of them: for property tests and fuzz targets.
//!
//! The model knows which allocations live, who references whom, and what each mark stands for. After each operation,
//! live allocations have their bytes, at their alignment, and none overlaps another; a region is alive as long as
//! somebody references it; statistics are what was done. Operations that must be refused are tried, too.

use std::collections::BTreeSet;

use crate::{Error, LARGE, clear, fill, marks, parents, references, statistics};

/// An operation. Numbers of regions and marks are taken modulo how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Make a region.
    Make,
    /// Add a reference.
    Retain(u8),
    /// Take one away that the program has.
    Release(u8),
    /// Allocate.
    Allocate {
        /// Where.
        region: u8,
        /// Bytes.
        size: u16,
        /// The alignment's logarithm, up to 13.
        alignment: u8,
    },
    /// Clear.
    Clear(u8),
    /// Empty.
    Empty(u8),
    /// Take a mark.
    Mark(u8),
    /// Release to a mark.
    ReleaseTo(u8, u8),
    /// Make the second a parent of the first.
    Refer(u8, u8),
}

/// Operations from any bytes, so that a fuzzer can make them.
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

/// The most regions that the model knows, those that are gone among them.
const MOST_REGIONS: usize = 24;

struct Allocation {
    memory: *mut u8,
    size: usize,
    alignment: usize,
    /// What is written there, counted up from byte to byte.
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
    /// References that the program has.
    own: u32,
    live: Vec<Allocation>,
    /// Those that may be released to.
    marks: Vec<Mark>,
    /// Those that lie behind what was given back.
    gone: Vec<i64>,
    /// Handles, in the order in which they were added.
    parents: Vec<i64>,
    allocations: u64,
    /// The least and the most bytes that were ever allocated, as gaps are not known.
    total: (u64, u64),
}

#[derive(Default)]
struct Models {
    regions: Vec<Model>,
    seed: u8,
}

/// Does what is asked for, and what the model says beside it.
///
/// # Errors
/// What differs, and after which operation.
pub fn check(actions: &[Action]) -> Result<(), String> {
    let mut models = Models::default();
    let mut result = Ok(());
    for (at, action) in actions.iter().enumerate() {
        result = models
            .act(*action)
            .and_then(|()| models.compare(at % 16 == 0 || at + 1 == actions.len()))
            .map_err(|message| format!("operation {at}, {action:?}: {message}"));
        if result.is_err() {
            break;
        }
    }
    let ended = models.end();
    result.and(ended)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, expected: T) -> Result<(), String> {
    if is == expected {
        Ok(())
    } else {
        Err(format!("{what}: {is:?} instead of {expected:?}"))
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

    /// All bytes, or those at the ends, where a neighbour would write.
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
            let is = unsafe { self.memory.add(at).read() };
            same("a byte of an allocation", is, byte)?;
        }
        Ok(())
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.memory.addr(), other.memory.addr());
        self.size > 0 && other.size > 0 && one < two + other.size && two < one + self.size
    }

    fn most(&self) -> u64 {
        if self.size == 0 {
            return 0;
        }
        // What is cut from a block is rounded up to 16 bytes.
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
        u64::from(model.own) + self.children(model.handle)
    }

    fn pick(&self, number: u8) -> Option<usize> {
        (usize::from(number)).checked_rem(self.regions.len())
    }

    /// Whether one keeps another alive.
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

    fn act(&mut self, action: Action) -> Result<(), String> {
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

    /// What each operation gives for this region, if it is gone.
    fn refused(&self, at: usize) -> Result<(), Error> {
        if self.references(&self.regions[at]) == 0 {
            return Err(Error::Freed);
        }
        Ok(())
    }

    fn make(&mut self) -> Result<(), String> {
        if self.regions.len() == MOST_REGIONS {
            let gone = (0..MOST_REGIONS).find(|at| self.refused(*at).is_err());
            match gone {
                Some(at) => drop(self.regions.remove(at)),
                None => return Ok(()),
            }
        }
        let handle = references::make().map_err(|error| error.to_string())?;
        let known = self.regions.iter().any(|model| model.handle == handle);
        same("a handle that is in use", known, false)?;
        self.regions.push(Model {
            handle,
            own: 1,
            ..Model::default()
        });
        Ok(())
    }

    fn retain(&mut self, at: usize) -> Result<(), String> {
        let model = &self.regions[at];
        same("retain", references::retain(model.handle), self.refused(at))?;
        if self.refused(at).is_ok() {
            self.regions[at].own += 1;
        }
        Ok(())
    }

    fn release(&mut self, at: usize) -> Result<(), String> {
        let refused = self.refused(at);
        if refused.is_ok() && self.regions[at].own == 0 {
            // Its children's alone.
            return Ok(());
        }
        // SAFETY: the program has a reference, or the handle is refused.
        let released = unsafe { references::release(self.regions[at].handle) };
        same("release", released, refused)?;
        if refused.is_ok() {
            self.regions[at].own -= 1;
            self.drop_dead();
        }
        Ok(())
    }

    /// Regions without references have nothing.
    fn drop_dead(&mut self) {
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
        let allocate = |size, alignment| unsafe { fill::allocate(handle, size, alignment) };
        if let Err(error) = self.refused(at) {
            return same(
                "allocate",
                allocate(size as i64, alignment as i64),
                Err(error),
            );
        }
        same(
            "a negative size",
            allocate(-1, 8),
            Err(Error::NegativeSize(-1)),
        )?;
        same("an alignment", allocate(8, 24), Err(Error::Alignment(24)))?;
        same("no alignment", allocate(8, 0), Err(Error::Alignment(0)))?;
        let huge = allocate(i64::MAX, 8);
        same("all memory", huge, Err(Error::TooLarge(i64::MAX)))?;
        let memory = allocate(size as i64, alignment as i64).map_err(|error| error.to_string())?;
        self.seed = self.seed.wrapping_add(37);
        let allocation = Allocation {
            memory: memory.as_ptr(),
            size,
            alignment,
            seed: self.seed,
        };
        same(
            "bytes off the alignment",
            memory.addr().get() % alignment,
            0,
        )?;
        let all = self.regions.iter().flat_map(|model| &model.live);
        same(
            "an overlap",
            all.into_iter().any(|other| other.overlaps(&allocation)),
            false,
        )?;
        allocation.write();
        let model = &mut self.regions[at];
        model.allocations += 1;
        model.total.0 += size as u64;
        model.total.1 += allocation.most();
        model.live.push(allocation);
        Ok(())
    }

    fn clear(&mut self, at: usize, keeps: bool) -> Result<(), String> {
        let refused = self.refused(at);
        let clear = if keeps { clear::clear } else { clear::empty };
        // SAFETY: the model uses nothing of it from here on.
        let cleared = unsafe { clear(self.regions[at].handle) };
        same("clear", cleared, refused)?;
        let model = &mut self.regions[at];
        if refused.is_ok() && !keeps {
            let held = statistics::region(model.handle).map(|usage| usage.held_bytes);
            same("held by an empty region", held, Ok(0))?;
        }
        let marks = std::mem::take(&mut model.marks);
        model.live.clear();
        model.parents.clear();
        model.gone.clear();
        if let (Ok(()), Some(mark)) = (refused, marks.last()) {
            // SAFETY: as above.
            let released = unsafe { marks::release_to(model.handle, mark.value) };
            same("a mark of before a clear", released, Err(Error::NotAMark))?;
        }
        self.drop_dead();
        Ok(())
    }

    fn mark(&mut self, at: usize) -> Result<(), String> {
        let refused = self.refused(at);
        let model = &mut self.regions[at];
        let marked = marks::mark(model.handle);
        same("mark", marked.map(|_| ()), refused)?;
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
        let refused = self.refused(at);
        let model = &mut self.regions[at];
        // SAFETY: the model uses nothing of what is behind the mark from here on.
        let release_to = |handle, mark| unsafe { marks::release_to(handle, mark) };
        if refused.is_err() {
            return same("release to a mark", release_to(model.handle, 0), refused);
        }
        if let Some(gone) = model.gone.pop()
            && marks::mark(model.handle).is_ok_and(|now| now < gone)
        {
            same(
                "a mark ahead",
                release_to(model.handle, gone),
                Err(Error::MarkAhead),
            )?;
        }
        let Some(number) = usize::from(mark).checked_rem(model.marks.len()) else {
            return Ok(());
        };
        let value = model.marks[number].value;
        same("release to a mark", release_to(model.handle, value), Ok(()))?;
        same("the mark", marks::mark(model.handle), Ok(value))?;
        model.live.truncate(model.marks[number].allocations);
        model.parents.truncate(model.marks[number].parents);
        let behind = model.marks.drain(number + 1..);
        model.gone.extend(behind.map(|mark| mark.value));
        self.drop_dead();
        Ok(())
    }

    fn refer(&mut self, child: usize, parent: usize) -> Result<(), String> {
        let (child_handle, parent_handle) =
            (self.regions[child].handle, self.regions[parent].handle);
        let known = self.regions[child].parents.contains(&parent_handle);
        let refused = self.refused(child).and_then(|()| self.refused(parent));
        let cycle = refused.is_ok() && self.reaches(parent_handle, child_handle);
        let expected = if cycle { Err(Error::Cycle) } else { refused };
        same(
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
                same("a region that is gone", usage, Err(Error::Freed))?;
                continue;
            }
            let usage = statistics::region(model.handle).map_err(|error| error.to_string())?;
            same("references", usage.references, references)?;
            same("parents", usage.parents, model.parents.len() as u64)?;
            same("allocations", usage.allocations, model.allocations)?;
            let sum = |value: fn(&Allocation) -> u64| model.live.iter().map(value).sum::<u64>();
            let count = |large: fn(&Allocation) -> bool| {
                model.live.iter().filter(|one| large(one)).count() as u64
            };
            let bytes = sum(|one| one.size as u64)..=sum(Allocation::most);
            let chunks =
                count(|one| one.size > LARGE)..=count(|one| one.size + one.alignment > LARGE);
            let total = model.total.0..=model.total.1;
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
                same("held without blocks and chunks", usage.held_bytes, 0)?;
            }
            model.live.iter().try_for_each(|one| one.compare(all))?;
        }
        Ok(())
    }

    /// Releases all that the program has; nothing is left then.
    fn end(&mut self) -> Result<(), String> {
        for model in &self.regions {
            for _ in 0..model.own {
                // SAFETY: the program has the reference, and the model uses nothing from here on.
                let released = unsafe { references::release(model.handle) };
                same("the last releases", released, Ok(()))?;
            }
        }
        for model in &self.regions {
            let usage = statistics::region(model.handle);
            same("a region at the end", usage, Err(Error::Freed))?;
        }
        Ok(())
    }
}
