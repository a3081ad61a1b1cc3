import Base

/// The token in a `/go` link: `base64url(id ‖ HMAC(G_go, id)[0..<16])`. Every poll can derive it again.
enum StartToken {
    static func text(for id: LoginID, under key: ServerKey) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(LoginID.byteCount + Self.codeByteCount)
        id.withBytes { bytes.append(contentsOf: $0) }
        key.go.code { $0.append(id) }.withBytes { code in
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: code.prefix(Self.codeByteCount)))
        }
        return Base64URL.encode(bytes)
    }

    /// Returns the login's id, or nil if we did not make the token.
    static func login(of text: String, keys: ServerKeys) -> LoginID? {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32,
            let id = LoginID(Array(bytes.prefix(16)))
        else { return nil }
        let code = Array(bytes.suffix(16))
        return keys.all.contains { equalInConstantTime(Self.code(id, $0), code) } ? id : nil
    }

    private static let codeByteCount = 16

    private static func code(_ id: LoginID, _ key: ServerKey) -> [UInt8] {
        key.go.code { $0.append(id) }.array(self.codeByteCount)
    }
}
