"""Reads children's names from files, in four steps. Each has a type of its own.

- bytes → `Grid`: the rows as a person sees them (`grid`, `encodings`, `workbook`, `page`).
- `Grid` → `Columns`: what each column contains, and which sheet has the list (`columns`). A
  `bundle` of a school gives both.
- `Columns` → `NameSheet`: the pupils, and the rows that `RULES` pass over (`pupils`).
- `NameSheet` → `Change`: which pupils are new in a class, are in it already, move to it or get
  another name (`changes`).

`cells` recognises what a single cell is. `file_process` runs the first three steps in a separate
process. So no module imports Django, except `reading`, which starts that process.
"""
