import Base
import EndToEndSupport
import HTTPWire
import Sandbox
import StrictJSON

/// One app under load: it follows the five rules, records what it sees, and retries when it gets no response.
struct SoakApp: Sendable {
    enum End: Equatable, Sendable {
        case completed
        case failed(reason: String, isRetryable: Bool)
    }

    let url: String
    let browser: SoakBrowser
    let patience: SoakPatience
    let book: SoakBook
    /// `demo` gets its result at once; `linked` gets it after it hands in the link of the done page.
    let app: String
    /// Whether the browser sends its callback twice, as after a reload.
    let reloads: Bool
    /// Where the app polls, if not at `url`.
    var pollURL: String?
    /// How many seconds a long poll may wait.
    var wait = 10
    /// How long the whole login may take.
    var limit = Duration.seconds(300)
    /// The key of the session that the login may become.
    var thumbprint: String?
    /// Called with the poll secret between the result and its acknowledgement.
    var onResult: @Sendable (String) async throws -> Void = { _ in }
    /// Called when the browser finished a second ago and the login is still not final: now only time can help.
    var onParked: @Sendable () async -> Void = {}

    private let secret = Base64URL.encode(RandomBytes.make(32))

    init(
        url: String, browser: SoakBrowser, patience: SoakPatience, book: SoakBook, app: String, reloads: Bool
    ) {
        (self.url, self.browser, self.patience, self.book) = (url, browser, patience, book)
        (self.app, self.reloads) = (app, reloads)
    }

    /// Runs a login from its creation to the acknowledgement.
    func run() async throws -> End {
        var body: JSON.Object = [
            "provider": "demo", "app": .string(self.app), "surface": "tab", "poll_secret": .string(self.secret),
        ]
        body["dpop_jkt"] = self.thumbprint.map(JSON.string)
        let created = try await self.send("POST", "\(self.url)/v1/logins", body: .object(body))
        guard [200, 201].contains(created.status), let login = created.json, let go = created.nextURL else {
            throw TestClient.Failure(description: "create: \(created.status) \(created.text)")
        }
        self.book.created(login)
        let etag = created[.etag]
        return try await withThrowingTaskGroup(of: End?.self) { group in
            group.addTask {
                try await self.walk(from: go)
                return nil
            }
            group.addTask { try await self.poll(after: etag) }
            var end: End?
            for try await result in group { end = end ?? result }
            guard let end else { throw TestClient.Failure(description: "it does not end") }
            try await self.finish(end)
            return end
        }
    }

    private func walk(from go: String) async throws {
        let link = try await self.browser.walk(from: go, self.book, twice: self.reloads)
        // The page of a failed login has no return link.
        guard self.app == "linked", let link, link.hasPrefix(SoakStage.returnPrefix) else { return }
        let answer = try await self.send("POST", "\(self.login)/return", body: ["url": .string(link)])
        guard answer.status == 200 else {
            throw TestClient.Failure(description: "return: \(answer.status) \(answer.text)")
        }
        self.book.proven()
    }

    // MARK: - Polling

    private func poll(after etag: String?) async throws -> End {
        var etag = etag
        let deadline = ContinuousClock.now + self.limit
        var isParked = false
        while ContinuousClock.now < deadline {
            let isCalledBack = self.book.calledBackAt != nil
            let known = etag
            let fields =
                [Parameter("Prefer", "wait=\(self.wait)")] + (known.map { [Parameter("If-None-Match", $0)] } ?? [])
            let answer = try await self.send("GET", self.pollURL.map { "\($0)\(self.path)" } ?? self.login, fields)
            if let json = try self.read(answer, knowingOfCallback: isCalledBack), let end = Self.end(of: json) {
                return end
            }
            etag = answer[.etag] ?? etag
            if !isParked, let at = self.book.calledBackAt, ContinuousClock.now - at > .seconds(1) {
                isParked = true
                await self.onParked()
            }
        }
        throw TestClient.Failure(description: "not final in time")
    }

    /// Returns nil for a 304.
    private func read(_ answer: Answer, knowingOfCallback: Bool) throws -> JSON? {
        guard answer.status != 304 else { return nil }
        guard answer.status == 200, let json = answer.json else {
            throw TestClient.Failure(description: "poll: \(answer.status) \(answer.text)")
        }
        self.book.saw(json, knowingOfCallback: knowingOfCallback)
        return json
    }

    private static func end(of login: JSON) -> End? {
        guard login["final"]?.bool == true else { return nil }
        guard login["status"]?.string != "completed" else { return .completed }
        return .failed(
            reason: "\(login["status"]?.string ?? "none") \(login["reason"]?["code"]?.string ?? "none")",
            isRetryable: login["reason"]?["retryable"]?.bool == true)
    }

    /// Checks that each poll gets the same result until it is acknowledged, and none after that.
    private func finish(_ end: End) async throws {
        for _ in 0..<2 {
            guard let json = try self.read(try await self.send("GET", self.login), knowingOfCallback: true) else {
                throw TestClient.Failure(description: "304 without a validator")
            }
            if Self.end(of: json) != end { self.book.complain("\(end), then \(json["status"] ?? .null)") }
            if end == .completed, json["identity"]?["subject"]?.string != self.subject {
                self.book.complain("somebody else's result")
            }
        }
        if end == .completed { try await self.onResult(self.secret) }
        let wiped = try await self.send("DELETE", self.login)
        if wiped.status != 204 { self.book.complain("DELETE: \(wiped.status)") }
        let gone = try await self.send("GET", self.login)
        if gone.status != 410 { self.book.complain("\(gone.status) after it was acknowledged") }
    }

    private var subject: String? { SandboxIdentity.all.first { $0.id == self.browser.person }?.subject }

    // MARK: - Requests

    private var path: String { "/v1/logins/\(self.book.id ?? "none")" }
    private var login: String { self.url + self.path }

    private func send(
        _ method: String, _ url: String, _ fields: [Parameter] = [], body: JSON? = nil
    ) async throws -> Answer {
        let type = body == nil ? [] : [Parameter("Content-Type", "application/json")]
        let bearer = self.book.id == nil ? [] : [Parameter("Authorization", "Bearer \(self.secret)")]
        let all = bearer + type + fields
        let bytes = body?.encoded() ?? []
        return try await self.patience.ask("app") {
            try await TestClient.send(method, url, fields: all, body: bytes)
        }
    }
}
