"""How pages and files are made, whatever is in them: sortable tables, undo, dates, paper."""
