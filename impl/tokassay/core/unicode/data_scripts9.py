"""Script classes of HF's UnicodeScripts: Unicode 9.0, kana counted as Han, the rest Any.

Written by tools/make_unicode.py; not edited by hand.
"""

from __future__ import annotations

NAMES = (
    "Adlam Ahom Anatolian_Hieroglyphs Any Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak "
    "Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian "
    "Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot Cyrillic Deseret "
    "Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic Grantha Greek "
    "Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Imperial_Aramaic Inherited "
    "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kayah_Li Kharoshthi Khmer "
    "Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Malayalam "
    "Mandaic Manichaean Marchen Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao "
    "Modi Mongolian Mro Multani Myanmar Nabataean New_Tai_Lue Newa Nko Ogham Ol_Chiki Old_Hungarian "
    "Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_South_Arabian Old_Turkic Oriya Osage "
    "Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic "
    "Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sora_Sompeng Sundanese "
    "Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana "
    "Thai Tibetan Tifinagh Tirhuta Ugaritic Vai Warang_Citi Yi"
)
RUNS = (
    "eNp9VltsXFcVzT7r3LmPufPw+3g88UwmzjzuxPbNw4/EN/EkIc6rie08mgc0mKSkadKSOE2apnFcx02bj9KqnxUfKBIVAgnBF6Ai"
    "JEACIT6QQED5QRUSnwioBOILIda9mZiqQnyse/bZZ+9z9tmvc00ZYspRwaSI0UhMjrCiPiNRifgJTC2yjJVRpju8XtNGaoBKRoGu"
    "STwmvHgutW5iuj9byxffkFAVv0meVYWybI41HiSWcEbpkQk4IwOwRiyktWVEp4isURBNKV0mvDCtC6HoF0hXbmUhtyKoW9Dha1uR"
    "fXoK1tURqKs5yEwRakawR/dQ20Ev9xG9fnA+VIMdRg0W0hqSdqDSiuglTWvSAh7MudvmazjkadKSthI5q0E7GynoBtcb1GtQj/QT"
    "qAZv17Da6wA4txs8KxnzSNepX3eJeKR+nfp16ta5f91r8+nNuiBXpy11HzZpe4H8Bdq7wH0XqLdAPdKyQL0Ft80HHI56jd8Jb4n0"
    "UgpYov6S5hjPaSNHJKCNSz70krUmo7ieIrJLPbCWafuyQ3BtuY/IA2tzDXtZJXQsp5Y9OMvOGDXGKDFGiTFqjPFWY7RmzG3zqDWm"
    "CElolawrZPdzbT/1krEBtUbT2/vznBegFnnaYiewaDhyv0VmzqLNOaO0mErmsuggteiRD/grshNMyxUpYtMUdacovzbyllO0dYqe"
    "nELC++96JuGpKavNT5HmnpQv35eDkPsyBH2fOZ5Q/OTij23IU9h0/JFsrEI2CixCbWwa2aibK6pyCFLhlSs8siJtutEeN/yPNe5a"
    "2dGm9xFloFJAqu9pqD6a1LlinV4PXDlicCUN+2Va/bKN9OYe1ozb0Q3/Njm3ebfbCv7keahJD6kYs8qoWdbULH04G8/PwJltwuqc"
    "gbe7BNnNjEjAitjtvzII9Qpr8uRm6JM8/mQaOKkmy3nWWF7dmYbcWQ91J43UHe51JwsV5rDHfgraHgZeannb4Xh61ySwK0fgTFh0"
    "MfGSAyeEkTBD0HOhmBRB74cKqahas4oSbalZkSYypGdqEo7DCq1oRdV62XDogVq1PTrtZvMEJfLGONKDtWwiI7UujnFT4qWNHypz"
    "mmM6YoDir6FklAFMCR3hBuRMlU0MkWIPFDNAdEQNA2bT35gzpoZ+k0aPeWTnVpT5B+NjykSF+j6XHRSMRn5oFBIjKvffhNVvfzIp"
    "VmUS9iqzJbsqUumDmwT+/6BYNvsxFRQgwVn4wYfCMxgiYwUMJNEfuKFuKuMEmmdLwBzhHVVAFwfnCA0rw47UPE/78hm2WTPEbfJN"
    "htu0miUzH9DS4Iz5hgTf2wbPtIIPvyYIHsrbLvBQJuDuCd+Qbyl0Fxcc5oupRJfoIGZ/5GA6cm8yOwzjf2kSzgszhI/UIDNnfMTI"
    "uDw/hPTz0mS2bjsW9/xtHvQ2dZyH93LnXoaol/XVq4+XX90H86p1qA9ehYFtY807EWspchlir2/uEHv9IZ7YfP80/GYfdHMLHuwN"
    "/spWGFxBNbLhWxafE7qMT4qMMC9GVBuevoEO/Wc6CHndgtLjqOs4c/PxHcJsUZmNtLOL0NCa6vphnCnyiZcxHXj067BR9CGaNHQN"
    "bKqGxhKeYetrMSdatKLF7Vo8vZUjL4tK6y6jEOcUy8S4tdk4L+MHFKNmOBSsyl76q2sLcqyLAehzDNgmBu5zrNQHMgh5IPIM+9Az"
    "WQTr574UXqC3L9D6L5AXY0MdTvd2pLsF78r099kTpnvhTTt4TwZo5QDvMrCZ4DNAmvNRPiyj7rPlEyU4J1yEw7R3WMEatp4rAs/J"
    "vgKsfYLWU2V2HH2kG+rIyARzbYIyE6zACVbXBA3lqCdcOIR9vvzZMsoHatAHfLipcSBlb2X1bnW2dMHa4lzuhH1Zw79sY+7zhzBx"
    "dhsyhH02hT8qXcJ9ZI9BZweRy8r2vcje6Id9g5fsYXX3ZOF/pgb3xWNQL+bZ+ruR3tEJ2bEZe+bp/3necJ72zbO259medvIHYSd1"
    "q+RV+ZhWmSlV3rlKWdJSZayqbpvP9l/lE0FYXFcEuP6WnDoHOSUJKq/zLXBeFw9fl2vjUNeqqBzbj/SxuKVm0HWXpXDXw7gU6Jgc"
    "tOR5pzflBPw3RfBjfHEHHiqf7cgfJrLwfMb7IBvJQRp1MItfpApfsXGpcA1SYP8t/FTww57ydxz8uqR+rvHBPucDPqZzLKI5ltOc"
    "woLLFHBT8C6ykV/kw3qRN7vIZ/xiFz5OHaVpR0eRP9qB1j1B6d5fRtF17+8W3j4cKPy7r3QVVoktsMSwlViNpbiR/KFq/slqY8dT"
    "Zjf7dUfoGMV+PRhqM4W+2gx+IOykrunEO2JOMYUPIO7icamoZNRJWktSOnFR7Elqio2qPS8mc/5gJjKPC+e3seL78Wfr9S9byF3n"
    "4vUcfuUNcXWoAyoZGbIhC7/LHf4ZzzqcR2PdEVjr6Ip1Co9czU31AJH8QLLEaYCmTxK+JEgRuk0/Bj4l/2k8WYv3sNt7Pdkv3rsD"
    "VrKHldDbKf+OMnFnfBY+nxgVPzMJNtGnj58bMRHXd2GHKQSx5zKJPGNA+ttifmOTk0n84pqb3OUUmknjZ3LFvcqwys0gLiS78k1N"
    "/O4/biXkbWBg2IHxIz/4/S8VGsF3y0gHH1EoWB3GR8eDr2r86a3NlBg0C1iR8GN2i3+l/wPpmTO+"
)
