"""The bots, in pure Python. docs/bots.md describes how they play and how strong they are.

Each level is a module with `choose(view, seed) -> action`: `beginner`, `steady`, `sharp` and
`expert`. `registry` finds them by name. Sharp and expert use `turns` (the possible turns), `worth`
(the worth of kept cards) and `outlook` (the chance that a turn wins). `companion` adapts its pace
to a child. `scripts.lab` plays rounds to measure all of them.
"""
