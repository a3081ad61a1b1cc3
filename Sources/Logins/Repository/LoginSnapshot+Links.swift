/// The links that lead back to the app of a login, and whether they may carry a proof.
import Brokers

extension LoginSnapshot {
    /// How links begin that open the app for this login: its own, and the redirect URI if that is a link to the app.
    var returnPrefixes: [String] {
        let own = self.app?.returnPrefixes ?? []
        guard let redirectURI = self.broker?.appRedirectURI else { return own }
        return [redirectURI] + own
    }

    /// The link back to the app, with the login's name and the proof where it may carry one. Nil where the app has no link.
    var returnURL: String? {
        guard let prefix = self.returnPrefix else { return nil }
        guard self.provesByLink, let proof = self.proof else { return prefix }
        return "\(prefix)\(prefix.contains("?") ? "&" : "?")login=\(self.id)&proof=\(proof.link)"
    }

    /// What the page may show; nil where no proof is wanted, or nobody has come back yet.
    var proof: PageProof? {
        guard self.login.release != .immediate, self.login.isOpen, let taken = self.login.taken else { return nil }
        return PageProof(self.id, taken, under: self.key)
    }

    /// Whether the person has to type the code of the page, because no link back proves anything.
    var needsCode: Bool {
        self.login.release == .code || (self.login.release == .returnLink && !self.provesByLink)
    }

    /// Where the browser goes that brought this response.
    func destination(after taken: TakenResponse) -> BrowserDestination {
        // The code stands on the page only, and a session that is sent to the app ends there.
        let maySkipPage = self.login.surface == .authSession && self.login.status != nil && !self.needsCode
        if maySkipPage, let url = self.returnURL { return .app(url: url) }
        return .page(token: PageToken(self.id, taken, under: self.key).text)
    }

    /// Whether the link back carries the proof. Where it does not, the person types the code of the page.
    ///
    /// Any app can claim a custom scheme. An attacker who sends the link of his own login to a victim could have the proof
    /// sent to such an app, so it never goes over a scheme unless the operator has said so.
    private var provesByLink: Bool {
        guard self.login.release == .returnLink, let prefix = self.returnPrefix else { return false }
        return Self.isWebLink(prefix) || self.provesOverScheme
    }

    /// The link back without any proof. Nil where the app has no link.
    ///
    /// The session of an app that asked for its scheme ends at nothing else. In other browsers a link that can prove
    /// something is better.
    var returnPrefix: String? {
        let own = self.app?.returnPrefixes ?? []
        let wantsScheme =
            self.login.callback == .scheme && (self.provesOverScheme || self.login.surface == .authSession)
        let scheme = wantsScheme ? own.first { !Self.isWebLink($0) } : nil
        return scheme ?? own.first
    }

    private var provesOverScheme: Bool { self.app?.provesOverScheme ?? false }

    /// `check` lets http through only for loopback and for a sandbox.
    static func isWebLink(_ prefix: String) -> Bool { prefix.hasPrefix("https://") || prefix.hasPrefix("http://") }
}
