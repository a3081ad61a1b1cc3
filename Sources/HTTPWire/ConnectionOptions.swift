// What the Connection field says about the connection (RFC 9110 §7.6.1, RFC 9112 §9.3).

enum ConnectionOptions {
    static func keepsAlive(_ fields: Fields, version: Version) -> Bool {
        var asksToStay = false
        var asksToClose = false
        fields.each(.connection) { value in
            // What nearly all send, found without taking it apart.
            if value.utf8.span.isEqualIgnoringCase(to: "keep-alive") {
                asksToStay = true
                return
            }
            for option in value.elements(separatedBy: .comma).lazy.map(\.trimmingBlanks) {
                asksToClose = asksToClose || option.isEqualIgnoringCase(to: "close")
                asksToStay = asksToStay || option.isEqualIgnoringCase(to: "keep-alive")
            }
        }
        return !asksToClose && (version == .http11 || asksToStay)
    }
}
