"""The children of a class: their names, groups and settings.

`services` adds, renames, removes and erases children; `moves` takes them to another class, `merges`
makes one child of two entries. Lists of names come from a file or a paste (`importing` reads it,
`import_preview` compares, `import_services` carries out) or each night from a school's source
(`oneroster` reads it, `source_changes` compares, `sources` carries out).
"""
