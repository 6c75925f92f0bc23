"""Progress on paper: reports of a child and of a class, and certificates.

The figures come from the same functions as those of the pages; here they are put in words for paper
and handed to typst, in the active language.
"""
