/// The keys of apps' own backends, and how a request shows one: as `Api-Key`, beside the poll secret in `Authorization`, or
/// as `Authorization: Bearer` where a login is created and there is no poll secret yet.
import Base
import HTTPWire

struct AppKeys: Sendable {
    static let field: FieldName = "api-key"

    /// By app. Nil where an app has none.
    let keys: [String: Secret?]

    /// The key that a request shows; nil where it shows none.
    static func shown(by request: Request) throws(Problem) -> Secret? {
        let values = request.fields.all(Self.field)
        guard let first = values.first else { return nil }
        guard values.count == 1 else { throw Problem(.appKeyRefused) }
        return Secret(first)
    }

    /// The reader of the answer. Nil when the caller shows a key that is not the app's: we say so, and do not take the caller
    /// for the phone.
    func reader(showing shown: Secret?, of app: String) -> Reader? {
        guard let shown else { return .phone }
        guard let key = self.keys[app] ?? nil, key == shown else { return nil }
        return .backend
    }

    /// Whether a request that creates a login comes from the app's own backend. Whoever shows a key that is not the app's is
    /// told so, rather than taken for the app.
    func isOfBackend(_ request: Request, of app: String) throws(Problem) -> Bool {
        guard let reader = self.reader(showing: try Self.shown(by: request), of: app) else {
            throw Problem(.appKeyRefused)
        }
        switch BearerToken(request) {
        case .none: return reader == .backend
        case .one(let token):
            guard self.reader(showing: Secret(String(token)), of: app) == .backend else {
                throw Problem(.appKeyRefused)
            }
            return true
        case .malformed: throw Problem(.appKeyRefused)
        }
    }
}

/// The kind of client that reads an answer about a login.
package enum Reader: Sendable {
    /// The app on a phone, or whoever has its poll secret.
    case phone
    /// The app's own backend: it has shown the app's key too.
    case backend
}
