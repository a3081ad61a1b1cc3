/// The keys of apps' own backends, and how a request shows one: `Api-Key: …`. `Authorization` has the poll secret then.
import Base
import HTTPWire
import Logins

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
}
