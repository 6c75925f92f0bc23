"""Everything of a class as CSV files with stable columns (docs/exports.md)."""
