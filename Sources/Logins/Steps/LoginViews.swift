import Base
import Brokers

/// Builds what an app may see of its login now, and what it should do next.
struct LoginViews: Sendable {
    let now: @Sendable () -> Timestamp

    /// Returns the view of a login. Throws `.gone` if only its tombstone is left.
    func view(of snapshot: LoginSnapshot, _ secret: PollSecret) throws(LoginFlowError) -> LoginView {
        let login = snapshot.login
        guard let status = login.status else { throw .gone }
        var result: LoginResult?
        var proof: SameDeviceProof?
        if case .completed(let outcome) = login.state {
            let header = OutcomeSeal.Header(
                login: login, status: .completed, proof: outcome.proof, keepUntil: outcome.keepUntil)
            let seal = OutcomeSeal(secret.outcomeKey(of: login.id), header, under: snapshot.key)
            result = seal.open(outcome.sealed).flatMap { LoginResult($0) }
            proof = outcome.proof
            // The secret is right, so a result that does not decrypt was changed in the store.
            guard result != nil else { throw .storeUnavailable }
        }
        var view = LoginView(
            id: login.id, status: status, version: login.version, app: login.app, provider: login.provider,
            platform: login.platform, assertion: snapshot.app?.assertion,
            createdAt: login.createdAt, expiresAt: login.lapsesAt, reason: login.reason, hint: login.hint,
            next: self.next(for: snapshot).map { Self.adapted($0, to: snapshot) },
            result: result,
            proof: proof, returnPrefixes: snapshot.returnPrefixes)
        if let knownProvider = snapshot.provider {
            view.surfaces = knownProvider.provider.surfaces(on: login.platform, wanted: login.surface)
            view.isEphemeral = knownProvider.provider.isEphemeral
        }
        if case .completed(let outcome) = login.state {
            view.completedAt = outcome.keepUntil - .milliseconds(login.resultTTL)
            view.dpopThumbprint = snapshot.options?.dpopThumbprint
        }
        return view
    }

    private func next(for snapshot: LoginSnapshot) -> LoginView.Next? {
        let browsers = snapshot.androidBrowsers
        switch snapshot.login.state {
        case .pending:
            if let next = Self.resumption(of: snapshot) ?? self.linkOfCreate(of: snapshot) { return next }
            let token = StartToken.text(for: snapshot.id, under: snapshot.key)
            return .openBrowser(url: snapshot.configuration.settings.startURL + token, androidBrowsers: browsers)
        case .exchanging:
            return .wait
        case .awaitingReturn:
            let url = Self.pageURL(of: snapshot)
            return snapshot.needsCode || snapshot.login.isBrowserGone
                ? .enterCode(url: url, androidBrowsers: browsers) : .showBrowser(url: url, androidBrowsers: browsers)
        case .completed, .failed, .cancelled, .expired, .gone:
            return nil
        }
    }

    /// The URL at which the browser goes on, after the e-ID's app has sent the user back.
    private static func resumption(of snapshot: LoginSnapshot) -> LoginView.Next? {
        let sealed = snapshot.login.resume
        guard !sealed.isEmpty, let url = snapshot.inFlightSeal.open(.resume, of: [], sealed) else { return nil }
        return .resumeBrowser(url: String(decoding: url, as: UTF8.self), androidBrowsers: snapshot.androidBrowsers)
    }

    /// The link of the newest attempt, if the create request makes attempts.
    private func linkOfCreate(of snapshot: LoginSnapshot) -> LoginView.Next? {
        let login = snapshot.login
        guard let provider = snapshot.provider, provider.startsAtCreate, let attempt = login.attempts.last else {
            return nil
        }
        // A broker may accept its authorize URL only once, so "continue" uses our `/go` link. A link to the e-ID's app
        // is renewed instead.
        let isFirst = !login.isBrowserGone && login.attempts.count == 1
        guard isFirst || provider.opensApp, let target = snapshot.inFlight(of: attempt)?.target else {
            return nil
        }
        switch target {
        case .browser(let url): return .openBrowser(url: url, androidBrowsers: snapshot.androidBrowsers)
        case .app(let app):
            // We can make no further link, and the e-ID's app would refuse this one.
            let isLast = login.attempts.count >= AuthorizationAttempt.maxAtOnce
            return isLast && app.isExpired(at: self.now())
                ? .wait : .openApp(Self.reachable(app, provider.provider.download, of: snapshot))
        }
    }

    /// Returns the action for the login's client: if it does not know this one, it opens a page that helps the user.
    private static func adapted(_ next: LoginView.Next, to snapshot: LoginSnapshot) -> LoginView.Next {
        // Most views have one of these, which every client knows. To decrypt the options would cost something.
        guard next.action != .openBrowser, next.action != .wait else { return next }
        let actions = snapshot.options?.actions ?? .usual
        guard !actions.contains(next.action) else { return next }
        switch next {
        // The create was refused, so the provider has changed since. Our own link says how to continue.
        case .openApp: return .openBrowser(url: Self.pageURL(of: snapshot))
        case .enterCode(let url, let browsers) where actions.contains(.showBrowser):
            return .showBrowser(url: url, androidBrowsers: browsers)
        case .resumeBrowser(let url, let browsers), .showBrowser(let url, let browsers),
            .enterCode(let url, let browsers):
            return .openBrowser(url: url, androidBrowsers: browsers)
        case .openBrowser, .wait: return next
        }
    }

    /// Adds where to download the e-ID's app for this phone.
    private static func reachable(
        _ app: AppTarget, _ download: EIDAppDownload?, of snapshot: LoginSnapshot
    ) -> AppTarget {
        guard let download else { return app }
        var app = app
        app.storeURL = download.store(on: snapshot.phone)
        app.fallback = download.fallback ?? app.storeURL
        return app
    }

    /// The URL that brings the browser with the right cookie back to its page. It tells the app nothing.
    private static func pageURL(of snapshot: LoginSnapshot) -> String {
        let token = StartToken.text(for: snapshot.id, under: snapshot.key)
        // A redirect URI of the app that opened in a browser reached this server under the URI's host, so the cookie is
        // on that host.
        if let redirectURI = snapshot.broker?.appRedirectURI, let origin = Self.webOrigin(of: redirectURI) {
            return "\(origin)/go/\(token)"
        }
        return snapshot.configuration.settings.startURL + token
    }

    /// Returns nil for a custom scheme.
    private static func webOrigin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }) else { return nil }
        return scheme + url.dropFirst(scheme.count).prefix { $0 != "/" }
    }
}

extension LoginSnapshot {
    /// The browsers on Android from which the e-ID's app finds its way back.
    fileprivate var androidBrowsers: [String] { self.provider?.androidBrowsers ?? [] }
}
