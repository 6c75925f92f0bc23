"""Class codes, pictures and tokens: how they are made, kept and compared."""
