"""Prepares for the templates what a player sees: view models, drawings, panels and words."""
