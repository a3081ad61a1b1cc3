/// What a browser does with a login: it opens our link, brings the broker's answer, and looks at the page.
import Brokers
import JOSE
import OpenIDConnect

extension LoginFlow {
    package enum OpenAnswer: Equatable, Sendable {
        /// Send it to the broker.
        case redirect(to: String)
        case page(PageView)
    }

    package enum CallbackAnswer: Equatable, Sendable {
        /// The page of this login, by its token.
        case page(token: String)
        /// A link that opens the app: its browser window ends there, and shows no page.
        case app(url: String)
        /// It belongs to no login that we know: a page without button, code or link.
        case neutral
        /// The store cannot be reached; the browser may try the same again.
        case unavailable
    }

    /// A browser opens the `/go` link. Each opening is an authorize request of its own.
    package func open(_ startToken: String, languages: [String]) async -> OpenAnswer {
        guard let id = StartToken.login(of: startToken, keys: self.keys) else { return .page(PageView(.neutral)) }
        do throws(Refusal) {
            guard let found = try await self.change(id, { _, _ in }) else { return .page(PageView(.neutral)) }
            guard found.login.state == .pending else { return .page(self.page(of: found.login)) }
            let made: (opening: Opening, url: String)
            do throws(BrokerFailure) {
                made = try await self.makeOpening(of: found.login, languages: languages, found.key)
            } catch {
                self.observe(LoginEvent(.openFailed, found.login, detail: error.detail))
                guard error.kind == .refused else { return .page(self.page(.unavailable, of: found.login)) }
                return try await self.refuse(id, error)
            }
            return try await self.keep(made.opening, made.url, of: id)
        } catch {
            return .page(PageView(.unavailable))
        }
    }

    /// The broker's answer, by whatever way it came. It never fails: what is not understood changes nothing.
    package func takeCallback(
        broker brokerID: String, parameters: [(name: String, value: String)]
    ) async -> CallbackAnswer {
        guard let broker = self.brokers[brokerID] else { return self.ignored(nil, "state") }
        let parameters = broker.received(parameters)
        guard let state = self.state(in: parameters, of: broker) else { return self.ignored(nil, "state") }
        return await self.takeCallback(state, parameters, of: broker)
    }

    /// The same, once it is known whose login it is.
    func takeCallback(
        _ state: ReceivedState, _ parameters: [(name: String, value: String)], of broker: Broker, byApp: Bool = false
    ) async -> CallbackAnswer {
        do throws(Refusal) {
            guard let found = try await self.change(state.token.login, { _, _ in }) else {
                return self.ignored(nil, "unknown login")
            }
            guard found.login.broker == broker.id else { return self.ignored(found.login, "broker") }
            let response = await self.judge(parameters, state: state.text, by: broker)
            return try await self.take(response, to: state.token, found.key, by: broker, byApp: byApp)
        } catch {
            return .unavailable
        }
    }

    /// The state comes first: nothing else is believed before it, an error included (RFC 6749 §10.12). Nil when there is
    /// not exactly one, or it is none of ours.
    func state(in parameters: [(name: String, value: String)], of broker: Broker) -> ReceivedState? {
        guard let text = broker.state(in: parameters), let token = StateToken(text, from: broker.id, keys: self.keys)
        else { return nil }
        return ReceivedState(text: text, token: token)
    }

    /// What the page of this token says now; nil when it is not one of ours.
    package func page(_ pageToken: String) async -> PageView? {
        guard let token = PageToken(pageToken) else { return nil }
        do throws(Refusal) {
            guard let found = try await self.change(token.login, { _, _ in }), let taken = found.login.taken,
                token.shows(taken, under: found.key)
            else { return nil }
            return self.page(of: found.login, found.key)
        } catch {
            return PageView(.unavailable)
        }
    }

    /// The login that a page token names, to wait for. It proves nothing.
    package func login(ofPage pageToken: String) -> LoginID? { PageToken(pageToken)?.login }
}

// MARK: - Openings

extension LoginFlow {
    /// A new opening and the authorize URL that goes with it. Nothing is stored yet.
    func makeOpening(
        of login: Login, languages: [String], _ key: ServerKey, keepsURL: Bool = false
    ) async throws(BrokerFailure) -> (opening: Opening, url: String) {
        guard let provider = self.providers[login.provider], let broker = self.brokers[login.broker] else {
            throw BrokerFailure(.unavailable, "provider is not configured any more")
        }
        let id = RandomBytes.make(Opening.idByteCount)
        let state = StateToken(login: login.id, opening: id).text(for: login.broker, under: key)
        let challenge = Challenge.make(state: state)
        let seal = FlightSeal(login.id, under: key)
        let wishes = seal.open(.request, of: [], login.request).flatMap { try? AppWishes($0) }
        let url = try await broker.authorizationURL(
            for: provider, challenge, self.visit(of: login, wishes, languages: languages))
        let flight = Flight(challenge, url: keepsURL ? url : nil)
        let opening = Opening(id: id, openedAt: self.now(), flight: seal.seal(.challenge, of: id, flight.bytes))
        return (opening, url)
    }

