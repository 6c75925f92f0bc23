"""Keeps the site running, and tells its operator about it.

`installation` checks what the machine has, `running` whether the parts work, and `operator_site` is
`/admin/`. `beat` starts the periodic tasks.
"""
