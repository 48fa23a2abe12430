//! Numbers of bytes, and ranges of addresses, as people write them, in options of passes and on the command line.

mod banks;

pub use banks::Banks;

/// The units, each 1024 times the previous one.
const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Reads `4096`, `0x1000`, `4KiB`, `1 MiB`.
///
/// # Errors
///
/// A message for the user.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a number of bytes; write 4096, 0x1000, 4KiB or 1MiB");
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).map_err(|_| wrong());
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim_start();
    if unit.is_empty() {
        return Ok(number);
    }
    let known = UNITS
        .iter()
        .position(|name| name.eq_ignore_ascii_case(unit));
    let power = known.ok_or_else(wrong)? as u32;
    number
        .checked_mul(1 << (10 * power))
        .ok_or_else(|| format!("'{text}' is more than 2^64 - 1 bytes"))
}

/// Reads `FROM-TO`, `0-4KiB`: the first address, and the first one after the range.
///
/// # Errors
///
/// A message for the user.
pub fn parse_range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text
        .split_once('-')
        .ok_or_else(|| format!("'{text}' is not a range of addresses; write FROM-TO"))?;
    let (from, to) = (parse(from)?, parse(to)?);
    if from >= to {
        return Err(format!("'{text}' is empty: TO is exclusive"));
    }
    Ok((from, to))
}

/// Splits `SPACE:VALUE` at the last colon, or at the last `=`; a value alone is for all memory spaces.
pub fn scoped(text: &str) -> (Option<&str>, &str) {
    match text.rsplit_once(['=', ':']) {
        Some((space, value)) => (Some(space), value),
        None => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        for (text, bytes) in [
            ("0", 0),
            ("1048576", 1 << 20),
            ("0x1000", 4096),
            ("4KiB", 4096),
            ("4 kib", 4096),
            ("3MiB", 3 << 20),
            ("2GiB", 2 << 30),
            ("15EiB", 15 << 60),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse(text), Ok(bytes));
        }
        for text in [
            "",
            "KiB",
            "-1",
            "1.5MiB",
            "1 MB",
            "0xg",
            "99999999999999999999",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        let error = parse("16EiB").expect_err("too many");
        assert_eq!(error, "'16EiB' is more than 2^64 - 1 bytes");
    }

    #[test]
    fn a_range_ends_before_its_last_address() {
        assert_eq!(parse_range("0-4KiB"), Ok((0, 4096)));
        assert_eq!(parse_range("0x10-0x20"), Ok((16, 32)));
        for text in ["4096", "5-5", "9-2", "-9", "1-x"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_space_is_named_before_a_colon_or_an_equals_sign() {
        assert_eq!(scoped("4KiB"), (None, "4KiB"));
        assert_eq!(scoped("1:4KiB"), (Some("1"), "4KiB"));
        assert_eq!(scoped("a=b=1"), (Some("a=b"), "1"));
        assert_eq!(
            scoped("#gpu.address_space<workgroup>:0-1"),
            (Some("#gpu.address_space<workgroup>"), "0-1")
        );
    }
}
