/// The beginning of a login's id, by which the sandbox recognises the login at a broker. The server begins its `state`,
/// and the tokens of its pages, with the bytes of the id.
struct LoginMark: Hashable, Sendable {
    /// 21 letters of base64url are 126 of the id's 128 bits.
    private static let length = 21

    let text: String

    /// Returns nil for a text that is too short.
    init?(_ text: String) {
        guard text.utf8.count >= Self.length else { return nil }
        self.text = String(text.prefix(Self.length))
    }
}
