import Base
import StrictJSON
import Synchronization

/// The phone's app follows the five rules of the README, and has no rule of its own.
final class PhoneApp: Sendable {
    /// What the app requests in a create.
    struct Options: Sendable {
        let visitor: PhoneVisitor
        let provider: String
        let app: String
        let platform: String
        let hasEIDApp: Bool
        /// Where the app opens the login.
        var surface: String?
        /// The language of the pages. Nil for that of the browser.
        var locale: String?
        /// The colours of the browser's tab: empty for those of the browser, and nil if none were ever chosen.
        var colors: String?
        /// The thumbprint of the key that a session may belong to (RFC 9449 §10).
        let thumbprint: String?
    }

    /// What a link opened.
    enum LinkOutcome: Sendable {
        /// The app, with the login of this key.
        case app(key: String)
        /// The browser, although the app is there.
        case browser
        /// The app of another phone, which has no login for the link.
        case otherPhone
        /// The app, which has no login for the link.
        case nothing
    }

    private static let lifetime = Duration.seconds(3600)
    private static let outage = Duration.seconds(10)
    private static let limit = 1000

    private struct Memory {
        var logins = ExpiringTable<PhoneLogin>(lifetime: PhoneApp.lifetime, limit: PhoneApp.limit)
        /// The newest last.
        var open: [String] = []
        /// All, the newest last.
        var keys: [String] = []
        /// By provider.
        var names: [String: String] = [:]
        /// When the network is back, by visitor.
        var outages: [String: Timestamp] = [:]
        /// By visitor: a link that opened the app while there was no network.
        var unsentLinks: [String: String] = [:]
        /// The polls that wait for a response, by login.
        var polls: [String: Task<Void, Never>] = [:]
    }

    private let send: PhoneRequest.Send
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void
    private let memory = Mutex(Memory())

    init(
        send: @escaping PhoneRequest.Send, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.send = send
        self.now = now
        self.sleep = sleep
    }

    /// Returns the providers of an app with their names.
    func fetchProviders(of app: String) async -> [(id: String, name: String)] {
        let answer = await self.answer(PhoneRequest(.get, "/v1/providers?app=\(app)"))
        let providers = (try? JSON(parsing: answer.body))?["providers"]?.array ?? []
        let offers = providers.compactMap { provider -> (id: String, name: String)? in
            guard let id = provider["id"]?.string else { return nil }
            return (id, provider["name"]?.string ?? id)
        }
        self.memory.withLock { memory in for (id, name) in offers { memory.names[id] = name } }
        return offers
    }

    /// Rule 1. Returns the key under which the login is stored; nil, with the server's response, if there is none.
    func begin(_ options: Options) async -> (key: String?, answer: PhoneRequest.Answer) {
        let (secret, nonce, key) = (RandomName.make(), RandomName.make(), RandomName.make())
        var body: JSON.Object = [
            "provider": .string(options.provider), "app": .string(options.app), "poll_secret": .string(secret),
            "nonce": .string(nonce), "platform": .string(options.platform),
            "eid_app_installed": .bool(options.hasEIDApp),
        ]
        if let surface = options.surface { body["surface"] = .string(surface) }
        if let locale = options.locale { body["locale"] = .string(locale) }
        if let thumbprint = options.thumbprint { body["dpop_jkt"] = .string(thumbprint) }
        let answer = await self.answer(.post("/v1/logins", body))
        let name = self.memory.withLock { $0.names[options.provider] } ?? options.provider
        guard answer.status == 201,
            let login = PhoneLogin(options, name: name, secret: secret, nonce: nonce, created: answer)
        else { return (nil, answer) }
        let now = self.now()
        let isKept = self.memory.withLock { memory in
            memory.open.append(key)
            memory.keys = memory.keys.suffix(Self.limit - 1) + [key]
            return memory.logins.insert(login, for: key, at: now)
        }
        return (isKept ? key : nil, answer)
    }

    func login(_ key: String) -> PhoneLogin? {
        let now = self.now()
        return self.memory.withLock { $0.logins.value(for: key, at: now) }
    }

    /// Returns the visitor's newest login.
    func newestLogin(of visitor: PhoneVisitor) -> PhoneLogin? {
        let now = self.now()
        return self.memory.withLock { memory in
            let logins = memory.logins
            return memory.keys.reversed().lazy.compactMap { logins.value(for: $0, at: now) }
                .first { $0.visitor == visitor }
        }
    }

    /// Rule 3. A link starts the app if it is not running. The app tries the visitor's open logins, the newest first; the
    /// link changes nothing in any other login.
    func open(_ link: String, by visitor: PhoneVisitor) async -> LinkOutcome {
        let keys = Array(self.openLogins(of: visitor).suffix(8).reversed())
        if let target = self.takeLinkTarget(of: keys) { return target == .browser ? .browser : .otherPhone }
        self.change(keys) { $0.isKilled = false }
        if let newest = keys.first, self.outage(of: visitor) != nil {
            self.memory.withLock { $0.unsentLinks[visitor.id] = link }
            return .app(key: newest)
        }
        for key in keys {
            guard let login = self.login(key), !login.isFinal else { continue }
            if await self.reportReturn(key, ["url": .string(link)]) { return .app(key: key) }
        }
        return .nothing
    }

