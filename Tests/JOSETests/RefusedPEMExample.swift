/// Files that we do not accept as private keys. They were made for this file, so they protect nothing.
enum RefusedPEMExample {
    /// Encrypted, PKCS #8.
    static let encryptedPKCS8 = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgJ7PsU66BybAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENGX1UtRFWVQlv3lJLIa0cIEQCVd
        xt6HrbUv3x44GNE79bnfPKqFoCkuU8h7uMQDFcgcjp+qzzH4j4MBzZNAZvPgdxVz
        v/fD10cffIn1d7JDEBw=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// Encrypted in the old format.
    static let encryptedSEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,40DB0D3841861E3206FF2E50C4D4CFF3

        aXY+DINECXR0scbxkAcu8CuuUb121HaCmWejpKsNFO3WzsAhWDQrvRVQp+g5CPD9
        2gRghL5xni60oM/MOTDuMh9suEnA64tG0afOcBWsX3AKPC458B9d8z+0q5GeZ+kF
        S6jNW9gDX/sAPrdwR2fFdmd8XUKoVdjP6HtabpiPMVM=
        -----END EC PRIVATE KEY-----
        """

    /// Too short.
    static let rsa1024 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICWwIBAAKBgQC2oHjWnAcQVR+wNaMnIsgOaVg4FO3PGRX2sEQFIHdW03IQ0EaW
        N4UUhZnFMy10vpxr5+FYACHv9xm6+7glpkOXUUuyeI5S1Jr0Wz8XNtuGgAkKOJfL
        /vFxALfzCgARvaBlvEqdCOiu7zD/0sXxgGAI+W2vIRjFrkM2/uVHewjQiQIDAQAB
        AoGAWiRDAMrqwakChxsyeLK2REbDAIt0BfC/4o+GQ3GO9hBQEPR8otCso0B+cdOc
        8C7VTn2ZwLHwDl3NGXn9nre+TC+emZmYzbMkuqDIbBpm3BczNbOtgUvAJp0xWzpl
        ZCmyYrMzEJqweUKv4yIsa8DtoHjh+jp4bCSRTVZJG1m7QHECQQDuddxeUyOa1MNf
        Vvqh2Z8vrJGPiQuoHryrRdwMC/031P3y0RHZSS/bx8aKMIRh6KPkaXJKGr7QEho3
        sQArohKrAkEAxA9IKBPPb5HZsnkOaNsbBemV4y8QaxJAHWpMlk7A7VIAo9qR8kwd
        lTDEZOtLA91Yz7wBm75QlhmsDig0a76JmwJABDiB1gmSr8LkUmOvu/2mG6nqSagb
        VLZ2kHGEG5J6wOo8NHgO4NGyzykSEpAZR8JeZESZiUY/6l7np+SyJBOSUQJAB1pz
        YF1t2EdmHNWBftlI6C3cm0q2mO10TiYgfTqy7bO3pm2aL7Y/HctYcliI1bpFjHUG
        smqu5xJLa7SCUtAwpQJAaLlSCGRLQvwxdS+dUbhCN2A6oq/T+YRG4b7p3uIhYpoD
        9AgjEfn9dMW97Uj1r1h0os7YAE1slLTwlqF5P4jYkQ==
        -----END RSA PRIVATE KEY-----
        """

    /// Bitcoin's curve.
    static let secp256k1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHQCAQEEIIqoPvqmspRJjvESAc4T3wvTBljB0buMa1+yiDmTXb28oAcGBSuBBAAK
        oUQDQgAEeDDSqQoZlmnfyacsqI2A7oYXRJv/jqb214bJFs/0ygGfCJp/kcJSXL6r
        K9hP+s6P5oZ06I8Wq1Iwy0JFtTNq4g==
        -----END EC PRIVATE KEY-----
        """

    /// A curve without a JOSE algorithm.
    static let secp224r1 = """
        -----BEGIN EC PRIVATE KEY-----
        MGgCAQEEHPvZ2mQmZFhZcTvke1yLJc/AMZSpfcDPE3Gm9uqgBwYFK4EEACGhPAM6
        AARP3Xuk8V6YZ5vxwYVBmCxhoO4kFZfsw4NlrJt9YuvZCZS5Jhn+bC6fRVQlZufE
        pYolTCZFdZyK6A==
        -----END EC PRIVATE KEY-----
        """

    /// A key that cannot sign.
    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEILiW8iF4z6DscT4dg+CkI3FmkJuVWRs+0OUohqIiLnlD
        -----END PRIVATE KEY-----
        """

