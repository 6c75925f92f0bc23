"""What of progress goes on paper: a report of a child, one of a class, and certificates.

They tell what the pages tell, out of the same functions; what is here only puts it in words for
paper and hands it to typst. All of it is in the language of now.
"""
