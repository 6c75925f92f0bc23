"""The places of cards on the screen: draws islands, packs them on the felt and places the tags of
their rows."""
