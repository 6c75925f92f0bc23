"""What a browser sends, and from where: networks, bodies, addresses to be led to."""
