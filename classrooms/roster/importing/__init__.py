"""Reads children's names from files: bytes → grid → columns → pupils → changes.
`file_process` runs in a process of its own, so no module except `reading` imports Django."""
