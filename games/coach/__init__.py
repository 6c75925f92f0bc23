"""What the game teaches, in pure Python.

- `rows` and `times_tables`: what a row is to a child, and which rows are easy to find.
- Before a round: `deals` and `begun_rounds` that bring rows, `guided_rounds`, `goals`.
- During a round: `hints`, and `refusals` of cards that make no play.
- After it: `chances` (the rows that a child had and took), `deal_comparison` (of children with the
  same cards), `rating` (how strong a child plays), and `statements` about children, by the model in
  `mastery`.
- `questions`: facts.
"""
