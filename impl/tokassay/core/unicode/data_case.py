"""Lower case of Rust's char (17.0) and case folding of Oniguruma (16.0).

Written by tools/make_unicode.py; not edited by hand.
"""

from __future__ import annotations

LOWER = (
    "eNpFU0trE1EU5jt3Hpm8AyE1FbSUUgQhtCoiuJmCK5WSf2BX3UoX6k4aS6kPcGMqKLaUKnZsi6AWRYqQLnxQqQoFt90KIqK4EQnx"
    "O3dmlHDP/c53nnPOzRj6w0n0hQI/HJR94ojhL8PTJwL8AAgd4IGBiDL3DMgJ5K4FFIu80VbtdmKDtS0aooeKli3vJNqq8utGExNs"
    "pDEbxqQgqfA0rfk8jZcM4CT+/28JmCrQVpwkYEtbOg+pqjJDKtDIzxGSmNc8+BQhqTir+a+r8SYJV5Y1i5YLgC/wgbMCc5qO02Bb"
    "lwUVzisIh4ByIHnxgEtJpkI8EzNDXF6iMhCOSkWysl+tByA+Wx2hx/DEdg3DnSmynSlPxa6L5tIeq3rldoVZfBzuNZiq19gSOSNZ"
    "oHtRGJtFphTAK+XsHeO8OBbX/3F6pMQ0t/SzKnk4awmw7Ft2asGesgWyPe38j/VZZVMvL7CT7hXVb7R0BCcaKA9U6fPMQ/+xJ0WM"
    "TIzG3/xtRb3en6TYWYGJ1/rCzvq3Nb2yeDPi8OyD4VilS06OcC8iLtGHn+CDq0pRruqMHDkouXiVc5GjK3HjWh/brtHdcKJqmyeN"
    "BSvnrWxZSZ7W+23Fu1Y+srJT5AvSwHNUZq3r9yh9MzvUY2vrjltnufXH4J/jTYBDzWvAUHMByI0LSjw+j4x/LeDotD7/WrhZ46Zb"
    "a7rvMdSPv/sFDJ76C0q4a60="
)
FOLD = (
    "eNpFU0toU1EQ5cx7ecnLt4GQ2IpaihShEBp1IbgwgiuVkr2LxrULG0TdaWOItQrdmCo1tn4xsXGjFkVESRcaUKqC4LYrQRARBSki"
    "IZ6570UJd+6Zz5m5b2ayH0P5I8BcNIJMXhDMj8gmscXiL8STEQF+AIQEV22KuxZEVLtugQ6BXDOAYok3aqpd8X0wviWL6J6i28Zu"
    "+9qy2h9YfvaVPmfFsvrAr/CoX/NJny8hwPbj/9/iMpWrT7F9wqo+6TgkpUqFJleZn5rwOa948KEJv2JV819U5xwNAdkg+oIx8rSm"
    "q0oQOCywDjJ6GnzbGUGSnXPzGUbEgAFS9vLkyNjCm+Sopj5GPMn0p3mfFa9czGucVSEeuEllOJ+TpIRls3q3QoL8nnFGjBbfpDHa"
    "LtHaLjkqWg6cRCUJ1I+St6BihkIqiqoqNooUHRXnGzo4OBjrZVmtl10VOST8kBN8T/eUsEQYoYTLjBFzezgqtsGD/2x6JMEql7VF"
    "SSadnQrDbhmN+aqlgOfvgF3+POVr6+qPRSE9/d4/JnqZ5Gcn2aPuOdUvlbWxe7IYGE4x5rGDod0P4xgv5rxOfWto1Ftt7FoDlrcx"
    "T80YfxvXC4OfNyHeLnJY0qVNdnLkIgGidz/BhU5JXC5oZ23ZJhFvS2aatk474NV6XwtYOnHOQX3zNGPRyHkjy0bSTu+dmuKPRt43"
    "sh3ncipxUgdhQr83++u4Zkhm2xwadNs04UJgUBvjoHBj3e6Yv1E9xH/maxc7CrPA9sIiEJkQJHiCPDLxNYZd03gJpPfV09ybcku3"
    "59YvYOTAX/TzfVw="
)
FOLD_MANY = (
    "df=73+73 130=69+307 149=2bc+6e 1f0=6a+30c 390=3b9+308+301 3b0=3c5+308+301 587=565+582 1e96=68+331 "
    "1e97=74+308 1e98=77+30a 1e99=79+30a 1e9a=61+2be 1e9e=73+73 1f50=3c5+313 1f52=3c5+313+300 "
    "1f54=3c5+313+301 1f56=3c5+313+342 1f80=1f00+3b9 1f81=1f01+3b9 1f82=1f02+3b9 1f83=1f03+3b9 "
    "1f84=1f04+3b9 1f85=1f05+3b9 1f86=1f06+3b9 1f87=1f07+3b9 1f88=1f00+3b9 1f89=1f01+3b9 1f8a=1f02+3b9 "
    "1f8b=1f03+3b9 1f8c=1f04+3b9 1f8d=1f05+3b9 1f8e=1f06+3b9 1f8f=1f07+3b9 1f90=1f20+3b9 1f91=1f21+3b9 "
    "1f92=1f22+3b9 1f93=1f23+3b9 1f94=1f24+3b9 1f95=1f25+3b9 1f96=1f26+3b9 1f97=1f27+3b9 1f98=1f20+3b9 "
    "1f99=1f21+3b9 1f9a=1f22+3b9 1f9b=1f23+3b9 1f9c=1f24+3b9 1f9d=1f25+3b9 1f9e=1f26+3b9 1f9f=1f27+3b9 "
    "1fa0=1f60+3b9 1fa1=1f61+3b9 1fa2=1f62+3b9 1fa3=1f63+3b9 1fa4=1f64+3b9 1fa5=1f65+3b9 1fa6=1f66+3b9 "
    "1fa7=1f67+3b9 1fa8=1f60+3b9 1fa9=1f61+3b9 1faa=1f62+3b9 1fab=1f63+3b9 1fac=1f64+3b9 1fad=1f65+3b9 "
    "1fae=1f66+3b9 1faf=1f67+3b9 1fb2=1f70+3b9 1fb3=3b1+3b9 1fb4=3ac+3b9 1fb6=3b1+342 1fb7=3b1+342+3b9 "
    "1fbc=3b1+3b9 1fc2=1f74+3b9 1fc3=3b7+3b9 1fc4=3ae+3b9 1fc6=3b7+342 1fc7=3b7+342+3b9 1fcc=3b7+3b9 "
    "1fd2=3b9+308+300 1fd3=3b9+308+301 1fd6=3b9+342 1fd7=3b9+308+342 1fe2=3c5+308+300 1fe3=3c5+308+301 "
    "1fe4=3c1+313 1fe6=3c5+342 1fe7=3c5+308+342 1ff2=1f7c+3b9 1ff3=3c9+3b9 1ff4=3ce+3b9 1ff6=3c9+342 "
    "1ff7=3c9+342+3b9 1ffc=3c9+3b9 fb00=66+66 fb01=66+69 fb02=66+6c fb03=66+66+69 fb04=66+66+6c "
    "fb05=73+74 fb06=73+74 fb13=574+576 fb14=574+565 fb15=574+56b fb16=57e+576 fb17=574+56d"
)
