"""Model children, who play in memory: `school` is the demo school, `simulated_weeks` a class over
weeks, `past_games` stores their games, and `model_children` decides what they do."""
