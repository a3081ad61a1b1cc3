// Reads the cookies of a request (RFC 6265 §5.4).

import HTTPWire

extension Request {
    /// Returns the first cookie of this name.
    func cookie(_ name: String) -> String? {
        let cookies = self.fields.all(.cookie).flatMap { field in
            field.split(separator: ";").map { cookie in cookie.drop { $0 == " " } }
        }
        let mark = "\(name)="
        return cookies.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}
