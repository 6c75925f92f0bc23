"""Speed, as ratios against something run beside it: `make bench`."""