    /// Returns what the next link opens in place of the app, if one of the logins says so. It says so once.
    private func takeLinkTarget(of keys: [String]) -> LinkTarget? {
        for key in keys {
            guard let target = self.login(key)?.linkTarget, target != .app else { continue }
            self.change([key]) { $0.linkTarget = .app }
            return target
        }
        return nil
    }

    private func openLogins(of visitor: PhoneVisitor) -> [String] {
        let now = self.now()
        return self.memory.withLock { memory in
            memory.open.filter { memory.logins.value(for: $0, at: now)?.visitor == visitor }
        }
    }

    /// Returns to the server with a link or a code. The result is false if it did not belong to this login.
    @discardableResult func reportReturn(_ key: String, _ body: JSON.Object) async -> Bool {
        await self.tell(key) { .post($0.path + "/return", body) }
    }

    /// Rule 4. An app that is not running does nothing, and one without a network waits for it.
    func poll(_ key: String, waiting seconds: Int) async {
        guard let login = self.login(key) else { return }
        if login.isKilled { return await self.sleep(.seconds(1)) }
        if let outage = self.outage(of: login.visitor) {
            await self.sleep(min(outage, .seconds(seconds)))
            if self.outage(of: login.visitor) != nil { return }
        }
        if let link = self.memory.withLock({ $0.unsentLinks.removeValue(forKey: login.visitor.id) }) {
            _ = await self.open(link, by: login.visitor)
            return
        }
        let poll = Task {
            _ = await self.tell(key) { login in
                var request = PhoneRequest(.get, login.path).waiting(seconds)
                if let version = login.version { request.fields.append(Parameter("If-None-Match", version)) }
                return request
            }
        }
        self.memory.withLock { $0.polls[key] = poll }
        await poll.value
        self.memory.withLock { memory in if memory.polls[key] == poll { memory.polls[key] = nil } }
    }

    private func cutOffPolls(_ keys: [String]) {
        let polls = self.memory.withLock { memory in keys.compactMap { memory.polls.removeValue(forKey: $0) } }
        for poll in polls { poll.cancel() }
    }

    // MARK: - Interruptions

    /// Does to the login, or to its phone, what the user chose. The faults of brokers are set elsewhere.
    func interrupt(_ key: String, _ interruption: PhoneInterruption) async {
        guard let login = self.login(key), !login.isFinal else { return }
        self.change([key]) { $0.interruption = interruption }
        switch interruption {
        case .kill:
            self.change([key]) { $0.isKilled = true }
            self.cutOffPolls([key])
        case .offline:
            let end = self.now() + Self.outage
            self.memory.withLock { $0.outages[login.visitor.id] = end }
            self.cutOffPolls(self.openLogins(of: login.visitor))
        case .minimise: await self.reportBrowserGone(key)
        case .linkInBrowser: self.change([key]) { $0.linkTarget = .browser }
        case .linkOnOtherPhone: self.change([key]) { $0.linkTarget = .otherPhone }
        case .slowBroker, .deadBroker, .clock: break
        }
    }

    /// Starts the app again. It reads its stored login, and does not know what has happened to the browser.
    func start(_ key: String) async {
        guard self.login(key)?.isKilled == true else { return }
        self.change([key]) { $0.isKilled = false }
        await self.reportBrowserGone(key)
        await self.poll(key, waiting: 1)
    }

    /// Returns how long this visitor's phone has no network, or nil if it has one.
    func outage(of visitor: PhoneVisitor) -> Duration? {
        let now = self.now()
        return self.memory.withLock { memory in
            guard let end = memory.outages[visitor.id] else { return nil }
            if now < end { return end - now }
            memory.outages[visitor.id] = nil
            return nil
        }
    }

    private func change(_ keys: [String], _ body: (inout PhoneLogin) -> Void) {
        self.memory.withLock { memory in for key in keys { memory.logins.change(key, body) } }
    }

    // MARK: - The other rules

    /// Rule 5: reports the return without a link, which ends nothing.
    func reportBrowserGone(_ key: String) async {
        guard await self.reportReturn(key, ["url": .null]) else { return }
        self.change([key]) { $0.isBack = true }
    }

    /// Rule 5: the user's own decision.
    func cancel(_ key: String) async {
        _ = await self.tell(key) { PhoneRequest.post($0.path + "/cancel").waiting(5) }
    }

    func acknowledge(_ key: String) async {
        guard let login = self.login(key) else { return }
        let answer = await self.answer(PhoneRequest(.delete, login.path).bearing(login.secret))
        guard answer.status == 204 else { return }
        self.change([key]) { $0.isAcknowledged = true }
    }

    private func tell(_ key: String, _ call: (PhoneLogin) -> PhoneRequest) async -> Bool {
        guard let login = self.login(key), !login.isKilled else { return false }
        let answer =
            self.outage(of: login.visitor) == nil ? await self.answer(call(login).bearing(login.secret)) : .none
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
        (try? await self.send(call)) ?? .none
    }
}

extension PhoneRequest.Answer {
    /// There is none.
    fileprivate static let none = Self(status: 0, body: [])
}
