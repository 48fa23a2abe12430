//! What a function does to the memory of its caller, one facet a question.

use memplan_semantics::Allocator;
use smallvec::{SmallVec, smallvec};

/// Numbers of arguments, ascending.
pub type ArgumentNumbers = SmallVec<[u32; 2]>;

/// Numbers of new memory, ascending: those of results, each the first one that may be the memory.
pub type NewNumbers = SmallVec<[u32; 1]>;

/// What a function does to the memory of its caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionSummary {
    /// By number, all arguments.
    pub arguments: Vec<ArgumentFacet>,
    /// By number, all results; none where it never returns.
    pub results: Vec<ResultFacet>,
    /// Memrefs that it returns without owning them are copied, so that what callers receive is new.
    pub copies_returned: bool,
    /// It stands for several functions: the first entry of the results is that of each result.
    pub is_union: bool,
}

/// What a function does with one argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArgumentFacet {
    /// Something may refer to its memory after the function returns, other than results. Then it is
    /// [elsewhere](ResultFacet::elsewhere), too, and may be freed from there.
    pub is_captured: bool,
    /// It is freed.
    pub frees: FreesArgument,
    /// The function becomes its owner: on each path it frees it, or returns it to a caller who owns it then.
    pub is_taken_over: bool,
    /// Where it is a number, that may be stored or go where it is not followed: if it is an address, its memory is captured.
    /// Where it is a memref, the same of numbers in its sizes, strides and offset.
    pub is_number_captured: bool,
}

/// Does a function free an argument?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreesArgument {
    /// No.
    #[default]
    No,
    /// On all paths to where it returns.
    Always,
    /// On all paths to where it returns if the flag that is the argument of this number is true, otherwise on none.
    IfFlag(u32),
    /// On some paths, as far as can be seen.
    OnSomePaths,
}

impl FreesArgument {
    /// What was found before, and what is found now.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, other) => other,
            (one, Self::No) => one,
            (one, other) if one == other => one,
            _ => Self::OnSomePaths,
        }
    }
}

/// What one result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFacet {
    /// The arguments whose memory a memref may be.
    pub may_be: ArgumentNumbers,
    /// A memref may be memory that is neither new nor an argument's.
    pub elsewhere: bool,
    /// Then it may be any memory that is captured.
    pub is_unknown: bool,
    /// A memref may be this new memory, if any. Results without a number in common are not the same new memory.
    pub new: NewNumbers,
    /// New memory may be captured, too.
    pub is_new_captured: bool,
    /// What frees a new memref; `None` where that is not known.
    pub freed_by: Option<Allocator>,
    /// The data of a memref may start elsewhere than its memory, or than the argument that it is.
    pub is_moved: bool,
    /// It stays somebody else's: the function says so.
    pub is_borrowed: bool,
    /// The arguments that it may hold the address of, or be computed from, as a number or pointer, or in the sizes, strides
    /// and offset of a memref.
    pub address_of: ArgumentNumbers,
    /// It may hold an address that the function, or one that it calls, takes.
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
    /// May its memory be freed, or referred to, after the function returns, other than by results?
    pub fn is_kept(self) -> bool {
        self.is_captured || self.frees != FreesArgument::No
    }

    /// Of one function or another.
    fn or(&mut self, other: Self) {
        self.is_captured |= other.is_captured;
        self.is_number_captured |= other.is_number_captured;
        self.is_taken_over |= other.is_taken_over;
        self.frees = self.frees.or(other.frees);
    }
}

impl ResultFacet {
    /// May a memref be new memory?
    pub fn is_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Is a memref one of the arguments that it may be, and nothing else?
    pub fn is_argument(&self) -> bool {
        !self.may_be.is_empty() && !self.elsewhere && !self.is_unknown && !self.is_new()
    }

    /// Of one function or another.
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

/// Adds numbers, each once.
fn join<const N: usize>(own: &mut SmallVec<[u32; N]>, other: &[u32])
where
    [u32; N]: smallvec::Array<Item = u32>,
{
    own.extend_from_slice(other);
    own.sort_unstable();
    own.dedup();
}

impl FunctionSummary {
    /// Of a function with so many arguments and results of which nothing is known; `freed_by`: what frees its results.
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
        }
    }

    /// The function becomes the owner of these arguments.
    pub(crate) fn take_over(&mut self, arguments: &[u32]) {
        for at in arguments {
            if let Some(argument) = self.arguments.get_mut(*at as usize) {
                argument.frees = FreesArgument::Always;
                argument.is_taken_over = true;
            }
        }
    }

    /// The arguments that the function becomes the owner of, by number.
    pub fn taken_over(&self) -> impl Iterator<Item = u32> {
        let arguments = self.arguments.iter().zip(0..);
        arguments.filter_map(|(argument, number)| argument.is_taken_over.then_some(number))
    }

    /// What it does with an argument, by number.
    pub fn argument(&self, number: usize) -> ArgumentFacet {
        self.arguments.get(number).copied().unwrap_or_default()
    }

    /// What a result is, by number; `None` where the function never returns.
    pub fn result(&self, number: usize) -> Option<&ResultFacet> {
        match self.is_union {
            true => self.results.first(),
            false => self.results.get(number),
        }
    }

    /// May results hold addresses that the function, or one that it calls, takes?
    pub fn returns_addresses(&self) -> bool {
        self.results.iter().any(|result| result.is_address)
    }

    /// What was found before still holds: facets only grow.
    pub(crate) fn grow(&mut self, before: &Self) {
        for (own, before) in self.arguments.iter_mut().zip(&before.arguments) {
            own.or(*before);
        }
        for (own, before) in self.results.iter_mut().zip(&before.results) {
            own.or(before);
        }
    }

    /// Adds another function to those that it stands for: what one of them frees may be gone.
    pub(crate) fn add(&mut self, other: &Self) {
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
