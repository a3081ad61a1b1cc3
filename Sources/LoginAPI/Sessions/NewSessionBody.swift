import Attestation
import HTTPWire

/// The body of `POST /v1/sessions`: nothing, or a JSON object with an attestation.
struct NewSessionBody {
    let statement: AttestationStatement?
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        guard !request.body.isEmpty else {
            (self.statement, self.unknown) = (nil, try UnknownMembers([], in: request))
            return
        }
        var body = try JSONBody(request)
        var unreadNames: [String] = []
        if var attestation = try body.readObject("attestation") {
            self.statement = try AttestationStatement(&attestation)
            unreadNames = attestation.unreadNames
        } else {
            self.statement = nil
        }
        self.unknown = try UnknownMembers(unreadNames + body.unreadNames, in: request)
    }
}

extension AttestationStatement {
    /// Three times what phones send. Apple's object has two certificates and a receipt.
    private static let mostObjectBytes = 24 * 1024
    private static let mostCertificateBytes = 4 * 1024
    /// One more than the longest chain with its root, so that the verdict says what is wrong with it.
    private static let mostCertificates = 6

    fileprivate init(_ body: inout JSONBody) throws(Problem) {
        guard let format: Format = try body.readWord("format") else { throw body.missing("format") }
        switch format {
        case .appAttest:
            let object = try body.readBytes("attestation_object") { 1...Self.mostObjectBytes ~= $0.count }
            guard let object else { throw body.missing("attestation_object") }
            guard let keyID = try body.readBytes("key_id", { $0.count == 32 }) else { throw body.missing("key_id") }
            self = .appAttest(object: object, keyID: keyID)
        case .androidKey:
            let chain = try body.readByteLists("x5c", atMost: Self.mostCertificates) {
                1...Self.mostCertificateBytes ~= $0.count
            }
            guard let chain else { throw body.missing("x5c") }
            self = .androidKey(certificates: chain)
        }
    }
}
