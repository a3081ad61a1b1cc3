/// A key of a published set that we cannot use.
package struct SkippedKey: Equatable, Sendable {
    /// Its place in the set; the first is 1.
    package let position: Int
    /// The `kid`, if it is a text of at most 128 visible ASCII characters.
    package let keyID: String?
    package let error: JWKError

    init(position: Int, keyID: String?, error: JWKError) {
        self.position = position
        self.error = error
        self.keyID = keyID.flatMap { name in
            let isVisible = name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            return isVisible && 1...128 ~= name.utf8.count ? name : nil
        }
    }
}
