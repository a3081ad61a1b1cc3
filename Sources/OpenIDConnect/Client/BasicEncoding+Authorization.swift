/// `Authorization: Basic` with a client's id and secret (RFC 7617, RFC 6749 §2.3.1).
import Base

extension ClientAuthentication.BasicEncoding {
    /// The value of the field.
    package func authorization(
        _ clientID: String, _ secret: Secret
    ) throws(ClientAuthentication.Failure) -> String {
        let credentials: String
        switch self {
        case .formEncoded:
            credentials = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(secret.exposedText))"
        case .raw:
            guard !clientID.utf8.contains(UInt8(ascii: ":")) else { throw .colonInClientID }
            credentials = "\(clientID):\(secret.exposedText)"
        }
        return "Basic \(Base64.encode(Array(credentials.utf8)))"
    }
}
