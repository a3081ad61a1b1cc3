import StrictJSON

/// The keys of the RFCs' appendices, as JSON objects that a test can change.
enum KeyExample {
    /// The second key of RFC 7517 §A.1.
    static let rsa: JSON.Object = [
        "kty": "RSA",
        "n": """
        0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjB\
        ZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8\
        KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_\
        xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
        """,
        "e": "AQAB",
        "alg": "RS256",
        "kid": "2011-04-29",
    ]

    /// The first key of RFC 7517 §A.1.
    static let p256: JSON.Object = [
        "kty": "EC",
        "crv": "P-256",
        "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
        "use": "enc",
        "kid": "1",
    ]

    /// RFC 7520 §3.1.
    static let p521: JSON.Object = [
        "kty": "EC",
        "kid": "bilbo.baggins@hobbiton.example",
        "use": "sig",
        "crv": "P-521",
        "x": "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
        "y": "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1",
    ]

    /// RFC 8037 §A.2.
    static let ed25519: JSON.Object = [
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ]

    /// RFC 7517 §A.3: a symmetric key.
    static let symmetric: JSON.Object = ["kty": "oct", "alg": "A128KW", "k": "GawgguFyGrWKav7AX4VKUg"]

    static func changed(_ key: JSON.Object, _ changes: JSON.Object) -> JSON {
        var key = key
        for (name, value) in changes { key[name] = value == .null ? nil : value }
        return .object(key)
    }
}
