import Base
import HTTPWire

/// The browser that a phone's pages are for, known by a cookie: nobody sees the logins of another visitor.
struct PhoneVisitor: Hashable, Sendable {
    private static let name = "sandbox_visitor"

    let id: String
    /// Whether the browser has to be given the cookie.
    private let isNew: Bool

    /// Takes the visitor's cookie, or makes a new visitor.
    init(_ request: Request) {
        if let value = request.cookie(Self.name), Base64URL.decode(value)?.count == 32 {
            self.id = value
            self.isNew = false
        } else {
            self.id = RandomName.make()
            self.isNew = true
        }
    }

    static func == (one: Self, other: Self) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(self.id) }

    /// Adds the cookie to the first response. It is not `Secure`, because a sandbox is served without TLS.
    func greet(_ response: Response) -> Response {
        guard self.isNew else { return response }
        var response = response
        response.fields.add(.setCookie, "\(Self.name)=\(self.id); Path=/; HttpOnly; SameSite=Lax")
        return response
    }
}
