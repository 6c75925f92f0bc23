"""Helpers for pages and files of any content: sortable tables, undo, dates, PDFs."""
