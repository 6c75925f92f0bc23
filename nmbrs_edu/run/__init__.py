"""`make run`: starts the whole site on one machine, and stops all of it. `processes` has its parts,
`port` tests whether its port is free."""
