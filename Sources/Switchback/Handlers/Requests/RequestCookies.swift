/// The cookies of a request (RFC 6265 §5.4), in the order in which they stand.
import HTTPWire

enum RequestCookies {
    /// More than these are not looked at.
    private static let most = 64

    static func list(_ request: Request) -> [(name: String, value: String)] {
        let pairs = request.fields.all(.cookie).flatMap { $0.split(separator: ";") }.prefix(self.most)
        return pairs.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(parts[0].drop { $0 == " " }), String(parts[1]))
        }
    }
}
