"""What a player sees, prepared for the templates: view models, drawings, panels and words."""
