import Cryptography

/// What an Android phone states about a key: the extension of its certificate (KeyDescription).
package struct KeyDescription: Equatable, Sendable {
    /// `1.3.6.1.4.1.11129.2.1.17`: the extension's name.
    package static let identifier = ObjectIdentifier("1.3.6.1.4.1.11129.2.1.17")

    /// Keymaster 2, 3, 4.0 and 4.1, and KeyMint 1 to 5.
    package static let versions: Set<Int> = [1, 2, 3, 4, 100, 200, 300, 400, 500]

    package let version: Int
    /// Where the statement was made.
    package let attestationLevel: SecurityLevel
    /// Where the key is kept.
    package let keyLevel: SecurityLevel
    package let challenge: [UInt8]
    /// What Android itself enforces, and states.
    package let software: AuthorizationList
    /// What secure hardware enforces, and states.
    package let hardware: AuthorizationList

    /// Reads the statement of the certificate's extension. It checks nothing of the certificate itself.
    package init(of certificate: Certificate) throws(Refusal) {
        guard let content = try certificate.value(of: Self.identifier) else { throw .keyDescriptionMissing }
        try self.init(parsing: content)
    }

    package init(parsing bytes: [UInt8]) throws(Refusal) {
        let (version, levels, challenge): (Int, (SecurityLevel, SecurityLevel), [UInt8])
        let (software, hardware): (DERReader, DERReader)
        do throws(DERError) {
            var outer = DERReader(bytes[...])
            var fields = try outer.enter(.sequence)
            try outer.finish()
            version = try fields.readInteger()
            let attestationLevel = try Self.level(&fields)
            // The version of Keymaster or KeyMint adds nothing to that of the attestation.
            _ = try fields.readInteger()
            levels = (attestationLevel, try Self.level(&fields))
            challenge = try fields.readOctets()
            // A unique id is there only for system apps.
            _ = try fields.readOctets()
            software = try fields.enter(.sequence)
            hardware = try fields.enter(.sequence)
            try fields.finish()
        } catch {
            throw .malformedKeyDescription
        }
        guard Self.versions.contains(version) else { throw .unsupportedVersion }
        self.version = version
        (self.attestationLevel, self.keyLevel) = levels
        self.challenge = challenge
        self.software = try AuthorizationList(software)
        self.hardware = try AuthorizationList(hardware)
    }

    private static func level(_ fields: inout DERReader) throws(DERError) -> SecurityLevel {
        guard let level = SecurityLevel(rawValue: try fields.readEnumerated()) else { throw .badNumber }
        return level
    }
}
