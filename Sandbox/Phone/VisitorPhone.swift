import Base
import Foundation
import SwitchbackClient
import Synchronization

/// The phone of one visitor. `SwitchbackClient`, the library that apps use, decides what its app does next; this phone
/// only plays what can happen to a phone.
final class VisitorPhone: Sendable {
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

    /// What the phone needs from outside.
    struct Dependencies: Sendable {
        let send: PhoneRequest.Send
        let now: @Sendable () -> Timestamp
        let sleep: @Sendable (Duration) async -> Void
    }

    private static let outage = Duration.seconds(10)
    /// How long a button's page waits for the response.
    private static let patience = Duration.seconds(20)
    /// When nobody looks at the phone for this long, its app is in the background.
    private static let attention = Duration.seconds(60)
    static let clockError = Duration.seconds(3600)
    private static let limit = 20

    /// One login of the phone. Two windows of the app are two of these.
    private struct Entry: Sendable {
        var login: PhoneLogin
        let id: SavedLogin.ID
        /// Nil while the app is not running.
        var session: LoginSession?
    }

    private struct Memory {
        /// Nil while the app is not running.
        var client: LoginClient?
        var logins: [String: Entry] = [:]
        /// The newest last.
        var keys: [String] = []
        var isInForeground = true
        /// How far the phone’s clock is ahead.
        var clockError = Duration.zero
        var seenAt: Timestamp
        var background: Task<Void, Never>?
    }

    let news: PhoneNews
    private let dependencies: Dependencies
    private let network: PhoneNetwork
    private let store: PhoneStore
    private let memory: Mutex<Memory>

    init(_ dependencies: Dependencies) {
        let news = PhoneNews(sleep: dependencies.sleep)
        let network = PhoneNetwork(send: dependencies.send, now: dependencies.now, news: news)
        self.news = news
        self.dependencies = dependencies
        self.network = network
        self.store = PhoneStore { network.beat() }
        self.memory = Mutex(Memory(seenAt: dependencies.now()))
    }

    deinit {
        let (client, background) = self.memory.withLock { ($0.client, $0.background) }
        background?.cancel()
        client?.stop()
    }

    // MARK: - The library

    /// Returns a client of the library for this store, as an app makes one when it starts.
    private func makeClient(_ store: PhoneStore) -> LoginClient {
        var outside = LoginClientDependencies { [network] in try await network.answer(to: $0) }
        let (now, sleep, network) = (self.dependencies.now, self.dependencies.sleep, self.network)
        outside.now = { MonotonicInstant(seconds: Double(now().milliseconds) / 1000) }
        outside.date = { [weak self] in
            let error = self?.memory.withLock { $0.clockError } ?? .zero
            return Date(timeIntervalSince1970: Double((now() + error).milliseconds) / 1000)
        }
        outside.sleep = { seconds in
            network.beat()
            await sleep(.seconds(seconds))
            try Task.checkCancellation()
        }
        return LoginClient(server: PhoneNetwork.url, store: store, dependencies: outside)
    }

    /// Starts the app if it is not running. It finds its logins in its store.
    private func run() async -> LoginClient {
        if let client = self.memory.withLock({ $0.client }) { return client }
        let client = self.makeClient(self.store)
        let isFirst = self.memory.withLock { memory in
            defer { memory.client = memory.client ?? client }
            return memory.client == nil
        }
        guard isFirst else { return await self.run() }
        for session in (try? await client.resume()) ?? [] { self.attach(session) }
        return client
    }

    private func attach(_ session: LoginSession) {
        self.memory.withLock { memory in
            for (key, entry) in memory.logins where entry.id == session.id { memory.logins[key]?.session = session }
        }
        self.listen(to: session)
    }

    private func listen(to session: LoginSession) {
        let (states, news, network) = (session.states, self.news, self.network)
        Task {
            for await _ in states {
                network.beat()
                news.tell()
            }
            // The app was killed, or the login is over.
            network.beat()
            news.tell()
        }
    }

    // MARK: - What a page asks

    /// Returns the login as the library last reported it, and as the server last said it.
    func login(_ key: String) -> PhoneLogin? {
        guard let entry = self.memory.withLock({ $0.logins[key] }) else { return nil }
        var login = entry.login
        if let session = entry.session { login.state = session.state }
        login.isKilled = entry.session == nil
        login.record = self.network.record(of: key)
        return login
    }

