import Base
import JOSE

/// Makes the keys that `switchback keys generate` writes.
package enum KeyGenerator {
    package enum Kind: String, CaseIterable, Sendable {
        case server
        case session
        case person
        case es256
        case es384
        case es512
        case rs256
        case ed25519

        /// Whether the key is a key pair, and not a secret of our own.
        package var isKeyPair: Bool { ![.server, .session, .person].contains(self) }
    }

    package static let rsaSizes = [2048, 3072, 4096]

    /// Returns the contents of a key file.
    package static func file(
        _ kind: Kind, rsaBits: Int = 3072, times: KeyTimes = KeyTimes()
    ) throws(FileError) -> [UInt8] {
        Array(times.lines.utf8) + (try self.key(kind, rsaBits: rsaBits))
    }

    private static func key(_ kind: Kind, rsaBits: Int) throws(FileError) -> [UInt8] {
        switch kind {
        case .server: ServerKeyFile.generate().exposed
        case .session: SessionKeyFile.generate().exposed
        case .person: PersonKeyFile.generate().exposed
        case .es256: try Self.pem(.p256)
        case .es384: try Self.pem(.p384)
        case .es512: try Self.pem(.p521)
        case .rs256: try Self.pem(.rsa(bits: rsaBits))
        case .ed25519: try Self.pem(.ed25519)
        }
    }

    /// Makes a key and writes it to a new file that only its owner can read.
    package static func write(_ kind: Kind, rsaBits: Int, to path: String) throws(FileError) {
        try SystemFile.create(path, try Self.file(kind, rsaBits: rsaBits))
    }

    /// Returns an unguessable word, such as a client secret of the sandbox.
    package static func word() -> String {
        Base64URL.encode(RandomBytes.make(24))
    }

    private static func pem(_ kind: PrivateKey.Kind) throws(FileError) -> [UInt8] {
        do throws(OperatorError) {
            return try PrivateKey.generate(kind).pem.exposed
        } catch {
            throw FileError("could not make a key: \(error)")
        }
    }
}

extension KeyGenerator {
    /// Tells the operator what to do with the first key of a list.
    package static func advice(_ use: KeyUse, file: String) -> String {
        let list = use == .server ? "  server_keys: [\(file)]" : "  keys:\n    \(use.rawValue):\n      - file: \(file)"
        return """
            Wrote \(file). Name it in the configuration:
            \(list)
            To change it later, use `switchback keys rotate \(use.rawValue)`.

            """
    }

    /// Tells the operator what to do with the key that names people.
    package static func personAdvice(file: String) -> String {
        """
        Wrote \(file). Name it in the configuration:
          keys:
            person: \(file)
        It never changes. Keep a copy in a safe place: without this key the users whose accounts come from a national \
        number have other accounts.

        """
    }
}
