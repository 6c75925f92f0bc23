"""What the game teaches, in pure Python: before, during and after a round, and by questions."""