    var newestLogin: PhoneLogin? { self.newestKeys.first.flatMap { self.login($0) } }

    /// How long this phone has no network, or nil if it has one.
    var outage: Duration? { self.network.outage }

    /// When somebody last looked at the phone.
    var seenAt: Timestamp { self.memory.withLock { $0.seenAt } }

    /// Somebody looks at the phone, so its app is in front. It stays there for a while.
    func look() {
        let sleep = self.dependencies.sleep
        let now = self.dependencies.now()
        let background = Task { [weak self] in
            await sleep(Self.attention)
            guard !Task.isCancelled else { return }
            self?.leave()
        }
        let (formerTask, client) = self.memory.withLock { memory in
            let formerTask = memory.background
            memory.background = background
            memory.seenAt = now
            defer { memory.isInForeground = true }
            return (formerTask, memory.isInForeground ? nil : memory.client)
        }
        formerTask?.cancel()
        client?.didEnterForeground()
    }

    private func leave() {
        let client = self.memory.withLock { memory in
            memory.isInForeground = false
            return memory.client
        }
        client?.didEnterBackground()
    }

    /// Returns when there is something new to show, or after this time. `seen` is the number of the news that the page
    /// has shown.
    func wait(for duration: Duration, after seenNumber: Int?) async {
        let (news, seenNumber) = (self.news, seenNumber ?? self.news.number)
        await news.wait(atMost: duration) { news.number > seenNumber }
        self.look()
    }

    // MARK: - What the user does

    /// Begins a login. Returns the key under which the phone has it; nil, with the server's response, if there is none.
    func begin(_ options: Options, name: String) async -> (key: String?, answer: PhoneRequest.Answer) {
        let client = await self.run()
        let (key, nonce) = (RandomName.make(), RandomName.make())
        self.network.expect(key, nonce: nonce)
        let session = client.start(NewLogin(options, nonce: nonce))
        let login = PhoneLogin(options, name: name, nonce: nonce)
        let formerKeys = self.memory.withLock { memory in
            memory.logins[key] = Entry(login: login, id: session.id, session: session)
            memory.keys.append(key)
            return memory.keys.dropLast(Self.limit)
        }
        for formerKey in formerKeys { self.abandon(formerKey) }
        self.listen(to: session)
        let network = self.network
        await self.news.wait(atMost: Self.patience) {
            guard network.hasHeard(key, after: 0) else { return false }
            // What the library has just done may have been for another login of this phone.
            let isCreated = network.record(of: key).created?.status == 201
            return !isCreated || session.state?.login != nil
        }
        guard session.state?.login != nil else {
            // A real app would show that the library retries. This one shows what the server said.
            let answer = self.network.record(of: key).created
            self.abandon(key)
            return (nil, answer ?? .none)
        }
        return (key, self.network.record(of: key).created ?? .none)
    }

    private func abandon(_ key: String) {
        let session = self.memory.withLock { memory in
            memory.keys.removeAll { $0 == key }
            return memory.logins.removeValue(forKey: key)?.session
        }
        session?.abandon()
        self.network.forget(key)
    }

    /// Waits until the library has understood the response to what it has just been told.
    private func hear(_ key: String, after toldCount: Int) async {
        let network = self.network
        await self.news.wait(atMost: Self.patience) { network.hasHeard(key, after: toldCount) }
    }

    /// Tells the library what the user did to a login, and waits until the server has heard it.
    private func tell(_ key: String, _ what: (LoginSession) -> Void) async {
        guard let login = self.login(key), !login.isFinal,
            let session = self.memory.withLock({ $0.logins[key]?.session })
        else { return }
        let toldCount = self.network.record(of: key).toldCount
        what(session)
        await self.hear(key, after: toldCount)
    }

    func enter(_ code: String, _ key: String) async { await self.tell(key) { $0.enter(code: code) } }

    /// The user is back in the app, without a link.
    func reportBack(_ key: String) async { await self.tell(key) { $0.browserDidClose() } }

    func cancel(_ key: String) async { await self.tell(key) { $0.cancel() } }

    /// The app has what it needs of the result.
    func acknowledge(_ key: String) async {
        guard let session = self.memory.withLock({ $0.logins[key]?.session }) else { return }
        session.acknowledge()
        let network = self.network
        await self.news.wait(atMost: Self.patience) { network.record(of: key).isDeleted }
    }

