/// How an Android phone got the key that signs its attestations.
enum ProvisioningMethod: Sendable {
    /// A factory put the key into the phone. The same key is in thousands of phones and stays for their life, so expiry
    /// does not count.
    case factory
    /// The phone fetches a new key every few weeks, so expiry counts.
    case remote

    /// Google's root issues factory certificates with a serialNumber in their names, and others without.
    init(_ path: CertificatePath) { self = path.topmost.subjectHasSerialNumber ? .factory : .remote }

    /// The certificates below the root, the attested one included.
    var certificateCount: Int {
        switch self {
        case .factory: 3
        case .remote: 4
        }
    }
}
