import Base
import JOSE
import KeyFiles

/// The keys in files, and those that rotate themselves.
package final class KeySettings: SettingGroup {
    package let signing = SettingItems("keys.signing") { item in
        KeyFileSettings(
            item,
            file:
                "A private key in PEM that signs what the server sends to brokers; `switchback keys generate signing` makes one. The first active key that fits signs, and /client/jwks.json publishes all public keys for brokers.",
            algorithm:
                "The only algorithm to use with the key. Without it the key is used with every algorithm that fits.",
            keyID: KeyFileSettings.keyID)
    }
    package let assertion = SettingItems("keys.assertion") { item in
        KeyFileSettings(
            item,
            file:
                "A private key in PEM that signs the assertions for apps, and nothing else. The active key signs, and /.well-known/jwks.json publishes all public keys.",
            algorithm: KeyFileSettings.usualAlgorithm, keyID: KeyFileSettings.keyID)
    }
    package let decryption = SettingItems("keys.decryption") { item in
        KeyFileSettings(
            item,
            file:
                "An RSA or EC private key in PEM that decrypts what brokers encrypt for this server. All keys decrypt, and /client/jwks.json publishes the public keys of the active ones.",
            keyID: KeyFileSettings.keyID)
    }
    package let access = SettingItems("keys.access") { item in
        KeyFileSettings(
            item,
            file:
                "A private key in PEM that signs the access tokens for apps, and nothing else. The active key signs, and /.well-known/access-jwks.json publishes all public keys.",
            algorithm: KeyFileSettings.usualAlgorithm, keyID: KeyFileSettings.keyID)
    }
    package let session = SettingItems("keys.session") { item in
        KeyFileSettings(
            item,
            file:
                "A key file made by `switchback keys generate session` or `keys rotate session`. The active key encrypts the sessions in the store; all of them decrypt them, and `keys status` counts the sessions that still need each."
        )
    }
    package let audit = SettingItems("keys.audit") { item in
        KeyFileSettings(
            item,
            file:
                "A private key in PEM that signs the audit with ES256, and nothing else; `switchback keys generate audit` makes one. The active key signs. An auditor needs the public keys of all.",
            keyID: "The key's name in signatures. Without it the name is the key's thumbprint (RFC 7638).")
    }
    package let person = Setting<String?>(
        "keys.person", optional: .file,
        "A key file made by `switchback keys generate person`. It names users whose account comes from a national number (namespaces.*.keyed, or subject_claim of kind digid), so that nobody who has a sub finds the number by trying all of them. It never rotates: with another key these users have other accounts."
    )
    package let automatic = Setting<[KeyUse]>(
        "keys.automatic", .choices(), default: [], atStart: true,
        "The keys that the servers make and rotate by themselves, in the store: some of assertion, access and signing. The key in the file signs until the first automatic one is active, and whenever none can be used. Without it every key is a file, and an operator rotates it. Name signing only if every broker that verifies with it reads /client/jwks.json."
    )
    package let rotateEvery = Setting<Duration>(
        "keys.rotate_every", .seconds(300...31_536_000), default: .seconds(30 * 86_400),
        "Seconds for which an automatic key signs; 2592000 is 30 days.")
    package let publishFor = Setting<Duration>(
        "keys.publish_for", .seconds(60...604_800), default: .seconds(86_400),
        "Seconds for which an automatic key is published before it signs, at most a third of keys.rotate_every; 86400 is a day. Nobody may keep a key set for so long without reading it again."
    )
    package let trustedSince = Setting<Timestamp?>(
        "keys.trusted_since", optional: .time,
        "Automatic keys that were made before this time neither sign nor verify. Set it to the present time if somebody may have a copy of one, or when you replace the server key at once."
    )

    package static let declared = KeySettings()
}

/// The settings of a key in a file. Those that a list of keys does not have are nil.
package final class KeyFileSettings: SettingDeclarations {
    package let file: Setting<String>
    package let algorithm: Setting<SignatureAlgorithm?>?
    package let keyID: Setting<String?>?

    fileprivate init(_ place: String, file: String, algorithm: String? = nil, keyID: String? = nil) {
        self.file = Setting("\(place).file", required: .file, file)
        self.algorithm = algorithm.map { Setting("\(place).algorithm", optional: .choice, $0) }
        self.keyID = keyID.map { Setting("\(place).kid", optional: .plain(.word), $0) }
    }

    fileprivate static let usualAlgorithm =
        "The algorithm to use with the key. Without it the server uses the usual one for the key."
    fileprivate static let keyID =
        "The key's name in tokens and key sets. Without it the name is the key's thumbprint (RFC 7638)."
}

extension SettingReader<KeySettings> {
    /// The keys in files of every list.
    var files: [SettingReader<KeyFileSettings>] {
        self.signing + self.assertion + self.decryption + self.access + self.session + self.audit
    }
}
