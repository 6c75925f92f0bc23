"""Players that a game can seat, pure; docs/bots.md describes how they play and how strong they are.

Each level is a module with `choose(view, seed) -> action`: `beginner`, `steady`, `sharp` and
`expert`; `registry` knows them by name. Below sharp and expert lie `turns` (what can be done in a
turn), `worth` (what cards kept are worth) and `outlook` (how likely a turn wins). `companion` is
paced to a child. `scripts.lab` plays rounds to measure all of them.
"""
