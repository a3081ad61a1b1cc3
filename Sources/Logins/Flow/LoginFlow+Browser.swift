/// What a browser does with a login: it opens our link, brings the broker's answer, and looks at the page.
import Brokers
import OpenIDConnect

extension LoginFlow {
    package enum OpenAnswer: Equatable, Sendable {
        /// Send it to the broker, with its cookie.
        case redirect(to: String, OpeningCookie?)
        /// It brought the broker's answer before.
        case back(Back)
        case page(PageView)
    }

    /// Where the browser goes that brought the broker's answer.
    package enum Back: Equatable, Sendable {
        /// The page of this login, by its token.
        case page(token: String)
        /// A link that opens the app: its browser window ends there, and shows no page.
        case app(url: String)
    }

    package enum CallbackAnswer: Equatable, Sendable {
        /// The cookie lets this browser come to the same place again.
        case back(Back, OpeningCookie)
        /// Nothing comes of this browser's opening, and the login goes on in another one.
        case elsewhere
        /// Another response was taken before: the login went on in another window. A page without button, code or link.
        case continued
        /// It belongs to no login that we know: a page without button, code or link.
        case neutral
        /// The store cannot be reached; the browser may try the same again.
        case unavailable
    }

    /// A browser opens the `/go` link: to log in, to go on with that, or to see the page again.
    package func open(
        _ startToken: String, languages: [String], cookies: [(name: String, value: String)] = [],
        by caller: Caller = Caller()
    ) async -> OpenAnswer {
        guard let id = StartToken.login(of: startToken, keys: self.book.keys) else { return .page(PageView(.neutral)) }
        do throws(Refusal) {
            guard let found = try await self.change(id, { _, _ in }) else { return .page(PageView(.neutral)) }
            let (login, key) = (found.login, found.key)
            if let taken = login.taken, OpeningCookie(id, taken, under: key).isAmong(cookies) {
                return .back(self.back(of: login, taken, key))
            }
            let opensApp = self.book.rules(of: login).providers[login.provider]?.provider.opensApp ?? false
            guard !opensApp else { return .page(self.page(of: login)) }
            let setout = login.setout(at: self.now()) { opening in
                OpeningCookie(id, opening: opening.id, under: key).isAmong(cookies)
            }
            return try await self.open(login, key, setout, languages, by: caller)
        } catch {
            return .page(PageView(.unavailable))
        }
    }

    private func open(
        _ login: Login, _ key: ServerKey, _ setout: Login.Setout, _ languages: [String], by caller: Caller
    ) async throws(Refusal) -> OpenAnswer {
        switch setout {
        case .new, .again: try caller.spend(.opening(of: login.id, isFirst: login.openings.isEmpty))
        case .refuse: return .page(self.page(.openElsewhere, of: login))
        case .show: return .page(self.page(of: login))
        }
        let made: Made
        do throws(BrokerFailure) {
            if case .again(let opening, let isOwn) = setout {
                made = try await self.makeAgain(opening, isOwn: isOwn, of: login, languages: languages, key)
            } else {
                made = try await self.makeOpening(of: login, languages: languages, key)
            }
        } catch {
            // Its browser has left; nobody is shown anything.
            guard !Task.isCancelled else { return .page(PageView(.unavailable)) }
            self.observe(LoginEvent(.openFailed(error), login))
            guard error.kind == .refused else { return .page(self.page(.unavailable, of: login)) }
            return try await self.refuse(login.id, error)
        }
        return try await self.send(made, of: login.id) { login in
            guard case .again(let opening, let isOwn) = setout else { return login.open(made.opening, at: self.now()) }
            return login.openAgain(opening.id, isOwn: isOwn, at: self.now())
        }
    }

    /// The broker's answer, by whatever way it came. It never fails: what is not understood changes nothing.
    package func takeCallback(
        broker brokerID: String, parameters: [(name: String, value: String)],
        cookies: [(name: String, value: String)] = [], by caller: Caller = Caller()
    ) async -> CallbackAnswer {
        guard let broker = self.book.broker(brokerID) else { return self.ignored(nil, .state) }
        let parameters = broker.received(parameters)
        guard let state = self.state(in: parameters, of: broker) else { return self.ignored(nil, .state) }
        do throws(Refusal) { try caller.spend(.exchange) } catch { return .unavailable }
        return await self.takeCallback(state, parameters, of: broker, cookies: cookies)
    }

    /// The name of the cookie that went with the opening of this answer; nil for a state that is not ours.
    package func cookieName(broker brokerID: String, parameters: [(name: String, value: String)]) -> String? {
        guard let broker = self.book.broker(brokerID) else { return nil }
        let state = self.state(in: broker.received(parameters), of: broker)
        return state.map { OpeningCookie.name(of: $0.token.opening) }
    }

    /// The same, once it is known whose login it is.
    func takeCallback(
        _ state: ReceivedState, _ parameters: [(name: String, value: String)], of broker: any Broker,
        byApp: Bool = false, cookies: [(name: String, value: String)] = []
    ) async -> CallbackAnswer {
        do throws(Refusal) {
            guard let found = try await self.change(state.token.login, { _, _ in }) else {
                return self.ignored(nil, .unknownLogin)
            }
            guard found.login.broker == broker.id else { return self.ignored(found.login, .otherBroker) }
            let rules = self.book.rules(of: found.login)
            guard let provider = rules.providers[found.login.provider]?.provider, let broker = rules.brokers[broker.id]
            else {
                return self.ignored(found.login, .unknownProvider)
            }
            let response = await self.judge(parameters, state: state.text, for: provider, by: broker)
            return try await self.take(response, to: state.token, found.key, by: broker, byApp: byApp, cookies: cookies)
        } catch {
            return .unavailable
        }
    }

    /// The state comes first: nothing else is believed before it, an error included (RFC 6749 §10.12). Nil when there is
    /// not exactly one, or it is none of ours.
    func state(in parameters: [(name: String, value: String)], of broker: any Broker) -> ReceivedState? {
        guard let text = broker.state(in: parameters),
            let token = StateToken(text, from: broker.id, keys: self.book.keys)
        else { return nil }
        return ReceivedState(text: text, token: token)
    }
}
