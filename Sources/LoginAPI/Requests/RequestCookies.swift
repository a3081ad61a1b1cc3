import Base
import HTTPWire
import Logins

/// Reads our own cookies of a request (RFC 6265 §5.4), in their order.
///
/// It reads the whole header, however many foreign cookies come before ours. The limit of a request's head
/// (`limits.head`) bounds the work.
enum RequestCookies {
    static func list(
        _ request: Request, namePrefix: String = AttemptCookie.namePrefix
    ) -> [Parameter] {
        request.fields.all(.cookie).flatMap { $0.elements(separatedBy: UInt8(ascii: ";")) }.compactMap { pair in
            let parts = pair.elements(separatedBy: UInt8(ascii: "="), atMost: 2, omittingEmpty: false)
            guard parts.count == 2 else { return nil }
            let name = parts[0].trimmingBlanks
            guard name.utf8.starts(with: namePrefix.utf8) else { return nil }
            return Parameter(String(name), String(parts[1]))
        }
    }
}
