"""A load during which parts of the machine fail at random moments: a move that a child saw done
must stay done, exactly once."""
