import Logins
import Synchronization

/// Counts the logins of an app by the client that started them, with few labels: anyone can make up a client.
package final class ClientCounter: Sendable {
    /// A client, as the labels name it.
    private struct Client: Hashable {
        let library: String
        let version: String
        let appVersion: String
    }

    /// How many clients of one app are counted by name, so that made-up ones of this app hide no other app's.
    private static let mostOfApp = 60
    /// How many of all apps are. The metric has room for 50 more, so `other` and `none` keep the names of 25 apps.
    private static let mostInAll = 150

    private let counters: CounterGroup
    /// The clients that were counted by name, by app.
    private let clients = Mutex<[String: Set<Client>]>([:])

    init(_ counters: CounterGroup) { self.counters = counters }

    /// `app` must be a name of the configuration.
    func count(_ agent: UserAgent, of app: String) {
        let client = self.client(agent, of: app)
        self.counters.increment(app, client.library, client.version, client.appVersion)
    }

    private func client(_ agent: UserAgent, of app: String) -> Client {
        let other = Client(library: "other", version: "other", appVersion: "other")
        switch agent {
        case .missing: return Client(library: "none", version: "none", appVersion: "none")
        case .other: return other
        case .library(let library):
            let client = Client(library: library.name, version: library.version, appVersion: library.appVersion)
            return self.isNamed(client, of: app) ? client : other
        }
    }

    /// Whether the client has a name among the labels, or gets one now.
    private func isNamed(_ client: Client, of app: String) -> Bool {
        self.clients.withLock { clients in
            if clients[app, default: []].contains(client) { return true }
            let total = clients.values.reduce(0) { $0 + $1.count }
            guard clients[app, default: []].count < Self.mostOfApp, total < Self.mostInAll else { return false }
            clients[app, default: []].insert(client)
            return true
        }
    }
}
