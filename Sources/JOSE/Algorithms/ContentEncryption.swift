/// The algorithms that encrypt a token's content, by their JOSE names (RFC 7518 §5.1).
package enum ContentEncryption: String, CaseIterable, Sendable {
    case a128GCM = "A128GCM"
    case a256GCM = "A256GCM"
    case a128CBCHS256 = "A128CBC-HS256"
    case a256CBCHS512 = "A256CBC-HS512"

    package var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a256GCM, .a128CBCHS256: 32
        case .a256CBCHS512: 64
        }
    }
}
