/// A login as an app sees it, written without Codable: it is the answer that is written most often.
import Brokers
import JOSE
import Logins

package struct LoginJSON: Sendable {
    /// How an app is to poll.
    package struct Polling: Equatable, Sendable {
        /// For how many seconds a poll is held at most.
        package var wait = 25
        /// How many seconds should lie between two polls that do not wait.
        package var interval = 2

        package init() {}
    }

    let polling: Polling

    package init(polling: Polling) { self.polling = polling }

    /// `pollSecret` is there only in the answer to the create that came without one. `after` is the milliseconds that the
    /// app shall let pass before its next poll.
    package func object(
        _ view: LoginView, at now: Timestamp, pollSecret: PollSecret? = nil, after: Int = 0
    ) -> JSON.Object {
        var object: JSON.Object = ["id": .string(view.id.description)]
        if let pollSecret { object["poll_secret"] = .string(pollSecret.exposedText) }
        object["status"] = .string(view.status.rawValue)
        object["final"] = .bool(view.status.isFinal)
        object["version"] = .integer(view.version)
        object["app"] = .string(view.app)
        object["provider"] = .string(view.provider)
        object["reference"] = .string(view.reference)
        object["expires_at"] = .string(view.expiresAt.wholeSecondRFC3339)
        object["expires_in"] = .integer(Self.secondsLeft(until: view.expiresAt, at: now))
        object["return_prefixes"] = .array(view.returnPrefixes.map { .string($0) })
        object["poll"] = [
            "wait": .integer(self.polling.wait), "interval": .integer(self.polling.interval),
            "after_ms": .integer(after),
        ]
        if let next = view.next { object["next"] = self.next(next, of: view, at: now) }
        if let hint = view.hint { object["hint"] = .string(hint.rawValue) }
        if let reason = view.reason {
            object["reason"] = ["code": .string(reason.rawValue), "retryable": .bool(reason.retryable)]
        }
        if let result = view.result {
            object["identity"] = .object(Self.identity(result.identity))
            object["registration"] = result.identity.registration.map { .string($0) }
        }
        if let proof = view.proof { object["proof"] = .string(proof.rawValue) }
        return object
    }

    private func next(_ next: LoginView.Next, of view: LoginView, at now: Timestamp) -> JSON {
        switch next {
        case .resumeBrowser(let url): return ["action": "resume_browser", "url": .string(url)]
        case .wait: return ["action": "wait"]
        case .showBrowser: return ["action": "show_browser"]
        case .enterCode: return ["action": "enter_code"]
        case .openApp(let app):
            return [
                "action": "open_app", "universal_link": .string(app.universalLink),
                "custom_scheme": Self.text(app.customScheme), "android_package": Self.text(app.androidPackage),
                "store_url": .null, "fallback": .null,
                "expires_in": .integer(Self.secondsLeft(until: view.expiresAt, at: now)),
            ]
        case .openBrowser(let url, let browsers):
            let link = view.returnPrefixes.first { AppSurface.isWebLink($0) }
            let scheme = view.returnPrefixes.lazy.filter { !AppSurface.isWebLink($0) }
                .compactMap { AppSurface.scheme(of: $0) }.first
            return [
                "action": "open_browser", "url": .string(url),
                "expires_in": .integer(Self.secondsLeft(until: view.expiresAt, at: now)),
                "surfaces": ["auth_session", "tab"], "callback": Self.text(link), "callback_scheme": Self.text(scheme),
                "ephemeral": false, "android_packages": .array(browsers.map { .string($0) }),
            ]
        }
    }

    private static func identity(_ identity: Identity) -> JSON.Object {
        var object: JSON.Object = [
            "subject": .string(identity.subject), "provider": .string(identity.provider),
            "eid": .string(identity.eid), "country": Self.text(identity.country),
            "assurance": .string(identity.assurance.rawValue), "acr": Self.text(identity.acr),
            "authenticated_at": Self.text(identity.authenticatedAt.map { $0.wholeSecondRFC3339 }),
            "name": Self.text(identity.name), "given_name": Self.text(identity.givenName),
            "family_name": Self.text(identity.familyName), "birth_date": Self.text(identity.birthDate),
        ]
        if let id = identity.nationalID {
            object["national_id"] = ["type": .string(id.type), "value": .string(id.value)]
        }
        object["claims"] = .object(identity.claims)
        return object
    }

    private static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// Rounded down, so that whoever counts on it is not too late; never below zero.
    private static func secondsLeft(until moment: Timestamp, at now: Timestamp) -> Int {
        max(0, Int(clamping: (moment - now).components.seconds))
    }
}
