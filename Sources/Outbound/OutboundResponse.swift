import Base
import CCurl

/// A broker's response, of any status. A redirect is returned like every other response and not followed.
package struct OutboundResponse: Sendable, CustomStringConvertible {
    package var status: Int
    /// The names are in lower case, in the order in which they came.
    package var fields: [Parameter]
    package var body: [UInt8]
    /// When the server's certificate ends, in seconds since 1970; see `OutboundSettings.readsCertificate`.
    package var certificateExpiry: Int?

    package init(status: Int, fields: [Parameter] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value of a field; `name` in lower case.
    package subscript(_ name: String) -> String? {
        self.fields.first { $0.name == name }?.value
    }

    /// The server's time in seconds since 1970 (RFC 9110 §6.6.1); nil when it does not send it.
    package var date: Int? {
        guard let date = self["date"].flatMap(DateText.seconds) else { return nil }
        // RFC 9111 §5.1: a response from a cache is this old.
        let age = self["age"].flatMap { Int($0) } ?? 0
        return date + min(max(age, 0), 31_536_000)
    }

    package var description: String { "\(self.status), \(self.body.count) bytes" }
}

/// Reads times as servers and certificates write them, in seconds since 1970.
enum DateText {
    /// Takes `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7) or `Nov  6 08:49:37 1994 GMT`; nil when it is not a
    /// time.
    static func seconds(in text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}
