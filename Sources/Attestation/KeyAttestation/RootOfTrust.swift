/// What an Android phone has booted, as its secure hardware states it.
package struct RootOfTrust: Equatable, Sendable {
    package enum VerifiedBootState: Int, Sendable {
        /// The phone runs what its maker signed.
        case verified = 0
        /// The phone runs what its owner signed.
        case selfSigned = 1
        case unverified = 2
        case failed = 3
    }

    package let isLocked: Bool
    package let bootState: VerifiedBootState

    /// RootOfTrust ::= SEQUENCE { verifiedBootKey, deviceLocked, verifiedBootState, verifiedBootHash OPTIONAL }
    init(_ reader: inout DERReader) throws(DERError) {
        var fields = try reader.enter(.sequence)
        _ = try fields.readOctets()
        self.isLocked = try fields.readBoolean()
        guard let state = VerifiedBootState(rawValue: try fields.readEnumerated()) else { throw .badNumber }
        self.bootState = state
        // The hash came with version 3.
        if !fields.isAtEnd { _ = try fields.readOctets() }
        try fields.finish()
    }
}
