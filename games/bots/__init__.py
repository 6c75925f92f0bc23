"""The bots, in pure Python; docs/bots.md describes how they play and how strong they are.

Each level is a module with `choose(view, seed) -> action`: `beginner`, `steady`, `sharp` and
`expert`; `registry` knows them by name. Sharp and expert use `turns` (what can be done in a turn),
`worth` (what kept cards are worth) and `outlook` (how likely a turn wins). `companion` adapts its
pace to a child. `scripts.lab` plays rounds to measure all of them.
"""
