/// The RFCs' private keys for decryption, as PKCS #8. They are published, so they protect nothing.
enum EncryptionKeyExample {
    /// RFC 7516 A.1.
    static let rfc7516A1 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQChqFQihbDQrS6w
        o245HofjCR/igFRcdPFG+BvjwT4FW/GR4M2NsLiF7ytRZwmhmZ2zaHszvSKYRWFF
        Tl2Mg1e2qWVcjgMWpwjUOCNP0t7A0PwxbYqt/dKmyT9mSgWeKVqQbKBPClne56wf
        48UAE0hRik6I3Xl2xBGSCvS8SHE33aLZqxs56dJl7JrHOIrvZTDGusqgTG/qRzm3
        BdOriH5AKEs6WfT+a1RnB+xFoxK0+zqZLpeuDGfFtaGiN/rre24RC54YL4UIx+tr
        foL2ScMUbMqw1rstkrZ2NiDIPclH8wH/g1Qlb9Oo5C3AdhvF6+gkCub4vlK2jCPM
        bL79urobAgMBAAECggEBAJC3bSI+hmw5LPwKQkk2ELXpXDbbZSojsj8zK1x3iPsp
        NRe/pKQ8WOPlmOTVleSp7WhHl0tY/NhN++ccYVjB18r42HnD0/X6cEfzPYFfJ/R6
        4dmp06Uw/dw7etsqVt8g7CcwZ0562LtYsFkYASqxGGOOqgGSKwNsQMJ5tl+7hkdY
        YIZKg6dFao95G0gs9V8nwrOvy3oQcLcRyMofEYqcuNKduJqDgG4MVcN68U/75bd1
        FXuFjtyZCTs5aVH/ik1SNj7YJvnQEcUxLRPonfuDia9IfivlRbN1Up3VUyM50sX8
        q4/CCy+jBv1L/GALu1SC0gd5TltPOfuKhNw84K044MkCgYEA1r52Xk46c+LsfB5P
        442p7atdPUrxQSy4mti/tZI3Mgf2EuFVbUoDBvaRQ+SWxkbkmoEzL7JXroSBjSrK
        3YIQgYdMgyAEPTPjXv/hI2/1eTSPVZfzL0lffNn03IXqWF5MDFuoUYE0hzb2vhrl
        N/rKrbfDIwUbTrjjgieRbwC6Cl0CgYEAwLb35x7hmQWZsWJmB/vle87ihgZ19S8l
        BEROLIsZG4ayZVe9Hi9gDVCOBmUDdaDYVTSNx/8Fyw1YYa9XGrGnDew00J28cRUo
        eBB/jKI1oma0Orv1T9aXIWxKwd4gvxFImOWr3QRL9KEBRzk2RatUBnmDZJTIAfwT
        s0g68UZHvtcCgYBkr5jATt2JSHSpHW1HvDxYe2iUPHcxn85OjCIW+B95DdKKt6xe
        Ob2BnkouExe+j67P4pQlYPFLmkVD8zR692jV0qJFONXD/Hg3KrJc8zmdQs+RylTz
        buuelnMAkql2FYCCqtcYoAQJAfRe3i1rOeOd3/NWkCZlmrrRY8wEx8py4QKBgA6t
        IH4CdQ3RRl4i70BGZ7ihDdFFJrCQcZI8nXN4+GWHQYjEQMvOsdLxwo8sHDJWGIOM
        qAuGGWvYTVXLI6gNxXoi9fa5PIOkJ9vU7dHI/Kqshac/bzQwVHwgIiVXhEjoyQ2T
        2B3R2PL9W/qPmdl+bby8fkwnpH+6Mcnig1Kilo4rAoGAVIMpMYbPf47dT1w/zDUX
        fPimsSegnMOA1zTaX7aGk/8urY6R8+ZW1FxU7AlWAyLWybqq6t16VFd7hQd0y6fl
        UK4SlOydB61gwanOsXGOAOv82cHq0E3eL4HrtZkUuKvnPrMnsUUFlfUdybVzxyjz
        9JF/XyaY14ardLSjf4L/FNY=
        -----END PRIVATE KEY-----
        """

    /// RFC 7520 §5.2 and §6.
    static let samwise = """
        -----BEGIN PRIVATE KEY-----
        MIIJQwIBADANBgkqhkiG9w0BAQEFAASCCS0wggkpAgEAAoICAQDBt3EjnlVpqdlc
        9jb0uDmF2a/ZeG+oCGjFSRqd/N/b7nNVTFrqmsdGsjik/UCGiolGVl9i1ZZ3maYd
        EbakAciWHTJIn3CLQGKhkGXVc/Z74L4XJckZxPLQd0pBaWt+FObjYRbtW/TiviB9
        qjq7GMsbB+katktquiGJYI+eQ2uDvVLYK41lJAEg8aNd+SYjLa2X9VaAacvbYamX
        JePliUEt3Fendd5K2yqjnvW601+hRNTwTip3MndTUMi2hWQ8awzCWaacmLADuxdE
        i0EKK9Hgzmqdm13D7u/ha5Hjvv25sO4nmdqUy/ZLrr5E9ycUDNZIrG0EOcUkkMYh
        R7tPOLOODWeazRer/I+5v9Q6VafR5zzkUJ+3WEAKlYbyxyGs4F42ocE4MWyRilRz
        YsLkkDZNo8XZ0Drt2DVNOwL8W6l9DaQ0ZwTUuCmvEodxVZhBvzoH4ejOMdlyq1q4
        HMU1Xm1tO4H5OmRy8l81wUuUfdvyZv4f+jHfkWOoFICMsrKh6p8pOlWO9eF3T2Sf
        CAl/pUqrpQLjXz9M6WMxV8VNZdTGWd+E46fNbodJLMPVz1asK5XOxQy/nizOJ1D3
        B/VxhZ/eDmoUPENAqKz32BwNqIIDAzfIQEjO4154Jrl1qu0cNvXEQH8dwdJ5huCF
        syMZ9qy8qfRplGydPILTGFYGWyiVkQIDAQABAoICAQCft/Mlzf9Ybn1UQ4FORrLO
        5IwzvzQ4lC5mM38psfyU5kbblmgDtPgHFxzTFCfmhkTm5IIjCD3WgK3Qm/E9ymar
        NolmDWeKuNxZn6gG1WTuAIBar4HeqF8XeLOVuSiyvOMdqMhxjfccGGzLj9Z6uteD
        gwM0TgdiiPLrxNzFPYthBHFQ4J/lO0le8zyiV7GVIa1WdCcNG63ERQLCJ7B+aat+
        94SiAvH0QD4oyACNOIhJfGohdCFZRBfUbu/+ZX8evZi4iZhw1weRG+n0TuiiTTzv
        oOGQ7y/hQ5kvADU6VRf3yaSirBznwD9jaUFhtXHX+zmWk+wSptsf6eoiOHV8vSB0
        1+KEvGdyVa1bukLO0uciZkDJ4JYAbtkh+/5Gf18si/2Nnqvuv4xIf2ypu7OIc3aC
        saMP+N9GW4wdrSXzh8UqXptyo3UlbE9WHM1mjTXIMX7UuJCepRhJ6k9/pfdrZI52
        SoFGKq4ToS8u5JggOkmreMMiyCgvwyjUuiiaCInFTAv8ZYQ4a7byCmXLOb71DRTS
        fKER/W6FJHxokBBYCIUiZYflb8hBP0jv7KuKd2v/Z9ZD+LVSAywbMDto4bNl8+WN
        HLrP61j8q4EbTT7bxL9pa+PJRz4CWnwBTIqMFn7sJYffZ8ZYrjyPW37OiavCMv+a
        eGw9sazRz1axaBHMj4ryAQKCAQEA7/2v3OQZzlPFcHyYfLABQ3XP85Es4hCdwCkb
        DeltaUXgVy9l9etKghvM4hRkOvbb01kYVuLFmxIkCDtpi+zLCYAdXKrAK3PtSbtz
        ld/XZ9nlsYa/QZWpXB/IrtFjVfdKUdMz94pHUhFGFj7nr6NNxfpiHSHWFE1zD/AC
        3mY46J961Y2LRnreVwAGNw53p07Db8yD/92pDa97vqcZOdgtybH9q6uma+RFNhO1
        AoiJhYZj69hjmMRXx+x56HO9cnXNbmzNSCFCKnQmn4GQLmRj9sfbZRqL94bbtE4/
        e0Zrpo8RNo8vxRLqQNwIy85fc6BRgBJomt8QdQvIgPgWCv5HoQKCAQEAzqOHk1P6
        WN/rHuM7ZF1cXH0x6RuOHq67WuHiSknqQeefGBA9PWs6ZyKQCO+O6mKXtcgE8/Q/
        hA2kMRcKOcvHil1hqMCNSXlflM7WPRPZu2qCDcqssd/uMbP+DqYthH/EzwL9KnYo
        H7JQFxxmcv5An8oXUtTwk4knKjkIYGRuUwfQTus0w1NfjFAyxOOiAQ37ussIcE6C
        6ZSsM3n41UlbJ7TCqewzVJaPJN5cxjySPZPD3Vp01a9YgAD6a3IIaKJdIxJS1Imn
        fPevSJQBE79+EXe2kSwVgOzvt+gsmM29QQ8veHy4uAqca5dZzMs7hkkHtw1z0jHV
        90epQJJlXXnH8QKCAQEA19oDkBh1AXelMIxQFm2zZTqUhAzCIr4xNIGEPNoDt1jK
        83/FJA+xnx5kA7+1erdHdms/Ef67HsONNv5A60JaR7w8LHnDiBGnjdaUmmuO8XAx
        QJ/ia5mxjxNjS6E2yD44USo2JmHvzeeNczq25elqbTPLhUpGo1IZuG72FZQ5gTjX
        oTXC2+xtCDEUZfaUNh4IeAipfLugbpe0JAFlFfrTDAMUFpC3iXjxqzbEanflwPvj
        6V9iDSgjj8SozSM0dLtxvu0LIeIQAeEgT/yXcrKGmpKdSO08kLBx8VUjkbv/3Pn2
        0Gyu2YEuwpFlM/H1NikuxJNKFGmnAq9LcnwwT0jvoQKCAQBLqnn0quWbMbNpBhAz
        ejRd8cIa9+octiMI7nnsdhB/vY72QswJ93/VUESp4P7WOPAQsoONyTyQ4GXlS+iE
        rWgN9I/UOV4DL5yeYvb0OpaaGDAzWKnQII2aSayYNKWqRRcOLqwBpm6e3K6TJ+Uj
        6pJDcL8Fp8/IVoqu3V+B3ITBhrTykRIrDBaKzLsqeahS9ondJoeaiEVLvxMnblx9
        zXTBn2FA06sgKFmWSI50UK3EOp2YKo1pyeGATdtlCManefzc4NLP3PAlxJS84OVc
        E9zYDJwfoKLnKNvG3g+mjH/mmObrGdCSI+CPTUamxSywyYE3uIdWysTs3aLOcE0J
        45QhAoIBABWYQpQTMsFVY57lLnftOaneQmFNHSu/WpAIMvaF+kV+iNyCCD3JAnIk
        a6JMYJWZ/qJgGOQpwnuCna54xTk+WFGROxvz4OOF4Al2mqy0H+IZfNKDxH+voyeS
        MusD0cextnvKi8Z4fXDnX/pEaoDktxePFHL8N5muVeihjMEKlhXld9V7WfJeXFSP
        iNzcwUu6pbaVFYM9ibtNtXsnOyJaoM0ffKijjZduw7hBEtGitFhPe457Mjtu2KfP
        FmtkYgaxKHDPPUGSNbHiYhg4sx0VD+FGccPc7F8MOOsMtD+n/YK52Ke7fC5Mgw5P
        HqCOCl+kjTDVXMlUvSFo5avBM6mRCiA=
        -----END PRIVATE KEY-----
        """

    /// RFC 7520 §5.4.
    static let peregrin = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCJPHamTvBb4aomQdwS
        QVBvYQXJhw7tG6CZpbeZGtBUA5SI+iaZPQh2dgrbEOVmH6OhZANiAARhTitFTN2Z
        WqZG1Y6zY6kMT9Pl+w0ih1wbwbkVY+tM8zLGnOxI4ZpAul7YWnEGa7YDz7LEIfGR
        8HPeEpl8jWNRgyNSGwS95n1Me7AWMfawI122SxElTsPn5KSBoUvURM8=
        -----END PRIVATE KEY-----
        """

