// The links that lead back to the app of a login, and the rules for proofs in them.

import Brokers

extension LoginSnapshot {
    /// The prefixes of all links that open the app for this login: the app's own, and the redirect URI if it is a link
    /// to the app. An auth session waits for the first link, so the one where a login of a web page ends is before the
    /// app's others.
    var returnPrefixes: [String] {
        var own = self.app?.returnPrefixes ?? []
        if let page = self.pagePrefix { own = [page] + own.filter { $0 != page } }
        guard let redirectURI = self.broker?.appRedirectURI else { return own }
        return [redirectURI] + own
    }

    /// The link back to the app, with the login's id and with the proof if it may carry one. Nil if the app has no
    /// link.
    var returnURL: String? {
        guard let prefix = self.returnPrefix else { return nil }
        guard self.provesByLink, let proof = self.proof else { return prefix }
        return prefix.adding(query: "login=\(self.id)&proof=\(proof.link)")
    }

    /// The proof that the page may show. Nil if the login needs no proof, or if no browser has returned yet.
    var proof: PageProof? {
        guard self.login.release != .immediate, self.login.isOpen, let response = self.login.acceptedResponse else {
            return nil
        }
        return PageProof(self.id, response, under: self.key)
    }

    /// Whether the user has to type the code on the page, because a link back proves nothing.
    var needsCode: Bool {
        self.login.release == .code || (self.login.release == .returnLink && !self.provesByLink)
    }

    /// Returns where to send a browser that delivered this response. `hasCookie` says whether this one has the cookie of
    /// the attempt: it opened our link, or has delivered the response before.
    func destination(after response: AcceptedResponse, hasCookie: Bool) -> BrowserDestination {
        if self.maySkipPage(after: response, hasCookie: hasCookie), let url = self.returnURL { return .app(url: url) }
        return .page(token: PageToken(self.id, response, under: self.key).text)
    }

    /// Whether the browser that delivered this response may go to the app without a tap.
    private func maySkipPage(after response: AcceptedResponse, hasCookie: Bool) -> Bool {
        // The code is only on the page.
        guard self.login.status != nil, !self.needsCode else { return false }
        // An auth session ends when it is redirected to the app.
        guard self.login.platform == .web else { return self.login.surface == .authSession }
        // The browser is where the app's own page waits, if it is the one that opened our link. Another one may be on
        // another device, and its user needs the code. The same is true if the page has said that no link came.
        guard self.pagePrefix != nil, !self.wantsDonePage else { return false }
        return response.hasCookie && hasCookie && !self.login.isBrowserGone
    }

    /// Whether a web page asked for a browser that stays on the done page.
    private var wantsDonePage: Bool { self.login.surface == .tab || self.login.surface == .system }

    /// Whether the link back carries the proof. If it does not, the user types the code on the page.
    ///
    /// Any app can claim a custom scheme. Suppose an attacker sends the link of their own login to a victim: a proof on
    /// a custom scheme could then reach the attacker's app. So a proof never travels on a custom scheme unless the
    /// operator allows it.
    private var provesByLink: Bool {
        guard self.login.release == .returnLink, let prefix = self.returnPrefix else { return false }
        return ReturnPrefix.isWebLink(prefix) || self.provesOverScheme
    }

    /// The link back without a proof. Nil if the app has no link.
    ///
    /// A login of a web page leads to a page of the app, if there is one. An auth session for a custom scheme ends only
    /// at a link with that scheme, so an app that asked for its scheme gets that. For other browsers we prefer a link
    /// that can carry a proof.
    var returnPrefix: String? {
        if let page = self.pagePrefix { return page }
        let own = self.app?.returnPrefixes ?? []
        let wantsScheme =
            self.login.callback == .scheme && (self.provesOverScheme || self.login.surface == .authSession)
        let scheme = wantsScheme ? own.first { !ReturnPrefix.isWebLink($0) } : nil
        return scheme ?? own.first
    }

    /// Where the login of a web page ends. Nil for other logins, and if no link leads to a page of the app.
    private var pagePrefix: String? { self.login.platform == .web ? self.app?.pagePrefix : nil }

    private var provesOverScheme: Bool { self.app?.provesOverScheme ?? false }
}

extension String {
    /// Returns this URL with more parameters, which are encoded already. The URL may have some, but no fragment.
    func adding(query: String) -> String {
        self + (self.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
    }
}
