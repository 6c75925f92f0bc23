"""Everything of a class as CSV files, with columns that stay (docs/exports.md)."""
