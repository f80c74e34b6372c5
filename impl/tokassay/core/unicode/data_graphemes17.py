"""Grapheme cluster classes of Unicode 17.0, as HF's Precompiled normalizer has them.

Written by tools/make_graphemes.py; not edited by hand.
"""

from __future__ import annotations

INDEX = (
    "Prepend=:43 Control=:53 Extend=Mn+Me:149 SpacingMark=:345 ExtendedPictographic=:334 Consonant=:171 "
    "Linker=:59"
)
SETS = (
    "eNotVGuIVVUU/r619z77vO45M/fO6FVnrlPTNCUp18eMNT4mggjBHxUJEoQTVEYve0E/Z0BGIhhNejDUFJkVxUggZIiaP6TICrE/"
    "Ug0YA0GF5jSmPyqSWvtOh7PP2Wc9v/WttU85lrvviNUYM7wbF2PM7bEocZWcsLiUgjgl7oTDcYMaEpLtO3oqmEtxuRf/lBDWo9Xl"
    "vs8M5pl98mg5+7KYszf78fPN5SOj89zXtfFkDXX8LPp4RNev1IhWwyTcqZ8vaKojVTTwhi8k2wKnWseHcRcnYxzo4cE/iCdwfpqc"
    "afBzh+fxoqBAghFdAorDLJHjMrFH8JfV7btWxcSMx8cHyCunyMjNr1BjT4fxpfadyeaOt7m7ivUQiQ25hhsYqcsghuQOXTHIAW5E"
    "kD2reyOUdbLJbOJQSMlVKNTDqXSAWxlFNQ5jFC9RX4epFC3hLThcwHsFLUZEq3WzVGei0+0nbjO3a8FWzUVxDviY06rB9OsaEdu5"
    "ptxLNNGk1fy7dNXxFpVnh0tcuPDK6cDiKFZq7OdQ5wY0JVFaHhDDQ5TlKmihZie3sVTIOyWmweOMENwFc0qKETyjYuJJFT4Fj3HR"
    "IH9qWnqNvpdKjsV96OZmfEUYlX1JTfKYmgrO0aohfhTmCjXmhd2U97oGp/iRthcTw9qI74lFuN+V/D0YfUAsSa1oiF/IVLs3ZGhD"
    "D0PVtkWsaBLDWFpDkGWUFtqqWlQdQyOUA1F8GZ3qHIOsg85pra0I4kJtgZpII0VItfagUURKdMYFkgpcFZ41UuNa1c0kivSHYHPh"
    "7wj95qGsVK+CfcnTzFlAktr6ZUWKDgQKk0XRccouUaxyr3bPuGvk5sxxsaf4HBKQsKLoYiZwkkssAZFdQLSteafz0qZUqmqGfbm5"
    "1afuJt9gbqSS3Jiv0mNxlNt9sZ9jcs1vfa16Q8PXfWdNBxTGXK8lt/Egwydph7Hs/11QtCMoyoYcY98XbkUH2pw1gVAvNtcTUln7"
    "m133qTa+p90PdleYyTdvipjelVbi1D5YUhQjR9JzXPr+CaI0Oj9dZyq93crhUZu0qO37Oo2UZ51sLv6WSPu7kfWPJTmv6zhT1YH8"
    "lwsPvS86TJaYcPiJevBfnRIcEZw+SVypYMqFP4ue5HvwYYL/AEtKlyQ="
)
