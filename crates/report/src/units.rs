//! Bytes for people.

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// `bytes` in the largest unit that keeps it at 1 or more, to three digits: `4.82 MiB`.
pub fn short(bytes: u64) -> String {
    let mut power = unit(bytes);
    if power == 0 {
        return format!("{bytes} B");
    }
    let mut value = in_unit(bytes, power);
    // 1023.9 KiB would round to 1024 KiB.
    if value >= 1023.5 && power + 1 < UNITS.len() {
        power += 1;
        value = in_unit(bytes, power);
    }
    let decimals = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {}", UNITS[power])
}

/// The power of 1024 of the largest unit that keeps `bytes` at 1 or more.
pub fn unit(bytes: u64) -> usize {
    (bytes.max(1).ilog2() / 10) as usize
}

/// `bytes` in the unit of that power of 1024, with up to two decimals and no trailing zeros:
/// `0.25 MiB`.
pub fn exact_in(bytes: u64, power: usize) -> String {
    let value = format!("{:.2}", in_unit(bytes, power));
    let value = value.trim_end_matches('0').trim_end_matches('.');
    format!("{value} {}", UNITS[power])
}

fn in_unit(bytes: u64, power: usize) -> f64 {
    bytes as f64 / (1u64 << (10 * power)) as f64
}

/// `number` with a comma between thousands: `5,053,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `count` and `noun`, with an s if the count is not 1: `1 buffer`, `2 buffers`.
pub fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        for (bytes, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (10_230, "9.99 KiB"),
            (10_239, "10.0 KiB"),
            (102_399, "100 KiB"),
            (1_048_575, "1.00 MiB"),
            (5_053_000, "4.82 MiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(short(bytes), expected, "{bytes}");
        }
    }

    #[test]
    fn ticks() {
        assert_eq!(exact_in(0, 2), "0 MiB");
        assert_eq!(exact_in(1 << 18, 2), "0.25 MiB");
        assert_eq!(exact_in(3 << 20, 2), "3 MiB");
        assert_eq!(exact_in(100, 0), "100 B");
    }

    #[test]
    fn thousands() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), expected);
        }
        assert_eq!(counted(1, "buffer"), "1 buffer");
        assert_eq!(counted(0, "buffer"), "0 buffers");
    }
}
