"""Limits on wrong tries per account, device and network, and where they are counted."""
