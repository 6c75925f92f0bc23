"""Helpers for pages and files of any content.

For pages: `sortable_table`, `dates`, fields for `tables_and_facts`, the `page_tree` of a class, a
page that asks first (`ask_first`), QR codes (`qr`). For files: `spreadsheet_files`, and
`typesetting` of PDFs by `typst_process`, one of the separate `processes`.
"""
