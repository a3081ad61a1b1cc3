// What the client shows and sends, in the words of the API and of the cases.

import Foundation

@testable import SwitchbackClient

extension NextAction {
    /// The action as the API says it. Members that are missing or empty are left out.
    var word: JSONValue {
        switch self {
        case .openBrowser(let launch): launch.word("open_browser")
        case .resumeBrowser(let launch): launch.word("resume_browser")
        case .showBrowser: .object(["action": .string("show_browser")])
        case .openApp(let launch):
            .object([
                "action": .string("open_app"), "universal_link": launch.universalLink.map(JSONValue.string),
                "custom_scheme": launch.customScheme.map(JSONValue.string),
                "android_package": launch.androidPackage.map(JSONValue.string),
                "store_url": launch.storeURL.map(JSONValue.string), "fallback": launch.fallback.map(JSONValue.string),
            ])
        case .enterCode: .object(["action": .string("enter_code")])
        case .wait: .object(["action": .string("wait")])
        }
    }
}

extension BrowserLaunch {
    fileprivate func word(_ action: String) -> JSONValue {
        .object([
            "action": .string(action), "url": .string(self.url),
            "surfaces": self.surfaces.isEmpty ? nil : self.surfaces.map(\.rawValue).json,
            "callback": self.callback.map(JSONValue.string),
            "callback_scheme": self.callbackScheme.map(JSONValue.string),
            "ephemeral": self.isEphemeral ? .bool(true) : nil,
            "android_packages": self.androidPackages.isEmpty ? nil : self.androidPackages.json,
        ])
    }
}

extension LoginState {
    /// The state in the words of the cases.
    func word(at now: MonotonicInstant) -> JSONValue {
        switch self {
        case .starting: .object(["show": .string("starting"), "login": .null])
        case .inProgress(let login, let action):
            .object(["show": .string("in_progress"), "do": action?.word, "login": login.word(at: now)])
        case .paused(let login): .object(["show": .string("paused"), "login": login.word(at: now)])
        case .wrongCode(let triesLeft, let login):
            .object(["show": .string("wrong_code"), "tries_left": .integer(triesLeft), "login": login.word(at: now)])
        case .retrying(let error, let login):
            .object(["show": .string("retrying"), "because": error.word, "login": login?.word(at: now) ?? .null])
        case .finished(let login): .object(["show": .string("finished"), "login": login.word(at: now)])
        case .failed(let error): .object(["show": .string("failed"), "because": error.word, "login": .null])
        }
    }
}

extension TransientError {
    /// The reason in the words of the cases.
    var word: JSONValue {
        switch self {
        case .noResponse: .string("no_response")
        case .rateLimited: .string("rate_limited")
        case .serviceUnavailable: .string("service_unavailable")
        case .unexpectedResponse(let status): .object(["unexpected_response": .integer(status)])
        }
    }
}

extension LoginError {
    fileprivate var word: JSONValue {
        switch self {
        case .notStored: .string("not_stored")
        case .unknownLogin: .string("unknown_login")
        case .gone: .string("gone")
        case .refused(let problem):
            .object([
                "refused": .string(problem.code), "status": .integer(problem.status),
                "detail": .string(problem.detail), "member": problem.member.map(JSONValue.string),
                "request_id": problem.requestID.map(JSONValue.string),
            ])
        case .abandoned: .string("abandoned")
        }
    }
}

extension Login {
    /// The login in the words of the API.
    func word(at now: MonotonicInstant) -> JSONValue {
        .object([
            "id": .string(self.id), "status": .string(self.status.rawValue), "final": .bool(self.isFinal),
            "version": .integer(self.version), "app": .string(self.app), "provider": .string(self.provider),
            "reference": .string(self.reference),
            "expires_in": .integer(Int(self.expiresAt.secondsSince(now).rounded())),
            "return_prefixes": self.returnPrefixes.json,
            "poll": .object([
                "wait": .integer(self.poll.wait), "interval": .integer(self.poll.interval),
                "after_ms": .milliseconds(self.poll.after),
            ]),
            "next": self.next.word, "identity": self.identity?.word ?? .null,
            "assertion": self.assertion.map { .string($0.exposed) } ?? .null,
            "proof": self.proof.map(JSONValue.string) ?? .null, "reason": self.reason?.word ?? .null,
        ])
    }
}

extension Identity {
    fileprivate var word: JSONValue {
        .object([
            "subject": .string(self.subject), "eid": .string(self.eid), "name": self.name.map(JSONValue.string),
            "assurance": .string(self.assurance.rawValue),
        ])
    }
}

extension Reason {
    fileprivate var word: JSONValue {
        .object(["code": .string(self.code.name), "retryable": .bool(self.isRetryable)])
    }
}

extension HTTPRequest {
    /// The request as the cases say it. What a library says about itself is its own.
    var word: JSONValue {
        let type = self.fields["Content-Type"]
        let json = self.body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        return .object([
            "method": .string(self.method), "path": .string(self.url.path),
            "headers": .object(self.fields.filter { $0.key != "User-Agent" }.mapValues(JSONValue.string)),
            "body": type == "application/json"
                ? json : self.body.map { .string(String(decoding: $0, as: UTF8.self)) },
            "timeout_ms": .milliseconds(self.timeout),
        ])
    }
}
