"""The site on more than one machine."""
