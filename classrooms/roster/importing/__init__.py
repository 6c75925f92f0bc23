"""Reads children's names from files, in four steps with a type each.

- bytes → `Grid`: the rows as a person sees them (`grid`, for other files `workbook` and `page`).
- `Grid` → `Columns`: what each column holds, and which sheet has the list (`columns`). A school's
  `bundle` says both.
- `Columns` → `NameSheet`: its pupils, and the rows that are passed over by `RULES` (`pupils`).
- `NameSheet` → `Change`: who is new, there, moved or renamed in a class (`changes`).

`cells` recognises what a single cell is. `file_process` runs the first three steps in a process of
its own, so no module except `reading`, which starts it, imports Django."""
