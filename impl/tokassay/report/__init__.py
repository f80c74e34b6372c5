"""What a run leaves behind: the matrix, JSON Lines and JUnit XML."""
