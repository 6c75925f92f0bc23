"""Where the cards of a table lie on the screen: islands drawn, packed, and their rows named."""
