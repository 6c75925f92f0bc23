"""What a player sees, as what the templates draw: view models, drawings, panels and words."""
