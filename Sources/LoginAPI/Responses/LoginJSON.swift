import Base
import Brokers
import Logins
import StrictJSON

/// Writes a login as apps see it. It does not use Codable, because no other response is sent so often.
package struct LoginJSON: Sendable {
    /// How an app should poll.
    package struct Polling: Equatable, Sendable {
        /// The longest long poll, in seconds.
        package var wait = 25
        /// The seconds between two polls that do not wait.
        package var interval = 2

        package init() {}
    }

    let polling: Polling

    package init(polling: Polling) { self.polling = polling }

    /// `pollSecret` is only for the response to a create request without one. `after` is how many milliseconds the app
    /// should wait before its next poll. `ignored` names the members of the request that this server does not know.
    ///
    /// Not inlined, so that its many local variables are on the stack and not in the frame of an async caller.
    @inline(never) package func bytes(
        _ view: LoginView, at now: Timestamp, pollSecret: PollSecret? = nil, after: Int = 0, assertion: String? = nil,
        for reader: ClientKind = .phone, ignored: [String] = []
    ) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("id", view.id.description)
        if let pollSecret { object.add("poll_secret", pollSecret.exposedText) }
        object.add("status", view.status.rawValue)
        object.add("final", view.status.isFinal)
        object.add("version", view.version)
        object.add("app", view.app)
        object.add("provider", view.provider)
        object.add("reference", view.reference)
        object.add("expires_at", view.expiresAt.wholeSecondRFC3339)
        object.add("expires_in", Self.secondsLeft(until: view.expiresAt, at: now))
        object.add("return_prefixes", view.returnPrefixes)
        // A final login needs no more polls, and `after` must not change an earlier response.
        if !view.status.isFinal {
            object.add("poll") { poll in
                poll.add("wait", self.polling.wait)
                poll.add("interval", self.polling.interval)
                poll.add("after_ms", after)
            }
        }
        if let next = view.next { object.add("next") { Self.add(next, of: view, at: now, to: &$0) } }
        if let hint = view.hint { object.add("hint", hint.rawValue) }
        if let reason = view.reason {
            object.add("reason") { object in
                object.add("code", reason.rawValue)
                object.add("retryable", reason.retryable)
            }
        }
        if let identity = view.identity(for: reader) {
            object.add("identity") { Self.add(identity, to: &$0) }
            if let registration = identity.registration { object.add("registration", .object(registration.json)) }
        }
        if let proof = view.proof { object.add("proof", proof.rawValue) }
        if let assertion { object.add("assertion", assertion) }
        if !ignored.isEmpty { object.add("ignored_members", ignored) }
        return object.finish()
    }

    private static func add(
        _ next: LoginView.Next, of view: LoginView, at now: Timestamp, to object: inout JSONObjectWriter
    ) {
        object.add("action", next.action.rawValue)
        switch next {
        case .wait: break
        case .openApp(let app):
            object.add("universal_link", app.universalLink)
            object.add("custom_scheme", orNull: app.customScheme)
            object.add("android_package", orNull: app.androidPackage)
            object.add("store_url", orNull: app.storeURL)
            object.add("fallback", orNull: app.fallback)
            let expiresAt = min(app.expiresAt ?? view.expiresAt, view.expiresAt)
            object.add("expires_in", self.secondsLeft(until: expiresAt, at: now))
        case .openBrowser(let url, let browsers), .resumeBrowser(let url, let browsers),
            .showBrowser(let url, let browsers), .enterCode(let url, let browsers):
            self.add(url, in: browsers, of: view, at: now, to: &object)
        }
    }

    /// Adds what an app needs to open `url` in a browser.
    private static func add(
        _ url: String, in browsers: [String], of view: LoginView, at now: Timestamp, to object: inout JSONObjectWriter
    ) {
        let link = view.returnPrefixes.first(where: ReturnPrefix.isWebLink)
        let scheme = view.returnPrefixes.lazy.filter { !ReturnPrefix.isWebLink($0) }
            .compactMap { ReturnPrefix.scheme(of: $0) }.first
        object.add("url", url)
        object.add("expires_in", self.secondsLeft(until: view.expiresAt, at: now))
        object.add("surfaces", view.surfaces.map(\.rawValue))
        object.add("callback", orNull: link)
        object.add("callback_scheme", orNull: scheme)
        object.add("ephemeral", view.isEphemeral)
        object.add("android_packages", browsers)
    }

    private static func add(_ identity: Identity, to object: inout JSONObjectWriter) {
        object.add("subject", identity.subject)
        object.add("provider", identity.provider)
        object.add("eid", identity.eid)
        object.add("country", orNull: identity.country)
        object.add("assurance", identity.assurance.rawValue)
        object.add("acr", orNull: identity.acr)
        object.add("authenticated_at", orNull: identity.authenticatedAt?.wholeSecondRFC3339)
        object.add("name", orNull: identity.name)
        object.add("given_name", orNull: identity.givenName)
        object.add("family_name", orNull: identity.familyName)
        object.add("birth_date", orNull: identity.birthDate)
        if let id = identity.nationalID {
            object.add("national_id") { object in
                object.add("type", id.type)
                object.add("value", id.value)
            }
        }
        object.add("claims", .object(identity.claims))
    }

    /// Rounds down, so that an app that relies on it is not too late. Never below zero.
    private static func secondsLeft(until moment: Timestamp, at now: Timestamp) -> Int {
        max(0, Int(clamping: moment.milliseconds(since: now) / 1000))
    }
}

// MARK: - What a reader is told of the person

extension Identity {
    /// Returns what a phone may see of the user if assertions are encrypted, because the rest is for the app's API
    /// only.
    ///
    /// It leaves out what the assertion contains. It also leaves out the national id, the broker's own claims and
    /// `registration`, which has some of them and a token. If the assertion has one name, all names are left out,
    /// because one of them reveals the others.
    func withheld(by terms: AssertionTerms) -> Identity {
        let claims = Set(terms.claims)
        let hasName = !claims.isDisjoint(with: [.name, .givenName, .familyName])
        return Identity(
            issuer: self.issuer, subject: self.subject, provider: self.provider, eid: self.eid,
            country: claims.contains(.country) ? nil : self.country, assurance: self.assurance, acr: self.acr,
            methods: self.methods, authenticatedAt: self.authenticatedAt, name: hasName ? nil : self.name,
            givenName: hasName ? nil : self.givenName, familyName: hasName ? nil : self.familyName,
            birthDate: claims.contains(.birthDate) ? nil : self.birthDate)
    }
}

extension LoginView {
    /// Returns what the reader may see of the user.
    func identity(for reader: ClientKind) -> Identity? {
        guard let identity = self.result?.identity else { return nil }
        switch reader {
        case .backend: return identity
        case .phone:
            guard let terms = self.assertion, terms.encrypter != nil else { return identity }
            return identity.withheld(by: terms)
        }
    }
}
