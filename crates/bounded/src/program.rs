//! A bounded program with its loops and branches as they are.

use crate::tree::{Builder, NameId, SegmentId, Tree, TreeError, Value};
use rustc_hash::FxHashMap;

/// A name of the program: one for each value, whichever turn or path it is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// What a program does.
#[derive(Clone, Debug)]
pub enum Item {
    /// An operation.
    Step {
        /// What it reads or writes.
        uses: Vec<Var>,
        /// What it makes.
        makes: Vec<(Var, Value)>,
    },
    /// Another name for one of some, which takes no operation.
    Alias {
        /// The name.
        name: Var,
        /// What it may be.
        of: Vec<Var>,
    },
    /// A branch, and the operation that it is.
    Branch {
        /// What decides.
        uses: Vec<Var>,
        /// What it may do.
        arms: Vec<Block>,
        /// What its arms hand on.
        results: Vec<Var>,
    },
    /// So many turns, one after the other.
    Loop {
        /// How many.
        turns: u64,
        /// A value that an operation in front of each turn makes.
        induction: Option<(Var, Value)>,
        /// What the first turn gets.
        starts: Vec<Var>,
        /// What a turn gets.
        carried: Vec<Var>,
        /// A turn.
        body: Block,
        /// What the last turn hands on.
        results: Vec<Var>,
    },
}

/// Things done one after the other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// They.
    pub items: Vec<Item>,
    /// What is handed on.
    pub yields: Vec<Var>,
}

/// Why a program was not written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpandError {
    /// It has more operations than that.
    #[error("written out, there are more than {most} operations")]
    TooLarge {
        /// How many were allowed.
        most: usize,
    },
    /// A name is used where it is not known.
    #[error("a name is used where it is not known")]
    Unknown(Var),
    /// The result makes no sense.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Writes a program out as a tree: loops turn by turn, what follows a branch once for each arm. Returns the
/// name of each value of the tree, too.
///
/// # Errors
///
/// If that takes more than `most` operations, or a name is used that is not known.
pub fn expand(program: &Block, most: usize) -> Result<(Tree, Vec<Var>), ExpandError> {
    let mut writer = Writer {
        builder: Builder::new(),
        most,
        count: 0,
        names: Vec::new(),
    };
    let start = Path {
        env: FxHashMap::default(),
        work: vec![Work::Block(program, 0)],
    };
    writer.path(None, start)?;
    Ok((writer.builder.finish()?, writer.names))
}

/// What is to be done on a path.
#[derive(Clone)]
enum Work<'p> {
    /// The items of a block from that one on.
    Block(&'p Block, usize),
    /// What the block hands on gets these names.
    Bind(&'p Block, &'p [Var]),
    /// So many turns of a loop, of which that block is the body.
    Turns(u64, &'p Item),
}

#[derive(Clone)]
struct Path<'p> {
    env: FxHashMap<Var, NameId>,
    work: Vec<Work<'p>>,
}

struct Writer {
    builder: Builder,
    most: usize,
    count: usize,
    names: Vec<Var>,
}

impl Writer {
    fn path(&mut self, parent: Option<SegmentId>, mut path: Path<'_>) -> Result<(), ExpandError> {
        let segment = self.builder.open(parent);
        let of = |path: &Path<'_>, names: &[Var]| -> Result<Vec<NameId>, ExpandError> {
            let find = |name: &Var| path.env.get(name).copied();
            let all = names.iter();
            all.map(|name| find(name).ok_or(ExpandError::Unknown(*name)))
                .collect()
        };
        while let Some(work) = path.work.pop() {
            match work {
                Work::Bind(block, names) => {
                    let given = of(&path, &block.yields)?;
                    path.env.extend(names.iter().copied().zip(given));
                }
                Work::Turns(left, item) => {
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
                        let given = of(&path, carried)?;
                        path.env.extend(results.iter().copied().zip(given));
                        continue;
                    }
                    if let Some((name, value)) = induction {
                        self.names.push(*name);
                        let made = self.step(&[], [*value])?;
                        path.env.insert(*name, made[0]);
                    }
                    path.work.push(Work::Turns(left - 1, item));
                    path.work.push(Work::Bind(body, carried));
                    path.work.push(Work::Block(body, 0));
                }
                Work::Block(block, at) => {
                    let Some(item) = block.items.get(at) else {
                        continue;
                    };
                    path.work.push(Work::Block(block, at + 1));
                    match item {
                        Item::Step { uses, makes } => {
                            let uses = of(&path, uses)?;
                            let made = self.step(&uses, makes.iter().map(|(_, value)| *value))?;
                            let names = makes.iter().map(|(name, _)| *name);
                            self.names.extend(names.clone());
                            path.env.extend(names.zip(made));
                        }
                        Item::Alias { name, of: names } => {
                            let names = of(&path, names)?;
                            let alias = self.builder.alias(&names);
                            path.env.insert(*name, alias);
                        }
                        Item::Loop {
                            turns,
                            starts,
                            carried,
                            ..
                        } => {
                            let given = of(&path, starts)?;
                            path.env.extend(carried.iter().copied().zip(given));
                            path.work.push(Work::Turns(*turns, item));
                        }
                        Item::Branch {
                            uses,
                            arms,
                            results,
                        } => {
                            let uses = of(&path, uses)?;
                            self.step(&uses, [])?;
                            for arm in arms {
                                let mut next = path.clone();
                                next.work.push(Work::Bind(arm, results));
                                next.work.push(Work::Block(arm, 0));
                                self.path(Some(segment), next)?;
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
        makes: impl IntoIterator<Item = Value>,
    ) -> Result<smallvec::SmallVec<[NameId; 1]>, ExpandError> {
        self.count += 1;
        if self.count > self.most {
            return Err(ExpandError::TooLarge { most: self.most });
        }
        Ok(self.builder.step(uses, makes))
    }
}
