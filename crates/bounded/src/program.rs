//! A bounded program with its loops and branches, before they are expanded into a [`Tree`].

use crate::tree::{Builder, NameId, SegmentId, Tree, TreeError, Value};
use rustc_hash::FxHashMap;

/// A name of the program. A value has one name in all iterations and on all paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// An operation, an alias, a branch or a loop.
#[derive(Clone, Debug)]
pub enum Item {
    /// An operation.
    Step {
        /// The names that it reads or writes.
        uses: Vec<Var>,
        /// The values that it defines, with their names.
        defines: Vec<(Var, Value)>,
    },
    /// A name that may stand for any one of several others. It takes no operation.
    Alias {
        /// The new name.
        name: Var,
        /// The names that it may stand for.
        of: Vec<Var>,
    },
    /// A branch. The branch itself counts as one operation.
    Branch {
        /// The operands of the branch, such as its condition.
        uses: Vec<Var>,
        /// The alternatives, of which one runs.
        arms: Vec<Block>,
        /// The names that receive what the arm that ran yields.
        results: Vec<Var>,
    },
    /// A loop with a constant trip count.
    Loop {
        /// The number of iterations.
        trip_count: u64,
        /// The induction variable, which an operation before each iteration defines.
        induction: Option<(Var, Value)>,
        /// The initial values of `carried`.
        inits: Vec<Var>,
        /// The loop-carried names, as each iteration sees them.
        carried: Vec<Var>,
        /// The body of one iteration; it yields the next values of `carried`.
        body: Block,
        /// The names that receive the values of `carried` after the last iteration.
        results: Vec<Var>,
    },
}

/// Items that run one after the other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The items, in order.
    pub items: Vec<Item>,
    /// The names whose values the block passes to what encloses it.
    pub yields: Vec<Var>,
}

/// Why a program could not be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpandError {
    /// The tree would have more operations than allowed.
    #[error("more than {most} operations after expansion")]
    TooLarge {
        /// The number of operations allowed.
        most: usize,
    },
    /// A name is used where it is not defined.
    #[error("a name is used where it is not defined")]
    Unknown(Var),
    /// The expanded tree is invalid.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Expands a program into a tree: loops are unrolled, and the code after a branch is duplicated for each arm. Also
/// returns the name of each value of the tree.
///
/// # Errors
///
/// If the tree would have more than `most` operations, or a name is used where it is not defined.
pub fn expand(program: &Block, most: usize) -> Result<(Tree, Vec<Var>), ExpandError> {
    let mut expander = Expander {
        builder: Builder::new(),
        most,
        count: 0,
        names: Vec::new(),
    };
    let start = Path {
        env: FxHashMap::default(),
        continuation: vec![Continuation::Block(program, 0)],
    };
    expander.path(None, start)?;
    Ok((expander.builder.finish()?, expander.names))
}

/// The rest of a path, as a stack: the last entry runs first.
#[derive(Clone)]
enum Continuation<'p> {
    /// The items of a block from an index on.
    Block(&'p Block, usize),
    /// Bind the names to the values that the block yields.
    Bind(&'p Block, &'p [Var]),
    /// The remaining iterations of a loop.
    Iterations(u64, &'p Item),
}

#[derive(Clone)]
struct Path<'p> {
    env: FxHashMap<Var, NameId>,
    continuation: Vec<Continuation<'p>>,
}

struct Expander {
    builder: Builder,
    most: usize,
    count: usize,
    names: Vec<Var>,
}

impl Expander {
    fn path(&mut self, parent: Option<SegmentId>, mut path: Path<'_>) -> Result<(), ExpandError> {
        let segment = self.builder.open(parent);
        let resolve = |path: &Path<'_>, names: &[Var]| -> Result<Vec<NameId>, ExpandError> {
            let find = |name: &Var| path.env.get(name).copied();
            let all = names.iter();
            all.map(|name| find(name).ok_or(ExpandError::Unknown(*name)))
                .collect()
        };
        while let Some(next) = path.continuation.pop() {
            match next {
                Continuation::Bind(block, names) => {
                    let values = resolve(&path, &block.yields)?;
                    path.env.extend(names.iter().copied().zip(values));
                }
                Continuation::Iterations(left, item) => {
                    let Item::Loop {
                        induction,
                        carried,
                        body,
                        results,
                        ..
                    } = item
                    else {
                        continue;
                    };
                    if left == 0 {
                        let values = resolve(&path, carried)?;
                        path.env.extend(results.iter().copied().zip(values));
                        continue;
                    }
                    if let Some((name, value)) = induction {
                        self.names.push(*name);
                        let defined = self.step(&[], [*value])?;
                        path.env.insert(*name, defined[0]);
                    }
                    path.continuation
                        .push(Continuation::Iterations(left - 1, item));
                    path.continuation.push(Continuation::Bind(body, carried));
                    path.continuation.push(Continuation::Block(body, 0));
                }
                Continuation::Block(block, at) => {
                    let Some(item) = block.items.get(at) else {
                        continue;
                    };
                    path.continuation.push(Continuation::Block(block, at + 1));
                    match item {
                        Item::Step { uses, defines } => {
                            let uses = resolve(&path, uses)?;
                            let defined =
                                self.step(&uses, defines.iter().map(|(_, value)| *value))?;
                            let names = defines.iter().map(|(name, _)| *name);
                            self.names.extend(names.clone());
                            path.env.extend(names.zip(defined));
                        }
                        Item::Alias { name, of: names } => {
                            let names = resolve(&path, names)?;
                            let alias = self.builder.alias(&names);
                            path.env.insert(*name, alias);
                        }
                        Item::Loop {
                            trip_count,
                            inits,
                            carried,
                            ..
                        } => {
                            let values = resolve(&path, inits)?;
                            path.env.extend(carried.iter().copied().zip(values));
                            path.continuation
                                .push(Continuation::Iterations(*trip_count, item));
                        }
                        Item::Branch {
                            uses,
                            arms,
                            results,
                        } => {
                            let uses = resolve(&path, uses)?;
                            self.step(&uses, [])?;
                            for arm in arms {
                                let mut fork = path.clone();
                                fork.continuation.push(Continuation::Bind(arm, results));
                                fork.continuation.push(Continuation::Block(arm, 0));
                                self.path(Some(segment), fork)?;
                            }
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        uses: &[NameId],
        defines: impl IntoIterator<Item = Value>,
    ) -> Result<smallvec::SmallVec<[NameId; 1]>, ExpandError> {
        self.count += 1;
        if self.count > self.most {
            return Err(ExpandError::TooLarge { most: self.most });
        }
        Ok(self.builder.step(uses, defines))
    }
}
