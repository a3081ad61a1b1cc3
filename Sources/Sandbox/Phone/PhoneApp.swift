/// The phone's app, which follows the five rules of the README and nothing else.
import Base
import StrictJSON
import Synchronization

final class PhoneApp: Sendable {
    /// What the app requests in a create.
    struct Options: Sendable {
        let provider: String
        let app: String
        let platform: String
        let hasEIDApp: Bool
        /// The thumbprint of the key that a session may belong to (RFC 9449 §10).
        let thumbprint: String?
    }

    private static let lifetime = Duration.seconds(3600)

    private struct Memory {
        var logins = ExpiringTable<PhoneLogin>(lifetime: PhoneApp.lifetime, limit: 1000)
        /// The newest last.
        var open: [String] = []
    }

    private let send: PhoneRequest.Send
    private let now: @Sendable () -> Timestamp
    private let memory = Mutex(Memory())

    init(send: @escaping PhoneRequest.Send, now: @escaping @Sendable () -> Timestamp) {
        self.send = send
        self.now = now
    }

    /// Returns the providers with their names, of one app or of all.
    func fetchProviders(of app: String? = nil) async -> [(id: String, name: String)] {
        let answer = await self.answer(PhoneRequest(.get, "/v1/providers" + (app.map { "?app=\($0)" } ?? "")))
        let providers = (try? JSON(parsing: answer.body))?["providers"]?.array ?? []
        return providers.compactMap { provider in
            guard let id = provider["id"]?.string else { return nil }
            return (id, provider["name"]?.string ?? id)
        }
    }

    /// Rule 1. Returns the key under which the login is stored; nil, with the server's response, if there is none.
    func begin(_ options: Options) async -> (key: String?, answer: PhoneRequest.Answer) {
        let (secret, key) = (RandomName.make(), RandomName.make())
        var body: JSON.Object = [
            "provider": .string(options.provider), "app": .string(options.app), "poll_secret": .string(secret),
            "platform": .string(options.platform), "eid_app_installed": .bool(options.hasEIDApp),
        ]
        if let thumbprint = options.thumbprint { body["dpop_jkt"] = .string(thumbprint) }
        let answer = await self.answer(.post("/v1/logins", body))
        let hasKey = options.thumbprint != nil
        guard answer.status == 201, let login = PhoneLogin(secret: secret, created: answer, hasKey: hasKey) else {
            return (nil, answer)
        }
        let now = self.now()
        let isKept = self.memory.withLock { memory in
            memory.open.append(key)
            return memory.logins.insert(login, for: key, at: now)
        }
        return (isKept ? key : nil, answer)
    }

    func login(_ key: String) -> PhoneLogin? {
        let now = self.now()
        return self.memory.withLock { $0.logins.value(for: key, at: now) }
    }

    /// Rule 3. Returns the key of the login that the link belongs to. The app tries its open logins, the newest first;
    /// the link changes nothing in any other login.
    func open(_ link: String) async -> String? {
        for key in self.memory.withLock({ $0.open.suffix(8).reversed() }) {
            guard let login = self.login(key), !login.isFinal else { continue }
            if await self.reportReturn(key, ["url": .string(link)]) { return key }
        }
        return nil
    }

    /// Returns to the server with a link or a code. The result is false if it did not belong to this login.
    @discardableResult func reportReturn(_ key: String, _ body: JSON.Object) async -> Bool {
        await self.tell(key) { .post($0.path + "/return", body) }
    }

    /// Rule 4.
    func poll(_ key: String) async {
        _ = await self.tell(key) { PhoneRequest(.get, $0.path).waiting(1) }
    }

    /// Rule 5: reports the return without a link, which ends nothing.
    func reportBrowserGone(_ key: String) async {
        guard await self.reportReturn(key, ["url": .null]) else { return }
        self.memory.withLock { memory in memory.logins.change(key) { $0.isBack = true } }
    }

    /// Rule 5: the user's own decision.
    func cancel(_ key: String) async {
        _ = await self.tell(key) { PhoneRequest.post($0.path + "/cancel").waiting(5) }
    }

    func acknowledge(_ key: String) async {
        guard let login = self.login(key) else { return }
        let answer = await self.answer(PhoneRequest(.delete, login.path).bearing(login.secret))
        guard answer.status == 204 else { return }
        self.memory.withLock { memory in memory.logins.change(key) { $0.isAcknowledged = true } }
    }

    private func tell(_ key: String, _ call: (PhoneLogin) -> PhoneRequest) async -> Bool {
        guard let login = self.login(key) else { return false }
        let answer = await self.answer(call(login).bearing(login.secret))
        let now = self.now()
        self.memory.withLock { memory in
            memory.logins.change(key) { $0.update(answer) }
            let logins = memory.logins
            memory.open.removeAll { logins.value(for: $0, at: now)?.isFinal ?? true }
        }
        return answer.status == 200
    }

    /// Sends a request of the session's script.
    func relay(_ call: PhoneRequest) async -> PhoneRequest.Answer { await self.answer(call) }

    private func answer(_ call: PhoneRequest) async -> PhoneRequest.Answer {
        // Without a network there is no response.
        (try? await self.send(call)) ?? PhoneRequest.Answer(status: 0, body: [])
    }
}