    /// A link opens the app, and starts it if it is not running. The library finds the logins that it may belong to,
    /// and the server knows which of them it does.
    func open(_ link: String) async -> LinkOutcome {
        switch self.takeLinkTarget() {
        case .browser: return .browser
        case .otherPhone:
            // A phone of its own has a store of its own, and so no login.
            let isTaken = await self.makeClient(PhoneStore()).open(link)
            return isTaken ? .nothing : .otherPhone
        case .app: break
        }
        guard await self.run().open(link), let newest = self.newestKeys.first else { return .nothing }
        // A login that has ended needs no link any more, and the app shows how it ended.
        let open = self.newestKeys.filter { self.login($0)?.isFinal == false }
        guard !open.isEmpty, self.outage == nil else { return .app(key: open.first ?? newest) }
        let takers = open.filter { self.login($0)?.mayTake(link) == true }
        let network = self.network
        let isTaken: @Sendable (String) -> Bool = { network.record(of: $0).links[link] == 200 }
        await self.news.wait(atMost: Self.patience) {
            takers.contains { isTaken($0) && network.hasHeard($0, after: 0) }
                || takers.allSatisfy { network.record(of: $0).links[link] != nil }
        }
        return .app(key: takers.first(where: isTaken) ?? open[0])
    }

    private var newestKeys: [String] { self.memory.withLock { $0.keys.reversed() } }

    /// Returns what the next link opens. Anything but the app opens one link only.
    private func takeLinkTarget() -> LinkTarget {
        self.memory.withLock { memory in
            for key in memory.keys.reversed() {
                guard let target = memory.logins[key]?.login.linkTarget, target != .app else { continue }
                memory.logins[key]?.login.linkTarget = .app
                return target
            }
            return .app
        }
    }

    // MARK: - Interruptions

    /// Does to the login, or to its phone, what the user chose. The faults of brokers are set elsewhere.
    func interrupt(_ key: String, _ interruption: PhoneInterruption) async {
        guard let login = self.login(key), !login.isFinal else { return }
        self.change(key) { $0.interruption = interruption }
        switch interruption {
        case .kill: self.kill()
        case .offline: self.network.lose(for: Self.outage)
        case .minimise: await self.reportBack(key)
        case .linkInBrowser: self.change(key) { $0.linkTarget = .browser }
        case .linkOnOtherPhone: self.change(key) { $0.linkTarget = .otherPhone }
        case .clock: self.memory.withLock { $0.clockError = Self.clockError }
        case .slowBroker, .deadBroker: break
        }
        self.news.tell()
    }

    private func change(_ key: String, _ body: (inout PhoneLogin) -> Void) {
        self.memory.withLock { memory in
            guard var entry = memory.logins[key] else { return }
            body(&entry.login)
            memory.logins[key] = entry
        }
    }

    /// The system ends the app. What is in the store stays.
    private func kill() {
        let client = self.memory.withLock { memory in
            for (key, entry) in memory.logins {
                memory.logins[key]?.login.state = entry.session?.state ?? entry.login.state
                memory.logins[key]?.session = nil
            }
            defer { memory.client = nil }
            return memory.client
        }
        client?.stop()
    }

    /// Starts the app again. Its library reads the store, and does not know what has happened to the browser.
    func start(_ key: String) async {
        guard self.login(key)?.isKilled == true else { return }
        let toldCount = self.network.record(of: key).toldCount
        _ = await self.run()
        await self.hear(key, after: toldCount)
    }

    /// The secret with which a session begins.
    func secret(of key: String) -> String? {
        self.memory.withLock { $0.logins[key]?.id }.flatMap { self.store.secret(of: $0) }
    }
}

extension NewLogin {
    fileprivate init(_ options: VisitorPhone.Options, nonce: String) {
        self.init(
            provider: options.provider, platform: Platform(rawValue: options.platform),
            surface: options.surface.flatMap { name in Surface.allCases.first { $0.code == name } },
            locale: options.locale)
        self.app = options.app
        self.isEIDAppInstalled = options.hasEIDApp
        self.nonce = nonce
        self.dpopThumbprint = options.thumbprint
    }
}

extension PhoneRequest.Answer {
    /// There is none.
    static let none = Self(status: 0, body: [])
}
