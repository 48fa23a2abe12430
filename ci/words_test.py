#!/usr/bin/env python3
"""Tests of words.py."""
import unittest

from words import hits, rules

RULES = """
# A comment.
keep "turns"
turns?(?! into) => iteration
behind => after | not in lit/*
"""


def found(source, path="crates/a/src/lib.rs"):
    return [(hit.line, hit.instead) for hit in hits(path, source, *rules(RULES))]


class Words(unittest.TestCase):
    def test_words_are_found_in_names_comments_and_texts(self):
        for line in ("let turn_count = 1;", "struct TurnCount;", "// Each turn.", 'say("the turns");'):
            self.assertEqual(found(line), [(1, "iteration")], line)

    def test_parts_of_other_words_and_exceptions_are_not_found(self):
        for line in ("return left;", "// It turns into another.", 'field("turns")'):
            self.assertEqual(found(line), [], line)

    def test_a_rule_does_not_hold_where_it_says_so(self):
        self.assertEqual(found("// behind", "lit/a.mlir"), [])
        self.assertEqual(found("\n// behind"), [(2, "after")])

    def test_long_sentences_of_texts_are_found_and_those_of_code_and_tests_are_not(self):
        long = "a " * 31
        self.assertEqual(len(found(f'say("{long}");')), 1)
        self.assertEqual(found(f'say("{"a " * 20}. {"a " * 20}");'), [])
        self.assertEqual(found(f"// {long}"), [])
        self.assertEqual(found(f'#[cfg(test)]\nmod tests {{ say("{long}"); }}'), [])

    def test_a_continued_text_is_one_sentence(self):
        self.assertEqual(len(found('say("' + "a " * 20 + "\\\n    " + "a " * 20 + '");')), 1)

    def test_the_readme_has_a_limit(self):
        self.assertEqual(len(found("a\n" * 201, "README.md")), 1)
        self.assertEqual(found("a\n" * 200, "README.md"), [])


if __name__ == "__main__":
    unittest.main()
