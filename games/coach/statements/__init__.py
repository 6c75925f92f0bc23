"""Statements about a child, each with a limit on its chance of being wrong (docs/mastery.md).

`table_levels` are levels, `contrasts` what stands out, `odd_play` unusual play. `certainty` says
which statements may be made together.
"""
