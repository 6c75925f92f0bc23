"""Values of the engine as text and as JSON, and back (docs/notation.md): `notation` for plays
and rulesets, `record` for a log, `game_text` for a whole game, `snapshot` for a state."""
