import Foundation
import SwitchbackClient

/// Plays a case in an app's own tests: it is the server, the network, the clock, the store and the user of a
/// `LoginClient`, and compares what the client sends and shows with the case.
public actor CasePlay {
    private let row: LoginCase
    private let phone = CasePhone()
    private let patience: Double
    private let started: @Sendable (LoginClient, LoginSession?) -> Void
    private var client: LoginClient
    private var session: LoginSession?
    private var reader: Task<Void, Never>?
    /// What has come so far: calls, calls of earlier processes, states, timers, events of this process, and failures to
    /// store.
    private var (calls, earlierCalls, states, timers, events, failures) = (0, 0, 0, 0, 0, 0)

    /// Prepares a case. `started` gets the client and its login at each start of the app, so that screens and models of
    /// the app can read the login's `states`. It must not tell the login what the user does: the case does that. The
    /// login is nil if the app has acknowledged it before.
    ///
    /// `patience` is how many seconds a step may take before the client counts as hanging. A client that works is
    /// never waited for: the play sees when it does nothing more.
    public init(
        _ row: LoginCase, patience: Double = 15,
        started: @escaping @Sendable (LoginClient, LoginSession?) -> Void = { _, _ in }
    ) {
        (self.row, self.patience, self.started) = (row, patience, started)
        self.client = LoginClient(
            server: row.book.server, store: self.phone, dependencies: self.phone.makeDependencies())
    }

    /// Plays the case, and returns where the client does something else; empty if it does what the case says.
    public func play() async throws -> [String] {
        defer {
            self.client.stop()
            self.phone.end()
        }
        if let saved = self.row.saved {
            self.phone.put(
                try self.row.book.record(saved, self.row.request, startedAt: self.phone.startedAt))
        }
        var differences: [String] = []
        for (index, step) in self.row.steps.enumerated() {
            let next = index + 1 < self.row.steps.count ? self.row.steps[index + 1] : nil
            let fails = next?["event"]?.string == "store_failed"
            self.phone.set(failsToStore: fails)
            self.phone.advance(by: (step["after_ms"]?.double ?? 0) / 1000)
            self.phone.set(jitter: step["jitter"]?.double ?? 0)
            let mayBeHandled = try await self.perform(step)
            if fails {
                // What comes behind `must_store` is not done then, and the next step says what is.
                self.events += 1
                self.failures += 1
                _ = await self.eventually { $0.failuresToStore >= self.failures }
                continue
            }
            let effects = step["effects"]?.array ?? []
            differences += try await self.compare(effects, mayBeHandled).map { "step \(index + 1): \($0)" }
            if !differences.isEmpty { break }
        }
        return differences
    }

    // MARK: - Events

    /// Returns whether the login handles the event, as long as it is not over.
    private func perform(_ step: JSONValue) async throws -> Bool {
        switch step["event"]?.string {
        // An app starts a login once. What it can call again at any time is this.
        case "start" where self.session != nil:
            _ = try await self.client.resume()
            return false
        case "start":
            self.phone.prepare(secret: self.row.book.secretWords)
            let request = try JSONDecoder().decode(NewLogin.self, from: self.row.request.data)
            let former = try self.row.request["replaces"]?.string.map { try self.startFormer(request, secret: $0) }
            self.begin(former.map { self.client.start(request, replacing: $0) } ?? self.client.start(request))
        case "killed": try await self.restart(step["in_foreground"]?.bool ?? true)
        case "store_failed": break
        case "response":
            let number = try self.number(step)
            return self.phone.respond(try self.row.book.response(step["response"] ?? .null), to: number)
        case "no_response": return self.phone.respond(nil, to: try self.number(step))
        case "timer":
            guard self.phone.fire() else { throw LoginCase.FormatError("no timer is set: \(step.text)") }
        case "link":
            let link = step["link"]?.string ?? ""
            return await self.client.open(link)
        case "foreground": self.client.didEnterForeground()
        case "background": self.client.didEnterBackground()
        default: return try self.tell(step)
        }
        return true
    }

    /// Starts the login that the one of the case replaces, on a phone of its own.
    private func startFormer(_ request: NewLogin, secret: String) throws -> LoginSession {
        let phone = CasePhone()
        phone.prepare(secret: try CaseBook.words(of: secret))
        let client = LoginClient(
            server: self.row.book.server, store: phone, dependencies: phone.makeDependencies())
        defer {
            client.stop()
            phone.end()
        }
        return client.start(request)
    }

    /// A login that was acknowledged before a kill has no screen, so nobody tells it anything.
    private func tell(_ step: JSONValue) throws -> Bool {
        let words = ["code", "surface_closed", "cancel", "open_again", "refresh", "acknowledge", "abandon"]
        guard let event = step["event"]?.string, words.contains(event) else {
            throw LoginCase.FormatError("unknown event: \(step.text)")
        }
        guard let session else { return false }
        switch event {
        case "code": session.enter(code: step["code"]?.string ?? "")
        case "surface_closed": session.browserDidClose()
        case "cancel": session.cancel()
        case "open_again": session.openAgain()
        case "refresh": session.refresh()
        case "acknowledge": session.acknowledge()
        default: session.abandon()
        }
        return true
    }

    private func number(_ step: JSONValue) throws -> Int {
        if let index = step["to"]?.integer { return self.earlierCalls + index - 1 }
        guard let number = self.phone.underWay else {
            throw LoginCase.FormatError("no call is under way: \(step.text)")
        }
        return number
    }

    private func begin(_ session: LoginSession?) {
        self.session = session
        self.started(self.client, session)
        guard let session else { return self.phone.endStates() }
        // Before the reader's task runs, so that it misses nothing.
        let stream = session.states
        self.reader = Task { [phone] in
            for await state in stream { phone.show(state) }
            if !Task.isCancelled { phone.endStates() }
        }
    }

    private func restart(_ isInForeground: Bool) async throws {
        self.reader?.cancel()
        self.client.stop()
        self.phone.end()
        (self.earlierCalls, self.events) = (self.calls, 0)
        self.client = LoginClient(
            server: self.row.book.server, store: self.phone, dependencies: self.phone.makeDependencies())
        if !isInForeground { self.client.didEnterBackground() }
        self.begin(try await self.client.resume().first)
    }

    // MARK: - Effects

    private func compare(_ effects: [JSONValue], _ mayBeHandled: Bool) async throws -> [String] {
        let expectedCalls = try effects.filter { $0["call"] != nil }.map {
            try self.row.book.call($0, self.row.request)
        }
        let expectedStates = effects.filter { $0["show"] != nil }
        self.events += mayBeHandled ? 1 : 0
        let isQuiet = await self.eventually { $0.isQuiet(after: self.events) }
        let (requests, states) = (self.phone.sentRequests, self.phone.states)
        let (newRequests, newStates) = (requests.dropFirst(self.calls), states.dropFirst(self.states))
        let newTimers = self.phone.timersSet - self.timers
        (self.calls, self.states, self.timers) = (requests.count, states.count, self.phone.timersSet)
        self.events = max(self.events, self.phone.handled)
        let doesAll =
            isQuiet && newRequests.count >= expectedCalls.count
            && newTimers >= effects.filter { $0["timer_ms"] != nil }.count
            && (self.phone.isSilent || newStates.count >= expectedStates.count)
        var differences: [String] = doesAll ? [] : ["it does not do all of \(JSONValue.array(effects).text)"]
        if Array(newRequests) != expectedCalls {
            differences.append("it sends \(JSONValue.array(Array(newRequests)).text)")
        }
        let shownStates = newStates.map(Self.word)
        let words = expectedStates.map { effect in
            JSONValue.object(effect.members.filter { ["show", "do", "tries_left"].contains($0.key) })
        }
        // After `acknowledge` the app gets no more states.
        let isSame = self.phone.isSilent ? words.starts(with: shownStates) : words == shownStates
        if !isSame { differences.append("it shows \(JSONValue.array(shownStates).text)") }
        return differences
    }

    /// Waits until something is so, and returns whether it came to be.
    private func eventually(_ condition: (CasePhone) -> Bool) async -> Bool {
        for _ in 0..<200 {
            if condition(self.phone) { return true }
            await Task.yield()
        }
        let end = MonotonicInstant.now().seconds + self.patience
        while MonotonicInstant.now().seconds < end {
            if condition(self.phone) { return true }
            try? await Task.sleep(nanoseconds: 2_000_000)
        }
        return condition(self.phone)
    }

    private static func word(_ state: LoginState) -> JSONValue {
        var members: [String: JSONValue] = ["show": .string(state.kind.code)]
        members["do"] = state.action.map(Self.word)
        members["tries_left"] = state.triesLeft.map(JSONValue.integer)
        return .object(members)
    }

    /// The action as the API says it. Members that are missing or empty are left out.
    private static func word(_ action: NextAction) -> JSONValue {
        var members: [String: JSONValue?] = ["action": .string(action.kind.code)]
        if let launch = action.browser {
            members["url"] = .string(launch.url)
            members["surfaces"] = launch.surfaces.isEmpty ? nil : .array(launch.surfaces.map { .string($0.code) })
            members["callback"] = launch.callback.map(JSONValue.string)
            members["callback_scheme"] = launch.callbackScheme.map(JSONValue.string)
            members["ephemeral"] = launch.isEphemeral ? .bool(true) : nil
            members["android_packages"] =
                launch.androidPackages.isEmpty ? nil : .array(launch.androidPackages.map(JSONValue.string))
        }
        if let launch = action.app {
            members["universal_link"] = launch.universalLink.map(JSONValue.string)
            members["custom_scheme"] = launch.customScheme.map(JSONValue.string)
            members["android_package"] = launch.androidPackage.map(JSONValue.string)
            members["store_url"] = launch.storeURL.map(JSONValue.string)
            members["fallback"] = launch.fallback.map(JSONValue.string)
            members["expires_in"] = launch.expiresIn.map(JSONValue.integer)
        }
        return .object(members.compactMapValues { $0 })
    }
}
