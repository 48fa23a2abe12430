//! Effects of a function on the memory of its caller, one facet for each property.

use memplan_semantics::Allocator;
use smallvec::{SmallVec, smallvec};

/// Indices of arguments, ascending.
pub type ArgumentNumbers = SmallVec<[u32; 2]>;

/// Ids of new memory, ascending: each is the index of the first result that may be that memory.
pub type NewNumbers = SmallVec<[u32; 1]>;

/// Effects of a function on the memory of its caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionSummary {
    /// Facets of all arguments, by index.
    pub arguments: Vec<ArgumentFacet>,
    /// Facets of all results, by index; empty if the function never returns.
    pub results: Vec<ResultFacet>,
    /// Whether memrefs that it returns without owning them are copied, so that callers receive new memory.
    pub copies_returned: bool,
    /// Whether it is the union of several functions. The first facet of `results` then holds for each result.
    pub is_union: bool,
    /// The most bytes of heap that one call may hold at once, its results included; `u64::MAX` if that is not known.
    /// Only of functions as written.
    pub heap: u64,
}

/// Effects of a function on one argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArgumentFacet {
    /// Whether its memory may be referred to after the function returns, other than by results. It is then
    /// also [elsewhere](ResultFacet::elsewhere), and may be freed from there.
    pub is_captured: bool,
    /// Whether it is freed.
    pub frees: FreesArgument,
    /// Whether the function takes ownership: on each path it frees the argument, or returns it to a caller
    /// that owns it then.
    pub is_taken_over: bool,
    /// For a number: whether it may be stored, or reach code that is not followed. If it is an address, its
    /// memory is captured. For a memref: the same for the numbers in its sizes, strides and offset.
    pub is_number_captured: bool,
}

/// Whether a function frees an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreesArgument {
    /// No.
    #[default]
    No,
    /// On all paths to a return.
    Always,
    /// On all paths to a return if the flag argument of this index is true, and on no path otherwise.
    IfFlag(u32),
    /// On some paths, as far as known.
    OnSomePaths,
}

impl FreesArgument {
    /// Joins two facts.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, other) => other,
            (one, Self::No) => one,
            (one, other) if one == other => one,
            _ => Self::OnSomePaths,
        }
    }
}

/// Properties of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFacet {
    /// Arguments whose memory a memref may be.
    pub may_be: ArgumentNumbers,
    /// Whether a memref may be memory that is neither new nor an argument's.
    pub elsewhere: bool,
    /// Whether it may then be any captured memory.
    pub is_unknown: bool,
    /// New memory that a memref may be. Results without a common id are not the same new memory.
    pub new: NewNumbers,
    /// Whether the new memory may be captured, too.
    pub is_new_captured: bool,
    /// Allocator of a new memref; `None` if unknown.
    pub freed_by: Option<Allocator>,
    /// Whether the data of a memref may start at another address than its memory, or than the argument that
    /// it is.
    pub is_moved: bool,
    /// Whether the function declares it as borrowed.
    pub is_borrowed: bool,
    /// Arguments whose address it may hold or be computed from: as a number or pointer, or in the sizes,
    /// strides and offset of a memref.
    pub address_of: ArgumentNumbers,
    /// Whether it may hold an address that the function, or a callee, takes.
    pub is_address: bool,
}

impl Default for ResultFacet {
    fn default() -> Self {
        Self {
            may_be: ArgumentNumbers::new(),
            elsewhere: false,
            is_unknown: false,
            new: smallvec![0],
            is_new_captured: false,
            freed_by: Some(Allocator::Memref),
            is_moved: false,
            is_borrowed: false,
            address_of: ArgumentNumbers::new(),
            is_address: false,
        }
    }
}

impl ArgumentFacet {
    /// Whether its memory may be freed, or in use, after the function returns, other than by results.
    pub fn is_kept(self) -> bool {
        self.is_captured || self.frees != FreesArgument::No
    }

    /// Joins the facts of two functions.
    fn or(&mut self, other: Self) {
        self.is_captured |= other.is_captured;
        self.is_number_captured |= other.is_number_captured;
        self.is_taken_over |= other.is_taken_over;
        self.frees = self.frees.or(other.frees);
    }
}

