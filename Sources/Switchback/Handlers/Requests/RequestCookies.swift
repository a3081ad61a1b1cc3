/// The cookies of a request (RFC 6265 §5.4), in the order in which they stand.
import HTTPWire

enum RequestCookies {
    /// More than these are not looked at.
    private static let most = 64

    static func list(_ request: Request) -> [(name: String, value: String)] {
        let values = request.fields.all(.cookie)
        let pairs = values.flatMap { $0.elements(separatedBy: UInt8(ascii: ";")) }.prefix(self.most)
        return pairs.compactMap { pair in
            let parts = pair.elements(separatedBy: UInt8(ascii: "="), atMost: 2, omittingEmpty: false)
            guard parts.count == 2 else { return nil }
            return (String(parts[0].trimmingBlanks), String(parts[1]))
        }
    }
}
