//! Sizes and offsets that are known only at run time, as reports write them.
//!
//! ```text
//! expression = "max(" sum { "," sum } ")" | sum
//! sum        = product { "+" product }
//! product    = number { "*" "d" number }
//! ```

/// The value of an expression where each dimension has a value; `None` if it is not one, or too large.
pub fn evaluate(text: &str, dimension: impl Fn(usize) -> u64 + Copy) -> Option<u64> {
    let text = text.trim();
    let inner = text
        .strip_prefix("max(")
        .and_then(|text| text.strip_suffix(')'));
    let sums = inner.unwrap_or(text).split(',');
    let sums = sums.map(|text| sum(text, dimension));
    sums.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

/// The numbers of the dimensions in an expression.
pub fn dimensions(text: &str) -> Vec<usize> {
    let names = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    let numbers = names.filter_map(|name| name.strip_prefix('d')?.parse().ok());
    numbers.collect()
}

fn sum(text: &str, dimension: impl Fn(usize) -> u64 + Copy) -> Option<u64> {
    let mut products = text.split('+').map(|text| product(text, dimension));
    products.try_fold(0_u64, |sum, product| sum.checked_add(product?))
}

fn product(text: &str, dimension: impl Fn(usize) -> u64) -> Option<u64> {
    let mut factors = text.split('*').map(str::trim);
    let number: u64 = factors.next()?.parse().ok()?;
    let mut values = factors.map(|factor| {
        let number = factor.strip_prefix('d')?.parse().ok()?;
        Some(dimension(number))
    });
    values.try_fold(number, |product, value| product.checked_mul(value?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_has_a_value_for_each_dimension() {
        let at = |text: &str| evaluate(text, |dimension| [3, 10][dimension]);
        assert_eq!(at("16"), Some(16));
        assert_eq!(at("16*d0*d1"), Some(480));
        assert_eq!(at("2*d0*d0 + 4*d1 + 1"), Some(59));
        assert_eq!(at("max(2*d0, 4*d1, 7 + 1*d0)"), Some(40));
        assert_eq!(at(" 5 "), Some(5));
        assert_eq!(dimensions("max(2*d0, 4*d12 + 7*d0)"), [0, 12, 0]);
    }

    #[test]
    fn what_is_no_expression_or_too_large_has_no_value() {
        for text in [
            "",
            "d0",
            "4*x",
            "4*d",
            "max(4",
            "4 + ",
            "-4",
            "18446744073709551615*d0",
        ] {
            assert_eq!(evaluate(text, |_| 2), None, "{text}");
        }
    }
}
