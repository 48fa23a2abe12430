//! What `memplan.rows` says of an operation in strips, and `memplan.item` of one in a loop over items.

use memplan_mlir::{
    affine_map::{Expression, results_of},
    attributes::{elements, entry, integers},
    build::integer_value,
    ir::{Attribute, Op},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{ITEM, ROWS};
use smallvec::SmallVec;

/// A loop of the operation that is split.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// Its number.
    pub number: u32,
    /// Iterations that a strip adds.
    pub rate: i64,
    /// Iterations done before strip 0.
    pub ahead: i64,
    /// Iterations that there are.
    pub limit: i64,
    /// Iterations that each strip repeats of those before.
    pub again: i64,
}

impl Split {
    /// The first iteration of a strip.
    pub fn first(&self, strip: i64) -> i64 {
        self.clamped(strip, i128::from(self.ahead) - i128::from(self.again))
    }

    /// One past the last iteration of a strip.
    pub fn end(&self, strip: i64) -> i64 {
        self.clamped(strip, i128::from(self.ahead) + i128::from(self.rate))
    }

    fn clamped(&self, strip: i64, ahead: i128) -> i64 {
        let row = i128::from(self.rate) * i128::from(strip) + ahead;
        row.clamp(0, i128::from(self.limit)) as i64
    }
}

/// The memory that an operand was.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The operand's number.
    pub number: u32,
    /// The number of the memory.
    pub buffer: i64,
    /// The indices of an element in it.
    pub indices: Vec<Expression>,
}

impl Operand {
    /// Whether the memory only exists in strips.
    pub const fn is_between(&self) -> bool {
        self.buffer >= 0
    }
}

/// What an operation was.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its number in its block.
    pub number: i64,
    /// Extents of its loops.
    pub extents: SmallVec<[i64; 8]>,
    /// For each loop over strips, the innermost first.
    pub splits: SmallVec<[Split; 2]>,
    /// Its operands.
    pub operands: Vec<Operand>,
}

impl Claim {
    /// Extents for which sums are made simple. Along a length, sums have the same form for each length: split loops are taken
    /// for long ones.
    pub fn extents_of_sums(&self, is_along_length: bool) -> SmallVec<[i64; 8]> {
        let mut extents = self.extents.clone();
        for split in self.splits.iter().filter(|_| is_along_length) {
            let extent = &mut extents[split.number as usize];
            *extent = (*extent).max(LONG);
        }
        extents
    }
}

/// More iterations than any number by which indices are divided.
const LONG: i64 = 1 << 32;

/// Most loops of an operation that are followed.
const MOST_LOOPS: usize = 32;

/// What is said of operands.
fn operands(all: Attribute<'_>, loops: usize) -> Option<Vec<Operand>> {
    let list = |name: &str| integers(entry(all, name)?);
    let (numbers, buffers) = (list("operands")?, list("buffers")?);
    let maps = elements(entry(all, "indices")?)?;
    if numbers.len() != buffers.len() || numbers.len() != maps.len() {
        return None;
    }
    let mut operands = Vec::with_capacity(maps.len());
    for ((number, buffer), map) in numbers.iter().zip(&buffers).zip(maps) {
        let (inputs, indices) = results_of(map)?;
        let are_loops = inputs == loops;
        operands.push(Operand {
            number: u32::try_from(*number).ok().filter(|_| are_loops)?,
            buffer: *buffer,
            indices,
        });
    }
    Some(operands)
}

/// What an operation was on all items.
#[derive(Clone, Debug)]
pub struct ItemClaim {
    /// Its number in its block.
    pub number: i64,
    /// Its loop over items.
    pub split: u32,
    /// Extents of its loops, for one item.
    pub extents: SmallVec<[i64; 8]>,
    /// Its operands.
    pub operands: Vec<Operand>,
}

/// What an operation in a loop over items says; `None` if that is not well-formed.
pub fn item_claim(op: Op<'_>) -> Option<ItemClaim> {
    let all = op.attribute(ITEM).ok()?;
    let mut extents: SmallVec<[i64; 8]> = integers(entry(all, "loops")?)?.into();
    let split = extents.iter().position(|extent| *extent == -1)?;
    extents[split] = 1;
    let is_known = extents.len() <= MOST_LOOPS && extents.iter().all(|extent| *extent >= 1);
    Some(ItemClaim {
        number: integer_value(entry(all, "number")?)?,
        split: split as u32,
        operands: operands(all, extents.len()).filter(|_| is_known)?,
        extents,
    })
}

/// What an operation says; `None` if that is not well-formed. Sizes that are known only at run time are these.
pub fn claim(op: Op<'_>, lengths: &[i64]) -> Option<Claim> {
    let all = op.attribute(ROWS).ok()?;
    let list = |name: &str| integers(entry(all, name)?);
    let size = |size: i64| match size {
        0.. => Some(size),
        _ => {
            let number = usize::try_from(-1 - size).ok()?;
            lengths.get(number).copied()
        }
    };
    let extents = list("loops")?.into_iter().map(size);
    let extents: SmallVec<[i64; 8]> = extents.collect::<Option<_>>()?;
    let is_loop = |number: &u32| (*number as usize) < extents.len();
    let is_known = extents.len() <= MOST_LOOPS && extents.iter().all(|extent| *extent >= 1);
    let mut splits: SmallVec<[Split; 2]> = SmallVec::new();
    for split in elements(entry(all, "split")?)? {
        let (number, rate, ahead, limit, again) = match integers(split)?[..] {
            [number, rate, ahead, limit] => (number, rate, ahead, limit, 0),
            [number, rate, ahead, limit, again] => (number, rate, ahead, limit, again),
            _ => return None,
        };
        let number = u32::try_from(number).ok().filter(is_loop)?;
        let (extent, limit) = (extents[number as usize], size(limit)?);
        let is_twice = splits.iter().any(|split| split.number == number);
        if is_twice || rate < 1 || again < 0 || !(0..=extent).contains(&limit) {
            return None;
        }
        splits.push(Split {
            number,
            rate,
            ahead,
            limit,
            again,
        });
    }
    let operands = operands(all, extents.len())?;
    let is_split = (1..=2).contains(&splits.len());
    (is_known && is_split).then_some(Claim {
        number: integer_value(entry(all, "number")?)?,
        extents,
        splits,
        operands,
    })
}
