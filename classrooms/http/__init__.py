"""What a request brings: its network, the size of its body, URLs to redirect to."""
