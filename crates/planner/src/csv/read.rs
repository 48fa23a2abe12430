//! Reads one problem from CSV text.

use super::error::CsvError;
use super::table::Table;
use crate::Problem;

/// Reads a problem without capacity.
///
/// # Errors
///
/// Those of [`Table::read`], and [`Reason::Spaces`](super::Reason::Spaces) at the first line of a
/// second memory space.
pub fn read(text: &str) -> Result<Problem, CsvError> {
    Table::read(text)?.into_single_problem()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    fn error(text: &str) -> String {
        read(text).expect_err("this must not be read").to_string()
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let problem = read("size,hint,upper,id,lower\n64,-1,9,7,2\n").expect("readable");
        assert_eq!(problem.buffers, [Buffer::new(7, 64, [(2, 9)])]);
    }

    #[test]
    fn optional_columns_are_read() {
        let text = "id,lower,upper,size,alignment,gaps,offset\n0,0,9,10,8,2-4 6-7,16\n\n1, 0, 9, 10, 1, , -1\n2,3,3,5,1,,\n";
        let expected = [
            Buffer::new(0, 10, [(0, 2), (4, 6), (7, 9)])
                .aligned(8)
                .fixed_at(16),
            Buffer::new(1, 10, [(0, 9)]),
            Buffer::new(2, 5, []),
        ];
        assert_eq!(read(text).expect("readable").buffers, expected);
    }

    #[test]
    fn a_column_named_end_holds_the_last_point_in_time() {
        let problem = read("buffer_id,start,end,size,gaps\n1,0,8,4,3-5\n").expect("readable");
        assert_eq!(problem.buffers, [Buffer::new(1, 4, [(0, 3), (6, 9)])]);
    }

    #[test]
    fn errors_name_line_and_column() {
        assert_eq!(
            error("id,lower,upper,size\n0,0,1,1\n1,0,x,1\n"),
            "line 3, column 3: 'x' is not a time from -2^63 to 2^64 - 1"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,0,-1,1\n"),
            "line 2, column 3: the buffer ends at -1, before it starts at 0"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,4,1,1\n"),
            "line 2, column 3: the buffer ends at 1, before it starts at 4"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,4,5\n"),
            "line 2, column 3: 3 fields, but the first line has 4"
        );
        assert_eq!(
            error("id,lower,upper\n"),
            "line 1, column 3: there is no column 'size'"
        );
        assert_eq!(
            error("id,id,upper\n"),
            "line 1, column 2: column 'id' occurs twice"
        );
        assert_eq!(
            error("id,lower, upper ,end,size\n"),
            "line 1, column 4: columns 'upper' and 'end' both name the end; keep one of them"
        );
        assert!(
            error("id,lower,top\n")
                .starts_with("line 1, column 3: unknown column 'top'; there are id")
        );
        assert!(error("").starts_with("line 1, column 1: the text is empty"));
    }

    #[test]
    fn gaps_must_lie_in_order_inside_the_live_range() {
        let gaps = |gaps: &str| error(&format!("gaps,id,lower,upper,size\n{gaps},0,2,9,1\n"));
        assert_eq!(
            gaps("4"),
            "line 2, column 1: '4' is not a gap: write FROM-TO, or FROM-TO@LOW:HIGH where bytes stay in use"
        );
        for bad in ["1-3", "5-5", "6-7 5-6", "8-10"] {
            assert!(
                gaps(bad).contains("is not after the gaps before it and inside the live range"),
                "{bad}"
            );
        }
        for bad in ["3-4@", "3-4@1", "3-4@2:1"] {
            assert!(gaps(bad).contains("is not a gap"), "{bad}");
        }
        assert!(gaps("3-4@1:x").contains("'x' is not a number"));
    }

    #[test]
    fn a_gap_in_which_bytes_stay_in_use_is_a_window() {
        let text = "id,lower,upper,size,gaps\n0,0,9,10,1-2 3-5@1:7 6-8@4:4\n1,0,9,10,0-9@0:1\n";
        let expected = [
            Buffer::new(0, 10, [(0, 1), (2, 3), (5, 6), (8, 9)]).with_window((3, 5), 1, 7),
            Buffer::new(1, 10, []).with_window((0, 9), 0, 1),
        ];
        assert_eq!(read(text).expect("readable").buffers, expected);
        assert_eq!(
            error("id,lower,upper,size,gaps\n0,0,9,10,3-5@1:11\n"),
            "line 2, column 5: the bytes 1:11 of the gap are not inside the buffer, which has 10"
        );
    }

    #[test]
    fn negative_times_count_from_the_first() {
        let text =
            "id,lower,upper,size,gaps\n7,-5,-1,4,-4--2\n8,0,3,4,\n9,-9223372036854775808,0,1,\n";
        let first = 1 << 63;
        let expected = [
            Buffer::new(7, 4, [(first - 5, first - 4), (first - 2, first - 1)]),
            Buffer::new(8, 4, [(first, first + 3)]),
            Buffer::new(9, 1, [(0, first)]),
        ];
        assert_eq!(read(text).expect("readable").buffers, expected);
        assert_eq!(
            error("id,lower,upper,size\n0,-5,0,1\n1,0,18446744073709551615,1\n"),
            "line 3, column 3: 18446744073709551615 is more than 2^64 - 1 after the first time, -5"
        );
    }

    #[test]
    fn ids_may_be_names() {
        let problem = read("id,lower,upper,size\nconv1,0,2,4\n7,1,3,4\n").expect("readable");
        let ids: Vec<u64> = problem.buffers.iter().map(|buffer| buffer.id).collect();
        assert_eq!(ids, [0, 1]);
        assert_eq!(
            error("id,lower,upper,size\nfc,0,2,4\nfc,1,3,4\n"),
            "line 3, column 1: two buffers have the id fc"
        );
        assert_eq!(
            error("id,lower,upper,size,alignment\nfc,0,2,4,0\n"),
            "line 2, column 5: buffer fc has alignment 0"
        );
    }

    #[test]
    fn an_invalid_problem_is_reported_at_its_line() {
        let text = "id,lower,upper,size,alignment\n0,0,1,1,1\n1,0,1,1,0\n";
        assert_eq!(error(text), "line 3, column 5: buffer 1 has alignment 0");
        assert_eq!(
            error("size,id,lower,upper\n1,7,0,1\n1,8,0,1\n\n1,7,0,1\n1,7,0,1\n"),
            "line 5, column 2: two buffers have the id 7"
        );
        let text = "id,lower,upper,size,offset\n9,0,2,8,4\n1,0,2,8,\n2,2,4,8,4\n3,1,3,8,0\n";
        assert_eq!(
            error(text),
            "line 5, column 5: buffers 9 and 3 are live at once and fixed at offsets where they overlap"
        );
        let text = "id,lower,upper,size,alignment,offset\n9,0,2,8,4,6\n";
        assert_eq!(
            error(text),
            "line 2, column 6: buffer 9 is fixed at offset 6, which is not a multiple of its alignment 4"
        );
        let rows: String = (0..9)
            .map(|id| format!("{id},0,1,{}\n", 1u64 << 60))
            .collect();
        assert!(
            error(&format!("id,lower,upper,size\n{rows}"))
                .starts_with("line 10, column 4: sizes and alignments")
        );
        let wide = "id,lower,upper,size,alignment,offset\n0,0,1,1,,\n1,0,1,1,9223372036854775808,\n2,0,1,1,,\n";
        assert!(error(wide).starts_with("line 3, column 5: sizes"));
        let far = "id,lower,upper,size,alignment,offset\n0,0,1,1,,9223372036854775807\n2,0,1,1,,\n";
        assert!(error(far).starts_with("line 2, column 6: sizes"));
        assert!(
            error("id,lower,upper,size\n0,0,1,1152921504606846977\n")
                .starts_with("line 2, column 4: buffer 0 has 1152921504606846977 bytes")
        );
    }

    #[test]
    fn errors_in_malformed_texts_have_a_position() {
        for (text, expected) in [
            ("\n \n", "line 1, column 1: the text is empty"),
            ("0,0,1,1\n", "line 1, column 1: unknown column '0'"),
            (
                "id,lower,top,size\n",
                "line 1, column 3: unknown column 'top'; there are id",
            ),
            (
                "\"id\",lower,upper,size\n",
                "line 1, column 1: \"id\" has quotes",
            ),
            (
                "\n\nid,lower,upper,size\n\n0,0,1,1,\n",
                "line 5, column 4: 5 fields, but the first line has 4",
            ),
            (
                "id,lower,upper,size\r\n0,0,1,\"1\"\r\n",
                "line 2, column 4: \"1\" has quotes",
            ),
            (
                "id,lower,upper,size\n0,0,1,18446744073709551616\n",
                "line 2, column 4: '18446744073709551616' is not a number",
            ),
            (
                "id,lower,end,size\n0,0,18446744073709551615,1\n",
                "line 2, column 3: 18446744073709551616 is more than 2^64 - 1 after the first time, 0",
            ),
            (
                "id,lower,upper,size,offset\n0,0,1,1,-2\n",
                "line 2, column 5: '-2' is not a number",
            ),
            (
                "id,lower,upper,size,hint\n0,0,1,1,near\n",
                "line 2, column 5: 'near' is not a number",
            ),
            (
                "id,lower,upper,size\n0,0,1,1\u{0}\n",
                "line 2, column 4: '1\u{fffd}' is not a number",
            ),
            (
                "id,lower,upper,size\n,0,1,1\n",
                "line 2, column 1: the id is empty",
            ),
            (
                "id,lower,upper,size\r0,0,1,1\r",
                "line 1, column 4: unknown column 'size\u{fffd}0'",
            ),
            (
                "id,lower,upper,size\n0,0,1,\u{feff}1\n",
                "line 2, column 4: '\u{feff}1' is not a number",
            ),
            (
                "id,lower,upper,size,space\n0,0,1,1,a\n1,0,1,1,a\n2,0,1,1,b\n",
                "line 4, column 5: 'b' is another memory space than 'a'",
            ),
        ] {
            let error = error(text);
            assert!(error.starts_with(expected), "{error}");
        }
        let long = error(&format!(
            "id,lower,upper,size\n0,0,1,{}\n",
            "x".repeat(1000)
        ));
        assert!(long.chars().count() < 120, "{long}");
    }

    #[test]
    fn unusual_valid_texts_are_read() {
        let marked = "\u{feff}id,lower,upper,size\r\n\r\n 18446744073709551615 ,0,18446744073709551615,1152921504606846976";
        let expected = Buffer::new(u64::MAX, 1 << 60, [(0, u64::MAX)]);
        assert_eq!(read(marked).expect("readable").buffers, [expected]);
        assert_eq!(read("id,lower,upper,size"), Ok(Problem::default()));
        assert_eq!(read("id,lower,upper,size,space\n"), Ok(Problem::default()));
        let one = read("id,lower,upper,size,space\n0,0,1,1,a\n").expect("one space");
        assert_eq!(one.buffers.len(), 1);
    }
}
