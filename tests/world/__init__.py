"""What people met in the world outside, made again: lists of names as schools' systems write them.

Every file is made here, of names that are known, so that no input is anybody's."""
