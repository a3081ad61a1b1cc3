import OpenIDConnect

/// Limits of a provider's error that we accept, because it goes into our log.
enum CleanText {
    static func check(_ error: OAuthError) throws(Violation) {
        try require(error.code.utf8.count <= 64, "a code of an error is too long")
        try require((error.description ?? "").utf8.count <= 200, "a description of an error is too long")
        let text = error.code + (error.description ?? "")
        try require(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "an error is not printable")
    }
}
