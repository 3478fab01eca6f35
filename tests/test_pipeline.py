"""The two promises that the chapter on reversible byte-pair encoding ends with, under the names that it gives them.

    python -m unittest -v tests.test_pipeline.PipelineTests.test_bpe_exact_rules_and_tie \
        tests.test_pipeline.PipelineTests.test_train_only_and_digest

They hold for the reference, which all checks compare with. Everything else about it is in `test_reference_*.py`.
"""

# ruff: noqa: PT009, PT027  (for the unittest command above)

import subprocess
import sys
import unittest

from autograder.reference.byte_bpe import digest, encode, fit_splits
from autograder.reference.naive_bpe import best_pair, count_pairs, fit_merges, merge_pair, rounds

SPLITS = {"train": ["abababab", "acac"], "validation": ["xyxyxy"], "test": ["zz zz zz", "abac"]}


class PipelineTests(unittest.TestCase):
    def test_bpe_exact_rules_and_tie(self):
        """`abab` and `acac`: ab and ac tie at two places, 97 98 is the smaller, and round three finds no pair twice."""
        merges = fit_merges(["abab", "acac"], 32)
        self.assertEqual(merges, [((97, 98), 258), ((97, 99), 259)])
        history = rounds(["abab", "acac"], 32)
        self.assertEqual([one.tied for one in history], [2, 1])
        self.assertEqual(history[-1].after, [[258, 258], [259, 259]])
        self.assertEqual(encode("abac", merges), [256, 258, 259, 257])

        # The tie does not depend on which pair is seen first.
        self.assertEqual(fit_merges(["acac", "abab"], 32), merges)
        self.assertEqual(best_pair({(98, 97): 2, (97, 98): 2}), (97, 98))
        with self.assertRaises(ValueError):
            best_pair({})

        # Overlapping places count, and only the left one of two is replaced.
        self.assertEqual(count_pairs([[97, 97, 97]]), {(97, 97): 2})
        self.assertEqual(merge_pair([97, 97, 97], (97, 97), 258), [258, 97])
        self.assertEqual(fit_merges(["aaa"], 1), [((97, 97), 258)])
        self.assertEqual(fit_merges(["aa", "a"], 1), [])
        for wrong in (True, -1, 1.0, "1", None):
            with self.assertRaisesRegex(ValueError, "max_merges"):
                fit_merges(["abab"], wrong)

    def test_train_only_and_digest(self):
        """Other validation and test texts change neither rules nor digest; other training texts change both."""
        first = fit_splits(SPLITS, 8)
        other = fit_splits({**SPLITS, "validation": ["abcabcabc"], "test": ["a quite different text"]}, 8)
        self.assertEqual(first["merges"], fit_merges(SPLITS["train"], 8))
        self.assertEqual(other["merges"], first["merges"])
        self.assertEqual(other["digest"], first["digest"])

        retrained = fit_splits({**SPLITS, "train": ["xyxyxyxy!"]}, 8)
        self.assertNotEqual(retrained["merges"], first["merges"])
        self.assertNotEqual(retrained["digest"], first["digest"])
        with self.assertRaises(ValueError):
            fit_splits({**SPLITS, "test": [SPLITS["train"][0]]}, 8)

        # The digest is that of the ordered rules: equal in another process, another one when two rules swap.
        self.assertEqual(first["digest"], digest(first["merges"]))
        code = f"from autograder.reference.byte_bpe import digest; print(digest({first['merges']!r}))"
        again = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(again.stdout.strip(), first["digest"])
        rules = [((97, 98), 258), ((97, 99), 259)]
        swapped = [((97, 99), 258), ((97, 98), 259)]
        self.assertNotEqual(digest(rules), digest(swapped))


if __name__ == "__main__":
    unittest.main()
