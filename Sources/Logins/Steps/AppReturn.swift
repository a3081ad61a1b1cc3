/// Takes what an app has when it is in front again: a link that opened it, the code of the page, or nothing.
import Base
import Brokers

final class AppReturn: Sendable {
    private let repository: LoginRepository
    private let acceptance: CallbackAcceptance
    private let proofs: ProofCheck
    private let renewal: LinkRenewal
    private let views: LoginViews

    init(
        _ repository: LoginRepository, _ acceptance: CallbackAcceptance, _ proofs: ProofCheck, _ renewal: LinkRenewal,
        _ views: LoginViews
    ) {
        self.repository = repository
        self.acceptance = acceptance
        self.proofs = proofs
        self.renewal = renewal
        self.views = views
    }

    /// The app is in front again, perhaps with a link that opened it. A broker's answer in it is taken as if a browser
    /// had brought it, if it belongs to this login; what belongs to another one changes nothing anywhere.
    func comeBack(
        _ id: LoginID, _ secret: PollSecret, link: ReturnLink?, by caller: Caller
    ) async throws(LoginFlowError) -> LoginView {
        let known = try await self.repository.read(id, secret)
        // What is gone, or does not open, takes nothing.
        _ = try self.views.view(of: known, secret)
        let login = try await self.take(link, for: known, secret, by: caller)
        let view = try self.views.view(of: login, secret)
        self.repository.tell(.returned(link == nil ? .withoutLink : .link), of: view)
        return try await self.renewal.renewed(view, of: login, secret, by: caller)
    }

    /// The person has typed the code of the page.
    func comeBack(_ id: LoginID, _ secret: PollSecret, code: String) async throws(LoginFlowError) -> LoginView {
        let known = try await self.repository.read(id, secret)
        _ = try self.views.view(of: known, secret)
        return try self.views.view(of: try await self.proofs.check(.code(code), for: known, secret), secret)
    }

    /// Returns the login as it stands then.
    private func take(
        _ link: ReturnLink?, for known: LoginSnapshot, _ secret: PollSecret, by caller: Caller
    ) async throws(LoginFlowError) -> LoginSnapshot {
        guard let link else { return try await self.noteReturn(of: known, isBrowserGone: true) }
        let own = known.app?.returnPrefixes ?? []
        let isOwn = own.contains { link.text.utf8.starts(with: $0.utf8) }
        let broker = known.provider.flatMap { known.rules.brokers[$0.provider.brokerID] }
        if let broker, let parameters = link.parameters.map(broker.received) {
            let isCallback = broker.appRedirectURI.map { identical(link.location, $0) } ?? false
            if isCallback || isOwn, let url = broker.resumeURL(in: parameters) {
                return try await self.resume(known, secret, at: url, by: parameters, of: broker)
            }
            // An error that names no login ends none: anybody can make a link that opens the app.
            let hasError = parameters.contains { $0.name == "error" }
            let hasState = parameters.contains { $0.name == "state" }
            if isCallback || isOwn, hasError, broker.answersWithoutState, !hasState {
                return try await self.noteReturn(of: known, isBrowserGone: true)
            }
            // A code is taken only where the broker was told to send it; an error, from any of the app's links.
            if isCallback || (isOwn && hasError) {
                try caller.spend(.exchange)
                let response = try self.response(parameters, to: known, from: broker)
                // Where another answer was taken before, or another opening may still be answered, the login says so.
                let taken = try await self.acceptance.accept(response, for: known).login
                guard let taken else { throw .unknownLogin }
                return try await self.proofs.check(.callback, for: taken, secret)
            }
        }
        guard isOwn else { throw .notOurs }
        guard let shown = try Self.proof(in: link, of: known.id) else {
            return try await self.noteReturn(of: known, isBrowserGone: false)
        }
        return try await self.proofs.check(shown, for: known, secret)
    }

    /// The e-ID's app has sent our app back: now the browser has to go on, from where only the broker knows.
    private func resume(
        _ known: LoginSnapshot, _ secret: PollSecret, at url: String, by parameters: Broker.Parameters,
        of broker: any Broker
    ) async throws(LoginFlowError) -> LoginSnapshot {
        guard let state = self.acceptance.state(in: parameters, of: broker), state.token.login == known.id else {
            throw .notOurs
        }
        let changed = try await self.repository.change(known) { login, key in
            let sealed = FlightSeal(login.id, under: key).seal(.resume, of: [], Array(url.utf8))
            login.resume(at: sealed, opening: state.token.opening)
        }
        guard let changed else { throw .unknownLogin }
        return try await self.proofs.check(.switched(opening: state.token.opening), for: changed.snapshot, secret)
    }

    /// An answer, whose `state` must be this login's. Where a broker may leave it out, it is the newest opening's.
    private func response(
        _ parameters: Broker.Parameters, to known: LoginSnapshot, from broker: any Broker
    ) throws(LoginFlowError) -> CallbackAcceptance.Response {
        if let state = self.acceptance.state(in: parameters, of: broker) {
            guard state.token.login == known.id else { throw .notOurs }
            return CallbackAcceptance.Response(state: state, parameters: parameters, broker: broker, isByApp: true)
        }
        guard broker.answersWithoutState, !parameters.contains(where: { $0.name == "state" }),
            let opening = known.login.openings.last?.id ?? known.login.taken?.opening
        else { throw .notOurs }
        let token = StateToken(login: known.id, opening: opening)
        let text = token.text(for: broker.id, under: known.key)
        return CallbackAcceptance.Response(
            state: CallbackAcceptance.ReceivedState(text: text, token: token),
            parameters: parameters + [Parameter("state", text)], broker: broker, isByApp: true)
    }

    /// The person is back, without an answer. A broker that tells it only when asked is asked now. A link without a proof
    /// says nothing of the browser: it waits behind the app.
    private func noteReturn(of known: LoginSnapshot, isBrowserGone: Bool) async throws(LoginFlowError) -> LoginSnapshot
    {
        let opensApp = known.provider?.provider.opensApp == true
        guard opensApp || isBrowserGone else { return known }
        let changed = try await self.repository.change(known) { login, _ in
            if opensApp { login.comeBack() } else { login.loseBrowser() }
        }
        guard let changed else { throw .unknownLogin }
        return changed.snapshot
    }

    /// The proof in one of our own links; nil when there is none. One for another login is not ours.
    private static func proof(in link: ReturnLink, of id: LoginID) throws(LoginFlowError) -> ProofCheck.Claim? {
        func values(_ name: String) -> [String] {
            (link.parameters ?? []).filter { $0.name == name }.map(\.value)
        }
        let (logins, proofs, switches) = (values("login"), values("proof"), values("switch"))
        guard !(logins + proofs + switches).isEmpty else { return nil }
        guard logins == [id.description], proofs.count + switches.count <= 1 else { throw .notOurs }
        return proofs.first.map { .link($0) } ?? switches.first.map { .switchLink($0) }
    }
}