    /// RFC 7520 §5.5.
    static let meriadoc = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgr/kHyZ+a06rmxM3y
        ESK84r1otSg+aQcVStkRhA+iCM+hRANCAARl7aWhJXfCuugpQ3/jOHAaEKqjdeG7
        W13hCN5DnAhVHR5S7XVwEWP3+eQN3580Gz3JuoYK9+DKfKfp7s0AhNGc
        -----END PRIVATE KEY-----
        """

    /// RFC 7520 §3.2.
    static let bilbo = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIACFE43av1ypdfWGD5
        GgjpHW1fmnatQBh2akdmgLVc0znoq2xytfrNsqKlCsJb0IZkfdPi5umehMosNgn9
        8Xf+sm2hgYkDgYYABABymSyzrAjs8+XGPe3sDVGowfee8vgvlPPHN79d55hmcerG
        Jf6CV7vQOUZEyqo6r48npFhfu8rQ8kV2IAheXI9CrQHcppR7zoi8V5BIWsl0JzQr
        w1+IfYbWWgiTd+JH5guqVeToUB4q2lckrFHWkJAIAz68EKyZm51/XMJRnz/h6h2U
        dQ==
        -----END PRIVATE KEY-----
        """

    /// The ephemeral key of RFC 7518 §C.
    static let alice = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0/NxaRPUMQoAJt50
        Gz8YiTr8gRTwyEaCumd+MToTmIqhRANCAASAjQYAgsF27tPndqSsWYzIZywXefl0
        7sybA0EcpblJXUi1v8Un385T1qxxFSN9AxzP+HoFcLdzUKnlA+5zBaab
        -----END PRIVATE KEY-----
        """

    /// RFC 7518 §C.
    static let bob = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVEmDZpDXXK8p8N0C
        ndsxs924q6nS1RXFASRl6BfUqdyhRANCAATB40nLYexwJIzoAQNMODThuI6+EWHL
        Ja84dB94X8/ExHvJZwjvgJUrU/jSVV/nK4Qe0EWIYosdN4pZSTlQDsnJ
        -----END PRIVATE KEY-----
        """
}
