"""Helpers for pages and files whatever their content: sortable tables, dates, spreadsheets,
PDFs."""
