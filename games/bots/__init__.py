"""The bots, in pure Python (docs/bots.md).

`registry` finds them by name. Each is a module with `choose(view, seed) -> action`: the levels
`beginner`, `steady`, `sharp` and `expert`, `companion`, which adapts its pace to a child, and
`onlooker`. They use `turns`, `worth` (of cards), `outlook` (of a round) and `sight` (what a person
sees). `reasons` says why a play was good, and `riddles` makes boards for riddles.
"""
