"""Answers that somebody else's program gave: what was asked, how answers are read, a session of them."""
