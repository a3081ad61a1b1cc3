import Base
import HTTPWire

/// The credentials in `Authorization: Basic` (RFC 7617), in the two ways in which clients write them.
struct BasicCredentials: Sendable {
    /// First form-encoded, as RFC 6749 §2.3.1 requires; then unencoded.
    let readings: [(id: String, secret: String)]

    init?(_ header: String) {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(parts[1]),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        let raw = (id: String(text[..<colon]), secret: String(text[text.index(after: colon)...]))
        var readings: [(id: String, secret: String)] = []
        if let id = Self.decoded(raw.id), let secret = Self.decoded(raw.secret) { readings.append((id, secret)) }
        readings.append(raw)
        self.readings = readings
    }

    /// Returns nil for text that is not form-encoded.
    private static func decoded(_ text: String) -> String? {
        // The text is read as the only value of a form, which these characters would end.
        guard !text.contains("&"), !text.contains("=") else { return nil }
        return (try? FormBody.parse("v=\(text)"))?.first?.value
    }
}
