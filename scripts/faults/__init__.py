"""A load during which parts of the machine fail at random moments: what a child was shown as done
must stay done, exactly once."""