impl ResultFacet {
    /// Whether a memref may be new memory.
    pub fn is_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Whether a memref is always one of the arguments in `may_be`.
    pub fn is_argument(&self) -> bool {
        !self.may_be.is_empty() && !self.elsewhere && !self.is_unknown && !self.is_new()
    }

    /// Joins the facts of two functions.
    fn or(&mut self, other: &Self) {
        join(&mut self.may_be, &other.may_be);
        join(&mut self.address_of, &other.address_of);
        join(&mut self.new, &other.new);
        self.elsewhere |= other.elsewhere;
        self.is_unknown |= other.is_unknown;
        self.is_new_captured |= other.is_new_captured;
        self.is_moved |= other.is_moved;
        self.is_address |= other.is_address;
    }
}

/// Adds numbers, sorted and without duplicates.
fn join<const N: usize>(own: &mut SmallVec<[u32; N]>, other: &[u32])
where
    [u32; N]: smallvec::Array<Item = u32>,
{
    own.extend_from_slice(other);
    own.sort_unstable();
    own.dedup();
}

impl FunctionSummary {
    /// Summary of an unknown function with this number of arguments and results. `freed_by`: allocator of the
    /// results.
    pub fn anything(arguments: usize, results: usize, freed_by: Option<Allocator>) -> Self {
        let argument = ArgumentFacet {
            is_captured: true,
            frees: FreesArgument::No,
            is_taken_over: false,
            is_number_captured: true,
        };
        let result = ResultFacet {
            may_be: (0..arguments as u32).collect(),
            elsewhere: true,
            is_unknown: true,
            new: smallvec![0],
            is_new_captured: true,
            freed_by,
            is_moved: true,
            is_borrowed: false,
            address_of: (0..arguments as u32).collect(),
            is_address: true,
        };
        Self {
            arguments: vec![argument; arguments],
            results: vec![result; results],
            copies_returned: false,
            is_union: false,
            heap: u64::MAX,
        }
    }

    /// Records that the function takes ownership of these arguments.
    pub(crate) fn take_over(&mut self, arguments: &[u32]) {
        for at in arguments {
            if let Some(argument) = self.arguments.get_mut(*at as usize) {
                argument.frees = FreesArgument::Always;
                argument.is_taken_over = true;
            }
        }
    }

    /// Indices of the arguments that the function takes ownership of.
    pub fn taken_over(&self) -> impl Iterator<Item = u32> {
        let arguments = self.arguments.iter().zip(0..);
        arguments.filter_map(|(argument, number)| argument.is_taken_over.then_some(number))
    }

    /// Facet of an argument, by index.
    pub fn argument(&self, number: usize) -> ArgumentFacet {
        self.arguments.get(number).copied().unwrap_or_default()
    }

    /// Facet of a result, by index; `None` if the function never returns.
    pub fn result(&self, number: usize) -> Option<&ResultFacet> {
        match self.is_union {
            true => self.results.first(),
            false => self.results.get(number),
        }
    }

    /// Whether results may hold addresses that the function, or a callee, takes.
    pub fn returns_addresses(&self) -> bool {
        self.results.iter().any(|result| result.is_address)
    }

    /// Joins earlier facts: facets only grow.
    pub(crate) fn grow(&mut self, before: &Self) {
        self.heap = self.heap.max(before.heap);
        for (own, before) in self.arguments.iter_mut().zip(&before.arguments) {
            own.or(*before);
        }
        for (own, before) in self.results.iter_mut().zip(&before.results) {
            own.or(before);
        }
    }

    /// Adds a function to a union. Memory that one of the functions frees may be invalid, so it counts as
    /// captured.
    pub(crate) fn add(&mut self, other: &Self) {
        self.heap = self.heap.max(other.heap);
        let count = self.arguments.len().max(other.arguments.len());
        self.arguments.resize(count, ArgumentFacet::default());
        for (own, other) in self.arguments.iter_mut().zip(&other.arguments) {
            own.is_captured |= other.is_kept();
            own.is_number_captured |= other.is_number_captured;
        }
        if self.results.is_empty() {
            self.results.push(ResultFacet::default());
        }
        for result in &other.results {
            self.results[0].or(result);
        }
    }
}
