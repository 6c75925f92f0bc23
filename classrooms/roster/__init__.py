"""The children of a class: their names, groups and settings.

`services` adds, renames, removes and erases children. `moves` moves them to another class, and
`merges` merges two entries of one child. Lists of names come from a file or a paste (`importing`
reads them, `import_preview` compares them with the class, `import_services` carries out the
changes), or each night from a school's source (`oneroster`, `source_changes` and `sources` do the
same).
"""
