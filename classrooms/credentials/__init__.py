"""Class codes, pictures and tokens: how they are made, stored and compared."""
