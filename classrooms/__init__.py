"""The school: classes, children, teachers and assignments.

All packages use these modules. Who may do what: `access` is the way to every object, `locks` locks
it, `bounds` limits how many there are, `audit` logs an act and `undo` takes it back. Secrets:
`credentials` makes codes, pictures and tokens, `tries` counts wrong ones, `passes` and `network`
tell devices apart. Requests: `http` and `middleware` meet what comes in, `links` has addresses,
`outgoing` calls other sites and `publishing` the workers. `child_names` compares names.
"""
