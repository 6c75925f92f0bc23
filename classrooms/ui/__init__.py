"""Helpers for pages and files of any content: sortable tables, dates, fields for times tables and
facts, the tree of a class's pages, a page that asks first, QR codes, spreadsheets, PDFs.
"""
