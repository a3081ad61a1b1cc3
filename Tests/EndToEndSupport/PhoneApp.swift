import Base
import HTTPWire
import StrictJSON
import Synchronization
import TestSupport

/// The tests' app follows the five rules of the README, and has no rule of its own.
package final class PhoneApp: Sendable {
    package let server: String
    package let secret: String
    private let known = Mutex<String?>(nil)

    package init(_ server: String) {
        self.server = server
        self.secret = Base64URL.encode(RandomBytes.make(32))
    }

    /// The same app with the same login, at another server.
    package init(_ server: String, as other: PhoneApp) {
        self.server = server
        self.secret = other.secret
        self.known.withLock { $0 = other.id }
    }

    /// An app that knows the id of another app's login but not its secret.
    package init(_ server: String, knowing id: String) {
        self.server = server
        self.secret = Base64URL.encode(RandomBytes.make(32))
        self.known.withLock { $0 = id }
    }

    /// The login's id, nil before the create.
    package var id: String? { self.known.withLock { $0 } }

    private var login: String { "\(self.server)/v1/logins/\(self.id ?? "none")" }
    private var bearer: Parameter { Parameter("Authorization", "Bearer \(self.secret)") }

    /// Creates a login (rule 1).
    package func create(_ provider: String, _ more: JSON.Object = [:]) async throws -> Answer {
        var body: JSON.Object = ["provider": .string(provider), "poll_secret": .string(self.secret)]
        for (name, value) in more { body[name] = value }
        let answer = try await TestClient.send(
            "POST", "\(self.server)/v1/logins", fields: [Parameter("Content-Type", "application/json")],
            body: JSON.object(body).encoded())
        if let id = answer.json?["id"]?.string { self.known.withLock { $0 = id } }
        return answer
    }

    /// Polls once (rule 4).
    package func poll(wait: Int? = nil, etag: String? = nil, _ more: [Parameter] = []) async throws -> Answer {
        var fields = [self.bearer] + more
        if let wait { fields.append(Parameter("Prefer", "wait=\(wait)")) }
        if let etag { fields.append(Parameter("If-None-Match", etag)) }
        return try await TestClient.send("GET", self.login, fields: fields)
    }

    /// Polls until the login is final (rule 4).
    package func waitForEnd() async throws -> JSON {
        var etag: String?
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            let answer = try await self.poll(wait: 10, etag: etag)
            etag = answer[.etag] ?? etag
            if answer.status == 304 { continue }
            if answer.status == 429 {
                try await Task.sleep(for: .seconds(answer[.retryAfter].flatMap { Int($0) } ?? 1))
                continue
            }
            guard answer.status == 200, let json = answer.json else {
                throw TestClient.Failure(description: "poll: \(answer.status) \(answer.text)")
            }
            if json["final"]?.bool == true { return json }
        }
        throw TestClient.Failure(description: "not final in time: \(try await self.poll().text)")
    }

    /// Cancels the login (rule 5).
    package func cancel(wait: Int? = nil) async throws -> Answer {
        let fields = [self.bearer] + (wait.map { [Parameter("Prefer", "wait=\($0)")] } ?? [])
        return try await TestClient.send("POST", "\(self.login)/cancel", fields: fields)
    }

    /// Hands in a link or a code (rule 3).
    package func reportReturn(_ body: JSON) async throws -> Answer {
        try await TestClient.send(
            "POST", "\(self.login)/return", fields: [self.bearer, Parameter("Content-Type", "application/json")],
            body: body.encoded())
    }

    package func acknowledge() async throws -> Answer {
        try await TestClient.send("DELETE", self.login, fields: [self.bearer])
    }
}

extension Answer {
    /// The URL that `next` says to open.
    package var nextURL: String? { self.json?["next"]?["url"]?.string }
}

// MARK: - With the browser

extension PhoneApp {
    /// Approves as the user. The broker's response arrives as the variant has it: through the browser, or as a link
    /// that opens the app, which hands it in.
    package func finish(_ browser: inout ScriptedBrowser, _ variant: BrokerVariant, fault: String = "") async throws {
        let decision = try browser.submission(["fault": fault], button: "approve")
        guard variant.callback != "backend" else {
            try await browser.perform(decision)
            if variant.isForm, browser.form != nil { try await browser.submit() }
            return
        }
        for link in try await browser.links(after: decision) { _ = try await self.reportReturn(["url": .string(link)]) }
    }
}
