"""Turns the logs of games into figures for teachers.

There are three stages, each computed from the one before: `evidence` reads the logs of games and
`answer_evidence` the answers to short questions, `counts` counts the evidence by table or fact and
day, `table_levels` folds the days of tables and `fact_levels` the answers to facts. All that is
stored here can be deleted and made again (`rebuild`; `manage.py rebuild_progress`).

What is known of a child: their `rows`, `facts` and `story`; of a class: `class_figures`, which a
page reads once, and `class_report`, which counts what was played. What follows from it: `needs` and
`standing_out` are the `findings`, `next_steps` suggests what to give, and `given_steps` says what
came of it; `goals` is the weekly goal. The pages are `class_page` with `class_map`, and
`child_page`; `words` has their texts, `periods` their periods. `receivers` asks for a count.
"""
