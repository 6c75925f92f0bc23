"""Signing in through a school's learning platform by LTI 1.3: `docs/lti.md`."""
