"""The bots, in pure Python (docs/bots.md). `registry` finds them by name. Each is a module with
`choose(view, seed) -> action`; `companion` adapts its pace to a child."""
