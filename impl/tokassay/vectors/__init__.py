"""The golden vectors: made with the oracle, checked, extended, handed out, compared over its versions.

The value itself and its reader are on the board side: `tokassay.checks.vector`.
"""
