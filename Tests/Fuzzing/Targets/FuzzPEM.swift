/// Private keys of the provider and of the client, made for the fuzz targets. They protect nothing.
enum FuzzPEM {
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIIhclCYEAwzUKfy4YcOOFjc8V/fexJJmHwUuyYuBkL18
        -----END PRIVATE KEY-----
        """

    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg87Oz4XbfuWA/GaPe
        sFEEMZF3X4+QzPNDhRWxC2QwDeKhRANCAASXaWTbp1hOMySBQy2n2ZBnoPqqXApO
        bGsqBsCKVc59cbN/1Tpo6sEZR12Ycsj+mnYxx99nOnJuKbvD1RHg/BAD
        -----END PRIVATE KEY-----
        """

    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCAsyAQNwhXtVGz
        gQ5ww3663h643FrISDrMDaetfpXAukmb/6HES/W4Ro2oFaVBbJke4by0cGfWXevQ
        FBAI5fRrv3L+YDygLa+vdOFoQaXPq6rup0R0Agp8+VeWkuyX0md22yPTufCdVq2F
        DAQleJWzHtjBBV6qwUJcqg2OIzST7RcHrzcjuH4Rg6n7cei9gluPQnvfmdnhHF2W
        rugBqFkNVcB3oni5qFty+nm0auGj5kbdN0zkCu9mqTzpL+Wo/TCQN6jajypPPZO/
        MUXw8/Y7rMbfkfHmDm73CR9u3s6xKy2w+gKu6/dQQPbAisv3EuiaXB7PrXuMO/W2
        eCwdnP2pAgMBAAECggEAAqmyJCO/XHE3+4rUDak92gf2gsSsbDByZv5xVbmkx5QT
        KdMkObeIogNzsuKfxLbGhEkPanxY6aqP0oJXwpdfc0tGydSb7ISFeg/lCg8xqxZW
        NxHm7K+OH//YvBjWJF4KHf9ywlK6k8bTWEljXJMeJdKhkXzW9JmDEf/CwAoicF0T
        9gBQ6h4iuMgdl+h0Ah6mFy93R4lD/L0tvEE6cyFXY7YuwYFKiTJFdICLv+Qyk2cE
        lQrG3dXkIbjc096RBZbE3dbZb5/csBbERakveEAqrwmKDMfc4Ynfobpic830MDtZ
        lumIxI37DsOm4rrnQ4QTDslm/qjnLaTmHWE0yHi08QKBgQC1iba9vXacZDicFLNX
        F9jP3lMyKsBdtrxvb5YKp1/XrIFH8kSZMJ8HSLp5qVWvDWwdmTEA9sxqOHCQAXMQ
        K/v8QQUwk7inEu6TiglrLXqxv6zfh2NVyV+WYjirudfGUaH7JQxfHOxYNoZsynC1
        /IXgKc5sd41TXD4nlJEksnzHdwKBgQC1fSnDs3aVnCTZCRhy9HPjsugGr3XkwS/j
        T1D9wcem8AOUhVuZlztsj9Gy7ybbEIM53jLeUAcFoZLQQnizegYG4oHmEDif8OU1
        vlHuIG1i11UIIjRWX19VQh70bTXappu7jx1GSn6P20s39ED6VgzstrJc/8p6BO6/
        Wqr2fPfr3wKBgGyfgFa7/TLKzQynXj/opvSKRSGpbv0kEFBlZlPtnm2AbMLN9bnr
        29wR6nJNnlVmJKD5Ptci1WFhcAjatSyiBN8FUMOmQEDIFTT2zXfx+I5O8HO3oPp9
        ydJD50DprHCf+9o4atSmi8yko36JCzP5a2mb2kYQquGMOiyYuthIbF01AoGASy4J
        +vOAkAEakn1eD2CMESqvSvWsFJKiT7svha6cEd8i3IdRppIrH5GEAGdo5R41/ea5
        k7X68q43ruWaMl692GREAxV9H2QezuCD9+ye427n3nKs04q2Zw7426/Ruz2BDXT/
        X3rEarsgsZEQyaKTwAr+X9/l9B3O+J2KbIjf+mkCgYAuUYhl9jvg6Y2aKIok6Ppi
        EGZjjMH0/Oj+lHfMEVY0WFsQqtNajfYUWnKwsgemKPLhGYars0Wqogf9wobkw567
        P9SJ11K8I8OCHoh4060tQT+Lh4u8WxelhVYkS+b35CX5VDNQ16uO5NsQAzRLcYB7
        fCm96u3hOi59Unl3OkDj4A==
        -----END PRIVATE KEY-----
        """

    /// Our key, to which others encrypt.
    static let encryption = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglDeCdZgppE2m+D0z
        D7gDOOWJioNvV5AxRc1qIFkIuU2hRANCAASrwteQT8XJut3RcTgF36LJ+LOnxj5X
        oLI7cOkc1oM3U9PDBpkgKUqLXLEd6LLmstZVqnbS+h7oOV40qzLuZRXx
        -----END PRIVATE KEY-----
        """
}
