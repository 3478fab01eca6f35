"""Submissions that attack the grader, or had bad luck: each built by code on chapter 3's right answers."""
