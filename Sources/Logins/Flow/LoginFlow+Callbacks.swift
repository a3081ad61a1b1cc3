/// The broker's answer: judged, and taken by one transition.
import Base
import Brokers
import OpenIDConnect

extension LoginFlow {
    /// A state that is ours, as it came and as it reads.
    struct ReceivedState {
        let text: String
        let token: StateToken
    }

    /// What a callback with a good state says.
    enum Judged {
        case granted(code: Secret)
        case denied(Reason, detail: String)
        /// The browser is back; the broker is asked for the rest.
        case landed

        /// What the log says of it.
        var answer: LoginEvent.Answer {
            switch self {
            case .granted: .granted
            case .denied(_, let detail): .denied(detail)
            case .landed: .landed
            }
        }

        /// What recognises this very response when it comes again.
        func hash(of id: LoginID, _ key: ServerKey) -> [UInt8] {
            switch self {
            case .granted(let code): key.trace(of: "code", code.exposed, id: id)
            case .denied(_, let detail): key.trace(of: "error", Array(detail.utf8), id: id)
            case .landed: key.trace(of: "landing", [], id: id)
            }
        }
    }

    func judge(
        _ parameters: [(name: String, value: String)], state: String, for provider: Provider, by broker: any Broker
    ) async -> Judged {
        do throws(BrokerFailure) {
            switch try await broker.judge(parameters, state: state, for: provider) {
            case .granted(let code): return .granted(code: code)
            case .denied(let failure): return .denied(failure.reason, detail: failure.detail)
            case .landed: return .landed
            }
        } catch {
            return .denied(error.reason, detail: error.detail)
        }
    }

    func take(
        _ judged: Judged, to state: StateToken, _ key: ServerKey, by broker: any Broker, byApp: Bool,
        cookies: [(name: String, value: String)]
    ) async throws(Refusal) -> CallbackAnswer {
        let hash = judged.hash(of: state.login, key)
        let answer: Login.Answer
        switch judged {
        case .granted(let code):
            let seal = FlightSeal(state.login, under: key)
            answer = .granted(code: seal.seal(.code, of: state.opening, code.exposed))
        case .denied(let reason, _):
            answer = .denied(reason)
        case .landed:
            answer = .landed
        }
        let hasCookie = OpeningCookie(state.login, opening: state.opening, under: key).isAmong(cookies)
        let changed = try await self.change(
            state.login, telling: { [.show, .ignore].contains($0) ? nil : .callback(judged.answer) }
        ) { login, _ in
            login.takeCallback(
                answer, to: state.opening, hash: hash, byApp: byApp, hasCookie: hasCookie, at: self.now())
        }
        if let changed, changed.action == .elsewhere { return .elsewhere }
        guard let changed, let taken = changed.login.taken else { return self.ignored(changed?.login, .late) }
        switch changed.action {
        case .exchange(let exchange):
            let (login, key) = (changed.login, changed.key)
            self.begin(exchange, of: login, key, with: broker)
        case .ended, .show, .elsewhere:
            break
        case .ignore:
            _ = self.ignored(changed.login, .otherResponse)
            return .continued
        }
        let back = self.back(of: changed.login, taken, changed.key)
        return .back(back, OpeningCookie(state.login, taken, under: changed.key))
    }

    /// Where the browser goes that brought this response.
    func back(of login: Login, _ taken: TakenResponse, _ key: ServerKey) -> Back {
        // The code stands on the page only, and a session that is sent to the app ends there.
        let maySkipPage = login.surface == "auth_session" && login.status != nil && !self.needsCode(login)
        if maySkipPage, let url = self.returnURL(of: login, key) { return .app(url: url) }
        return .page(token: PageToken(login.id, taken, under: key).text)
    }

    func ignored(_ login: Login?, _ cause: LoginEvent.IgnoredCallback) -> CallbackAnswer {
        self.observe(LoginEvent(.callbackIgnored(cause), login))
        return .neutral
    }
}
