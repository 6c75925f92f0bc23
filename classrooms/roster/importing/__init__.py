"""Children's names from files: bytes → text → rows → columns → names, a module for each step.

It imports nothing of Django: `file_process.py` runs it apart from the site."""
