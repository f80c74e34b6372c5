"""Sets of the oracle that follow Unicode 8.0, 9.0 and 17.0, or fixed lists.

Written by tools/make_unicode.py; not edited by hand.
"""

from __future__ import annotations

INDEX = (
    "unassigned9=Cn+Cs+Cc+Zl+Zp:632 rust.numeric=N:9 bert.punctuation=P:123 "
    "bert.control.removed=Cc+Cf+Co:20 bert.space=Z:5 mn8=Mn:246 m9=M:214 cjk=:31 nmt.removed=:13 "
    "nmt.spaced=:25"
)
SETS = (
    "eNptlH1oV1UYx7/f55xz7z2/32+/u5e2KU73m7nNTbdppmPmwsosYr1gDDQMI3rxr14py15cS61m5RCz0uEkFUNIzWAp5TYwlkSi"
    "RU5IaiJoEdnLHxlm0567bETE4dxz7+Wel8/zfJ7bKShfkuv3qMYDqMOQkXtSbgLpomJExe+KLMOLdK3YRTQih7HIYCGK9Wowi/Ow"
    "UpA0OosQIQV5KEJvvj54/EwsxYCNnwNZJ68IXa1Io359gfY9yzfI3gDVcjaLiZJBNNbGDWjAaTNmszG7hGtoJ9FjraBnpt+wjTW7"
    "Yz2RkGBYbGfiC/KMdYNbiGGJV6CeXSE6jfTbFLMMSF4ezYxXjWMNo/OWhfjQVUc+qDRlEX/RlyLMl8YpUU3J2KpxV5Q87VqQwpNm"
    "NfmwnCfmeSZ0lfx7NDoy4jIYM2hZUjQLlcF+XvMJAw1CqFuOJyXt/fxQ6iQ17qZoQV481/ewIutXS3KkKUZjwUhP4HScpN2FvkfG"
    "hPmcbMpaEU/PQ2f5vR9HVamN5atmN/UU3kZ/zjYN8K6dSYwbokUmzQsNqQvulKnx391oRgi3SIzxIsiaaI1ZedV5Bh+Yljop8Y9v"
    "tzzGokzR88FLpRMCt0qaK/DIVJMn3rJfJhQ0ORw1NYOstThpAgUks58Ltgc3tMw5Eko55phm7KU7G1lrSt0ysbbVBmmLPqYtr401"
    "JcqdQcbEucI6rmMmTzLGu8YwK6kgCteR939zTKJjOXuufs/s+Kx958rPqtxQTk5+ZH3HNsq0SQiQrzsR47RvTmMoxFNos+rY90U4"
    "6dWdg5UZSXf2GvQKdtBONX0WHVbP+pgmm2i3mRa8YPCyyCZicXin0N7tjxNLbC1XOd6S2U38Ws4/lssOMZ8Kun4kvg0YehW2vYB3"
    "YONPBkcqcGp+LMm7B4djvM2otrQrkfUf+w8Ss1X5faKKn87H18QT3GfjHYHbs17wFtGEA8SZAZrr7AHh7WZ+arr5QcXhrVgtcHhI"
    "HVKpVrg8BSWybA3VP5Siz6FTIrItsduik0YJkPOTnZgI3onUZ8gNmiBHLCgeUYnL3YhMAXEz9Q4nhGlebR2SFU/XIMgeWpQ20l2G"
    "9cSmXg1jyf6KQHVPZtv7sIXB74Jm86cxF8mvgmDhZWq/89/UPdREjHIP5CcEu1281eqmF2nfV/QviW2H/o+6nWxXID6aTHo2ulxD"
    "NkF/BofD7G/KQzEaDL6mNRQYlPnJaqEyp+rjN90o4fVJsu0JMVp/mBYYO0pYoHwN0WKk+foI4qGJ/wEL25b2zZh7aSvb9vKSaeuw"
    "Q4cl1z2xTdZOObqg26oFWrsFSxBr87q8/iOGpqKjyI7h8RSG9xoME38BzPvhHA=="
)