    /// Waiting does not help where the broker has said no; a login that somebody may still finish is left alone.
    private func refuse(_ id: LoginID, _ failure: BrokerFailure) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in login.refuse(failure.reason, at: self.now()) }
        guard let changed else { return .page(PageView(.neutral)) }
        guard changed.login.state != .pending else { return .page(self.page(.unavailable, of: changed.login)) }
        return .page(self.page(of: changed.login))
    }

    private func visit(of login: Login, _ wishes: AppWishes?, languages: [String]) -> Visit {
        var visit = Visit()
        visit.platform = login.platform.flatMap(Visit.Platform.init)
        visit.system = wishes?.system
        visit.redirectsToApp = self.brokers[login.broker]?.appRedirectURI != nil
        visit.switchesApps = wishes?.switchesApps ?? true
        visit.languages = login.locale.map { [$0] } ?? languages
        visit.returnURL = self.settings.apps[login.app]?.returnPrefixes.first { $0.hasPrefix("https://") }
        visit.parameters = wishes?.parameters ?? []
        return visit
    }

    func flight(of opening: [UInt8], _ sealed: [UInt8], _ id: LoginID, _ key: ServerKey) -> Flight? {
        FlightSeal(id, under: key).open(.challenge, of: opening, sealed).flatMap { try? Flight($0) }
    }

    private func keep(_ opening: Opening, _ url: String, of id: LoginID) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in login.open(opening, at: self.now()) }
        guard let changed else { return .page(PageView(.neutral)) }
        switch changed.action {
        case .send:
            self.observe(LoginEvent(.opened, changed.login))
            return .redirect(to: url)
        case .show:
            return .page(self.page(of: changed.login))
        }
    }
}

// MARK: - Callbacks

extension LoginFlow {
    /// A state that is ours, as it came and as it reads.
    struct ReceivedState {
        let text: String
        let token: StateToken
    }

    /// What a callback with a good state says.
    private enum Judged {
        case granted(code: Secret)
        case denied(Reason, detail: String)

        /// What recognises this very response when it comes again.
        func hash(of id: LoginID, _ key: ServerKey) -> [UInt8] {
            switch self {
            case .granted(let code): key.trace(of: "code", code.exposed, id: id)
            case .denied(_, let detail): key.trace(of: "error", Array(detail.utf8), id: id)
            }
        }
    }

    private func judge(
        _ parameters: [(name: String, value: String)], state: String, by broker: Broker
    ) async -> Judged {
        do throws(BrokerFailure) {
            switch try await broker.judge(parameters, state: state) {
            case .granted(let code): return .granted(code: code)
            case .denied(let error) where error.code == "access_denied":
                return .denied(.userCancelled, detail: error.code)
            case .denied(let error): return .denied(.brokerError, detail: error.code)
            }
        } catch {
            return .denied(error.reason, detail: error.detail)
        }
    }

    private func take(
        _ judged: Judged, to state: StateToken, _ key: ServerKey, by broker: Broker, byApp: Bool
    ) async throws(Refusal) -> CallbackAnswer {
        let hash = judged.hash(of: state.login, key)
        let answer: Login.Answer
        switch judged {
        case .granted(let code):
            let seal = FlightSeal(state.login, under: key)
            answer = .granted(code: seal.seal(.code, of: state.opening, code.exposed))
        case .denied(let reason, _):
            answer = .denied(reason)
        }
        let changed = try await self.change(state.login) { login, _ in
            login.takeCallback(answer, to: state.opening, hash: hash, byApp: byApp, at: self.now())
        }
        guard let changed, let taken = changed.login.taken else { return self.ignored(changed?.login, "late") }
        switch changed.action {
        case .exchange(let exchange):
            let (login, key) = (changed.login, changed.key)
            self.observe(LoginEvent(.callback, login))
            self.exchanges.start { await self.exchange(exchange, of: login, key, with: broker) }
        case .ended:
            var detail: String?
            if case .denied(_, let text) = judged { detail = text }
            self.observe(LoginEvent(.callback, changed.login, detail: detail))
        case .show:
            break
        case .ignore:
            return self.ignored(changed.login, "another response")
        }
        if changed.login.surface == "auth_session", let url = self.returnURL(of: changed.login, changed.key) {
            return .app(url: url)
        }
        return .page(token: PageToken(state.login, taken, under: changed.key).text)
    }

    private func ignored(_ login: Login?, _ detail: String) -> CallbackAnswer {
        self.observe(LoginEvent(.callbackIgnored, login, detail: detail))
        return .neutral
    }
}

// MARK: - Pages

extension LoginFlow {
    /// With a key, for the browser that brought the broker's answer: its page may hold the proof.
    private func page(of login: Login, _ key: ServerKey? = nil) -> PageView {
        switch login.state {
        case .pending, .gone: self.page(.neutral, of: login)
        case .exchanging: self.page(.completing, of: login, key)
        case .awaitingReturn: self.page(.awaitingReturn, of: login, key)
        case .completed: self.page(.completed, of: login)
        case .failed(let reason, _): self.page(.failed(reason), of: login)
        case .cancelled: self.page(.cancelled, of: login)
        case .expired: self.page(.expired, of: login)
        }
    }

    private func page(_ kind: PageView.Kind, of login: Login, _ key: ServerKey? = nil) -> PageView {
        guard kind != .neutral else { return PageView(.neutral) }
        var view = PageView(kind, reference: login.id.reference, app: login.app, locale: login.locale)
        view.returnURL = self.returnURL(of: login, key)
        if kind == .awaitingReturn, let key { view.code = self.proof(of: login, key)?.code }
        return view
    }
}
