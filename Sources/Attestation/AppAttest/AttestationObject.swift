/// The attestation object of App Attest (Web Authentication §6.5.4): certificates, a receipt and authenticator data.
package struct AttestationObject: Sendable {
    package static let format = "apple-appattest"

    /// The certificates in DER, the attested one first.
    package let certificates: [[UInt8]]
    package let authenticatorData: [UInt8]

    /// Members that are not known here are ignored, so that a later system can add some.
    package init(parsing bytes: [UInt8]) throws(Refusal) {
        let object: CBOR
        do throws(CBORError) {
            object = try CBOR(parsing: bytes)
        } catch .tooLong {
            throw .tooLarge
        } catch {
            throw .malformedStatement
        }
        guard let format = object["fmt"]?.text else { throw .malformedStatement }
        guard format == Self.format else { throw .wrongFormat }
        // The receipt is for questions to Apple's servers, which are not asked.
        guard let statement = object["attStmt"], statement["receipt"]?.bytes != nil,
            let chain = statement["x5c"]?.array, let authenticatorData = object["authData"]?.bytes
        else { throw .malformedStatement }
        self.certificates = chain.compactMap(\.bytes)
        guard self.certificates.count == chain.count else { throw .malformedStatement }
        self.authenticatorData = authenticatorData
    }
}
