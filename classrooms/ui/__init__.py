"""Helpers for pages and files of any content: sortable tables, dates, spreadsheets, PDFs."""
