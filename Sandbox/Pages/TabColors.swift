import HTTPServer
import HTTPWire
import Synchronization

/// The colours of the browser's tab. A visitor may want it light or dark, whatever the browser prefers: a cookie says
/// so, and then each page and style sheet is changed as it is sent.
package final class TabColors: Sendable {
    package enum Choice: String, CaseIterable, Sendable {
        case light, dark
    }

    static let cookie = "sandbox_colors"

    /// By request without a response.
    private let open = Mutex<[ResponseHandle.Key: Choice]>([:])

    package init() {}

    static func choice(of request: Request) -> Choice? {
        let cookies = request.fields.all(.cookie).flatMap { $0.split(separator: ";") }
        let mark = "\(self.cookie)="
        let cookie = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(mark) }
        return cookie.flatMap { Choice(rawValue: String($0.dropFirst(mark.count))) }
    }

    /// Returns the field that sets the choice, or deletes it. It is not `Secure`, because a sandbox is served without
    /// TLS.
    static func cookie(_ choice: Choice?) -> String {
        guard let choice else { return "\(self.cookie)=; Path=/; Max-Age=0" }
        return "\(self.cookie)=\(choice.rawValue); Path=/; HttpOnly; SameSite=Lax"
    }

    /// Returns the request for the handler. Its response must not be compressed if it is to be changed.
    func begin(_ request: Request, _ key: ResponseHandle.Key) -> Request {
        guard let choice = Self.choice(of: request) else { return request }
        // Browsers keep style sheets. So a changed one has a URL of its own.
        if request.target.path.hasSuffix(".css"), request.target.query != choice.rawValue { return request }
        self.open.withLock { $0[key] = choice }
        var request = request
        request.head.fields[.acceptEncoding] = nil
        request.head.fields[.ifNoneMatch] = nil
        return request
    }

    func end(_ key: ResponseHandle.Key, _ response: Response) -> Response {
        guard let choice = self.open.withLock({ $0.removeValue(forKey: key) }) else { return response }
        return Self.changed(response, to: choice)
    }

    package static func changed(_ response: Response, to choice: Choice) -> Response {
        let type = response.fields[.contentType] ?? ""
        guard type.hasPrefix("text/html") || type.hasPrefix("text/css") else { return response }
        var text = String(decoding: response.body, as: UTF8.self)
        for scheme in Choice.allCases {
            let query = "(prefers-color-scheme: \(scheme.rawValue))"
            text = text.replacing(query, with: scheme == choice ? "all" : "not all")
        }
        for (old, new) in [
            ("color-scheme: light dark", "color-scheme: \(choice.rawValue)"),
            ("content=\"light dark\"", "content=\"\(choice.rawValue)\""), (".css\"", ".css?\(choice.rawValue)\""),
        ] { text = text.replacing(old, with: new) }
        var response = response
        response.body = Array(text.utf8)
        return response
    }
}
