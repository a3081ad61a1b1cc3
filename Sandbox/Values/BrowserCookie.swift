import HTTPWire

/// A cookie by which a broker recognises a browser: a random value that no other browser has.
struct BrowserCookie: Sendable {
    let name: String
    let value: String
    let lifetime: Duration

    init(_ name: String, for lifetime: Duration) {
        self.name = name
        self.value = RandomName.make()
        self.lifetime = lifetime
    }

    func isIn(_ request: Request) -> Bool { request.cookie(self.name) == self.value }

    /// The field that gives it to the browser. It is `Lax`, because an app opens the page where a login continues, and
    /// not `Secure`, because a sandbox is served without TLS.
    var field: String {
        "\(self.name)=\(self.value); Path=/; Max-Age=\(self.lifetime.components.seconds); HttpOnly; SameSite=Lax"
    }

    /// The field that deletes it.
    var deletion: String { Self.deletion(of: self.name) }

    static func deletion(of name: String) -> String { "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" }
}

// MARK: - Reading (RFC 6265 §5.4)

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
