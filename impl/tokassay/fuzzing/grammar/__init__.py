"""What targets are given: each module turns choices into one kind of input, all of them as JSON values."""
