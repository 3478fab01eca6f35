"""The byte-pair workbook's grader; the instructor's side, which nothing released imports."""
