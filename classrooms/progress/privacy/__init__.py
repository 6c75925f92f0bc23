"""All that there is of a child: told, taken along, and kept no longer than it is needed."""
