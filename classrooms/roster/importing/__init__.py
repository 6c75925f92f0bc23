"""Reads children's names from files, in four steps with a type each.

- bytes → `Grid`: the rows as a person sees them (`grid`; for other files `workbook` and `page`).
- `Grid` → `Columns`: what each column holds, and which sheet has the list (`columns`). A school's
  `bundle` says both.
- `Columns` → `NameSheet`: its pupils, and the rows that `RULES` pass over (`pupils`).
- `NameSheet` → `Change`: which pupils are new in a class, in it already, moved or renamed
  (`changes`).

`cells` recognises what a single cell is. `file_process` runs the first three steps in a separate
process, so no module but `reading`, which starts it, imports Django.
"""
