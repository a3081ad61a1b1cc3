import Foundation
import SwitchbackClient

// Safe because the values are touched only while the lock is held.
/// A server in memory, for an app's own tests. Each login waits for its browser, and the test says what happens next.
///
/// Pass its `dependencies` to `LoginClient`, or to the configuration of `SwitchbackUI`. A link that begins with `prefix`
/// completes a login, and so does the code 123456.
public final class FakeServer: @unchecked Sendable {
    /// One login.
    private struct Row {
        var provider = ""
        var status = "pending"
        var version = 1
        var next = FakeServer.openBrowser
    }

    /// Links to the app begin with this.
    public static let prefix = "https://app.example/r/"
    static let openBrowser = """
        {"action": "open_browser", "url": "https://login.example/go/abc", "surfaces": ["auth_session", "tab"],
         "callback": "https://app.example/r/x"}
        """
    static let resumeBrowser = #"{"action": "resume_browser", "url": "https://broker.example/resume"}"#
    static let openApp = """
        {"action": "open_app", "universal_link": "https://eid.example/a", "custom_scheme": "eid://a",
         "fallback": "https://eid.example/web"}
        """

    private let lock = NSLock()
    private var rows: [String: Row] = [:]
    private var calls: [String] = []
    private var replacements: [String] = []
    private var isDown = false

    /// Creates a server without logins. It lists one provider, `mitid`, and takes every other one.
    public init() {}

    /// The network of this server, where no wait is longer than a hundredth of a second.
    public var dependencies: LoginClientDependencies {
        var dependencies = LoginClientDependencies { [self] in try await self.answer($0) }
        dependencies.sleep = { try await Task.sleep(nanoseconds: UInt64(min($0, 0.01) * 1_000_000_000)) }
        return dependencies
    }

    /// The kinds of requests without polls, in their order: `create mitid`, `return …`, `cancel` and `delete`.
    public var log: [String] { self.locked { self.calls } }

    /// What the creates replaced, in their order: `vipps for mitid`.
    var replaced: [String] { self.locked { self.replacements } }

    /// The user logs in, in the browser of every login that is not over, or of one provider's.
    public func complete(provider: String? = nil) { self.change("completed", provider: provider) }

    /// The user cancels in the browser.
    public func cancel(provider: String? = nil) { self.change("cancelled", provider: provider) }

    /// The login fails at the e-ID.
    public func fail(provider: String? = nil) { self.change("failed", provider: provider) }

    /// The page shows a code that the user has to type: 123456.
    public func wantCode(provider: String? = nil) {
        self.change("awaiting_return", next: #"{"action": "enter_code"}"#, provider: provider)
    }

    /// Changes every login that is not final, or those of a provider.
    func change(_ status: String = "pending", next: String? = nil, provider: String? = nil) {
        self.locked {
            for (id, row) in self.rows where ["pending", "awaiting_return"].contains(row.status) {
                guard provider == nil || row.provider == provider else { continue }
                self.rows[id]?.next = next ?? row.next
                self.set(status, id)
            }
        }
    }

    private func set(_ status: String, _ id: String) {
        self.rows[id]?.status = status
        self.rows[id]?.version += 1
    }

    /// From now on it has no usable response, or has again.
    public func goDown(_ isDown: Bool = true) { self.locked { self.isDown = isDown } }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let isPoll = request.method == "GET"
        if self.locked({ self.isDown }) { return HTTPResponse(status: 503) }
        let parts = request.url.path.split(separator: "/").map(String.init)
        let response = self.locked { self.respond(request, parts) }
        guard isPoll, response.status == 304 else { return response }
        try await Task.sleep(nanoseconds: 10_000_000)
        return response
    }

    private func respond(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse {
        if parts.last == "providers" {
            let body = #"{"providers": [{"id": "mitid", "name": "MitID", "eid": "mitid", "countries": ["DK"]}]}"#
            return Self.json(body)
        }
        if parts.count == 2 {
            let body = try? JSONDecoder().decode(JSONValue.self, from: request.body ?? Data())
            // The same secret is the same login, also for an app that was killed before it had the response.
            let id = body?["poll_secret"]?.string ?? ""
            if self.rows[id] == nil {
                let provider = body?["provider"]?.string ?? ""
                self.calls.append("create \(provider)")
                if let former = self.rows[body?["replaces"]?.string ?? ""] {
                    self.replacements.append("\(provider) for \(former.provider)")
                }
                self.rows[id] = Row(provider: provider)
            }
            return self.login(id)
        }
        let id = parts[2]
        guard let row = self.rows[id] else { return HTTPResponse(status: 404) }
        switch (request.method, parts.dropFirst(3).first) {
        case ("GET", _):
            return request.fields["If-None-Match"] == "W/\"\(row.version)\""
                ? HTTPResponse(status: 304) : self.login(id)
        case ("DELETE", _):
            self.calls.append("delete")
            return HTTPResponse(status: 204)
        case (_, "cancel"):
            self.calls.append("cancel")
            self.set("cancelled", id)
        default:
            let body = String(decoding: request.body ?? Data(), as: UTF8.self)
            self.calls.append("return \(body)")
            if body.contains(Self.prefix) || body.contains("123456") {
                self.set("completed", id)
            }
        }
        return self.login(id)
    }

    private func login(_ id: String) -> HTTPResponse {
        let row = self.rows[id] ?? Row()
        let isFinal = !["pending", "awaiting_return"].contains(row.status)
        let more = isFinal ? #", "assertion": "a.b.c""# : #", "next": \#(row.next)"#
        let body = """
            {"id": "\(id)", "status": "\(row.status)", "final": \(isFinal), "version": \(row.version), "app": "demo",
             "provider": "\(row.provider)", "reference": "K7QX-2M4P", "expires_in": 600, "return_prefixes": ["\(Self.prefix)"],
             "poll": {"wait": 25, "interval": 2, "after_ms": 0}\(more)}
            """
        return Self.json(body)
    }

    private static func json(_ body: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Data(body.utf8))
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        self.lock.lock()
        defer { self.lock.unlock() }
        return body()
    }
}
