import Base
import HTTPWire

/// The keys of apps' own backends. A request sends one as `Api-Key`, next to the poll secret in `Authorization`. A
/// request that creates a login has no poll secret yet, and may send the key as `Authorization: Bearer`.
struct AppKeys: Sendable {
    static let field: FieldName = "api-key"

    /// By app; nil if an app has none.
    let keys: [String: Secret?]

    /// Returns the key that a request sends; nil if it sends none.
    static func shown(by request: Request) throws(Problem) -> Secret? {
        let values = request.fields.all(Self.field)
        guard let first = values.first else { return nil }
        guard values.count == 1 else { throw Problem(.appKeyRefused) }
        return Secret(first)
    }

    /// Returns the reader of the response; nil if the caller sends a key that is not the app's. Then we refuse, rather
    /// than treat the caller as the phone.
    func reader(showing shownKey: Secret?, of app: String) -> ClientKind? {
        guard let shownKey else { return .phone }
        guard let key = self.keys[app] ?? nil, key == shownKey else { return nil }
        return .backend
    }

    /// Returns the app whose backend sends a request that is for backends only. The configuration gives each app a key
    /// of its own. A key of two apps would name neither, so it is refused.
    func app(of request: Request) throws(Problem) -> String {
        guard let shownKey = try Self.shown(by: request) else { throw Problem(.appKeyRefused) }
        let apps = self.keys.filter { $0.value == shownKey }.keys
        guard apps.count == 1, let app = apps.first else { throw Problem(.appKeyRefused) }
        return app
    }

    /// Returns whether a request that creates a login comes from the app's own backend. It throws for a key that is not
    /// the app's, rather than treat the caller as the app.
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

/// The kind of client that reads a response about a login.
package enum ClientKind: Sendable {
    /// The app on a phone, or any other holder of its poll secret.
    case phone
    /// The app's own backend: it also sent the app's key.
    case backend
}
