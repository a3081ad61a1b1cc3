// What the Connection field says about the connection (RFC 9110 §7.6.1, RFC 9112 §9.3).

enum ConnectionOptions {
    static func keepsAlive(_ fields: Fields, version: Version) -> Bool {
        var asksToStay = false
        for field in fields.all where field.name == .connection {
            // What nearly all send, found without taking it apart.
            if field.value.utf8.span.isEqualIgnoringCase(to: "keep-alive") {
                asksToStay = true
                continue
            }
            for option in field.value.elements(separatedBy: .comma).lazy.map(\.trimmingBlanks) {
                if option.isEqualIgnoringCase(to: "close") { return false }
                asksToStay = asksToStay || option.isEqualIgnoringCase(to: "keep-alive")
            }
        }
        return version == .http11 || asksToStay
    }
}