    /// A key whose type binds it to PSS, which JOSE does not have.
    static let rsaPSS = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADALBgkqhkiG9w0BAQoEggSoMIIEpAIBAAKCAQEArHJgCbsRXaI3vH2L
        t93b0pQZtkV2PM/vEkAXVHIpDUbX9yvO6XqKQLXuL+pHXJVLB0q23rcIIEOYrTb1
        ZFhdl4qEYBT7o3IeC6yOdLzHcN8tLfblbl1ft6a2fS0uXC93Xx3l/OOCp5CNvycn
        QxGCUExvaANBaX/h9iwdl6CB0+UlD2ekvpBGRT8vMZXzhhMbyEcpiXSZxwwtguLe
        OsTomyHU1TZBTCi8kmiVSnj7ccJqJg6rxKab3s+Z2KFTA/jxPH+QPkNJHQGbUZG1
        WzOkY2RWq6O6R74ytzeKHapEikoOwyRlg8kXPrEYnCyhhDCrh6ZVJufk4bFL7xF5
        /GwUtwIDAQABAoIBADCFXhBe2lwGMLiQeqeZfSibE0D9+m7R8uqnrejM1lAuBsY9
        RVLcb9oVVpeUy895EktS8nFn/plVa7gRJqq9Ulg5WVXPkZ5DlcCjJNIj69oOcZ/l
        QFj1XOFHv0EpXUoC8QuKVhP5z+FmAvwuABYW7xu45f/WKqmMmf+yGgF34A/Gisk2
        dqv8vfVxofoHl3e/wcpa6H2/y5EPwF0uRBbZHp8hDOGYZA/Feee5vRcE7wI1l3ty
        2Ou3ahTPZN6KBfB1F1hGzibbZDzyc2Od5Bq8YAUZWyOmZ4MoRSEQASfgVM0gmJn4
        tZIBZdEcA0NgSkZaL+1Sdc/MHZaCPxM2vLMX8EECgYEA671iofMQj1ZlT7zMtZTI
        wz2gSMOtiw92VxBtSZVLCAb0eAIRUu3SDlCgVHXtA6xB70TjRe2sZ01WYuYqkkcv
        oQSCeC/mb/qmsOHzhYoyeAWFtzbVGUcx3iOSDwmAfBv29Ho04QjcvZXRUAcDJZ0q
        UZ0OYhPeF5D+mLnESv9Nq5sCgYEAu0Rz2nHvTkgKTem2rHWTvLDnQUbwk6XE6JfL
        owN5W2kzTefW/1vftYPQZ7EW71e1Nh3/6VuxYO9NGW7epUU9mVWrClEXDsXbogzB
        EHzsXcTqubVsoKWzpIYGhNqcqwjZaMVO0NqQDzZ0NsP7NBBHPGFl0Q7KiE8Izq0O
        xHQ5kxUCgYEAqlwdqE2gnQVhh6M4CM0x3K5vY8ZNZt5QthB/+hoys+VazFMqM9T7
        5S5s/zyNgQb+SyxsVf+xhKHGGQieoUFicSlyI+rxy+DGj7NqKgo5+LR88m9kxrTF
        m/P2vHkwagBHkluyVSHza+qV7hBzPL58c6hdWZFkAYHeC37MFSq09ZsCgYEAs0Zw
        8qsoQXTOCJC5hJh6+qUQfnl/TpnfzBulo0VsJIqtxuMv+/7kR00NcnciUbdRj6Fg
        oPJa+UWeNb7h/q4urmBJAfNnc4kPHi+/lB1D2vDtFSQN/i0jsVltXDo8ybALEjXx
        ohfa2fVzhApSriD3UWKcqmrSkXO4JsOd44ywoZECgYBQapXa7+SA+ukq0FEyLH4X
        ehMXN24PdihDMe5voIKlHYdYwHSdaE62ntO+ZsfU9/lAHAM0w5Mdy3GsN6fIto1M
        DC/spbRPkNrQH90IWoMcSctk+APTDc3fjWvVZtLi6u+XLw6UeH+9OzbYjmTxCoXv
        1rXuueY0MKPUK8ulocKZ3w==
        -----END PRIVATE KEY-----
        """

    /// Not a private key.
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
        -----END PUBLIC KEY-----
        """

    /// The private number of one key and the point of another.
    static let mismatch = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEG0lBafkUldosclkWS82E/cU5uw0TeNrT8hI1eLrVDiZ9Zws/kgTN
        NEFDz0MSGaWQRUHUdY5sGh4BAyx4Pa04+Q==
        -----END EC PRIVATE KEY-----
        """
}
