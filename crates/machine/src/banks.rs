//! The banks of a space.

use crate::{document::Place, error::MachineError};
use memplan_bytes as bytes;
use memplan_planner::{Bank, BankLayout, BankRules, Banks, Problem};

/// Where the banks of a space are, which has so many bytes.
pub fn layout(
    space: &str,
    banks: &bytes::Banks,
    size: Option<u64>,
    place: &Place,
) -> Result<BankLayout, MachineError> {
    let error = |message: String| MachineError::at(place, message);
    let layout = match banks {
        bytes::Banks::Count(count) => equal(space, *count, size).map_err(error)?,
        bytes::Banks::Sizes(sizes) => BankLayout::of_sizes(sizes)
            .ok_or_else(|| error(format!("the banks of space '{space}' are too large")))?,
        bytes::Banks::Ranges(ranges) => {
            let banks = ranges.iter().map(|&(start, end)| Bank { start, end });
            BankLayout::Contiguous(banks.collect())
        }
        &bytes::Banks::Interleaved { count, width } => BankLayout::Interleaved { count, width },
    };
    let alone = Problem::default().with_banks(Banks {
        layout,
        rules: BankRules::default(),
    });
    if let Err(wrong) = alone.check() {
        return Err(error(format!("space '{space}': {wrong}")));
    }
    let layout = alone.banks.expect("there are banks").layout;
    match (layout.end(), size) {
        (Some(end), Some(size)) if end > size => Err(error(format!(
            "the banks of space '{space}' end at byte {end}, beyond its {size} bytes"
        ))),
        (Some(end), None) if i64::try_from(end).is_err() => {
            Err(error(format!("the banks of space '{space}' are too large")))
        }
        _ => Ok(layout),
    }
}

/// Equal banks of all bytes.
fn equal(space: &str, count: u32, size: Option<u64>) -> Result<BankLayout, String> {
    let Some(size) = size else {
        return Err(format!(
            "'banks' divides the 'size' of space '{space}', which it does not have: list the size of each bank"
        ));
    };
    BankLayout::equal(count, size).ok_or_else(|| {
        format!("the {size} bytes of space '{space}' are no multiple of its {count} banks")
    })
}
