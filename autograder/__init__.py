"""The byte-pair workbook's grader; the instructor's side, which nothing released imports."""

import sys

# jsonschema, which nbformat brings, builds a grammar of internationalised web addresses for over a second when it is
# imported, for a format that no notebook's schema names. It does without where the grammar's module is missing.
sys.modules.setdefault("rfc3987_syntax", None)
