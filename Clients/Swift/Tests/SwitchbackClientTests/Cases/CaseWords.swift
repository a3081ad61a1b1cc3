// What the client shows and sends, in the words of the API and of the cases.

import Foundation

@testable import SwitchbackClient

extension NextAction {
    /// The action as the API says it. Members that are missing or empty are left out.
    var word: JSONValue {
        let launch = self.browser?.members ?? self.app?.members ?? [:]
        return .object(launch.merging(["action": .string(self.kind.code)]) { $1 })
    }
}

extension BrowserLaunch {
    fileprivate var members: [String: JSONValue] {
        JSONValue.object([
            "url": .string(self.url),
            "surfaces": self.surfaces.isEmpty ? nil : self.surfaces.map(\.code).json,
            "callback": self.callback.map(JSONValue.string),
            "callback_scheme": self.callbackScheme.map(JSONValue.string),
            "ephemeral": self.isEphemeral ? .bool(true) : nil,
            "android_packages": self.androidPackages.isEmpty ? nil : self.androidPackages.json,
        ]).members
    }
}

extension AppLaunch {
    fileprivate var members: [String: JSONValue] {
        JSONValue.object([
            "universal_link": self.universalLink.map(JSONValue.string),
            "custom_scheme": self.customScheme.map(JSONValue.string),
            "android_package": self.androidPackage.map(JSONValue.string),
            "store_url": self.storeURL.map(JSONValue.string), "fallback": self.fallback.map(JSONValue.string),
            "expires_in": self.expiresIn.map(JSONValue.integer),
        ]).members
    }
}

extension LoginState {
    /// The state in the words of the cases.
    func word(at now: MonotonicInstant) -> JSONValue {
        .object([
            "show": .string(self.kind.code), "do": self.action?.word,
            "tries_left": self.triesLeft.map(JSONValue.integer),
            "because": self.transientError?.word ?? self.error?.word,
            "reference": self.error?.reference.map(JSONValue.string), "login": self.login?.word(at: now) ?? .null,
        ])
    }
}

extension TransientError {
    /// The reason in the words of the cases.
    var word: JSONValue {
        self.status.map { .object([self.code: .integer($0)]) } ?? .string(self.code)
    }
}

extension LoginError {
    fileprivate var word: JSONValue {
        guard let problem else { return .string(self.kind.code) }
        return .object([
            self.kind.code: .string(problem.code), "status": .integer(problem.status),
            "detail": .string(problem.detail), "member": problem.member.map(JSONValue.string),
            "request_id": problem.requestID.map(JSONValue.string),
            "notice": problem.notice.map(JSONValue.string),
        ])
    }
}

extension Login {
    /// The login in the words of the API.
    func word(at now: MonotonicInstant) -> JSONValue {
        .object([
            "id": .string(self.id), "status": .string(self.status.code), "final": .bool(self.isFinal),
            "version": .integer(self.version), "app": .string(self.app), "provider": .string(self.provider),
            "reference": .string(self.reference),
            "expires_in": .integer(Int(self.expiresAt.secondsSince(now).rounded())),
            "return_prefixes": self.returnPrefixes.json,
            "poll": .object([
                "wait": .integer(self.poll.wait), "interval": .integer(self.poll.interval),
                "after_ms": .milliseconds(self.poll.after),
            ]),
            "next": self.next.word, "hint": self.hint.map { .string($0.code) } ?? .null,
            "identity": self.identity?.word ?? .null,
            "assertion": self.assertion.map { .string($0.exposed) } ?? .null,
            "proof": self.proof.map(JSONValue.string) ?? .null, "reason": self.reason?.word ?? .null,
        ])
    }
}

extension Identity {
    fileprivate var word: JSONValue {
        .object([
            "subject": .string(self.subject), "eid": .string(self.eid), "name": self.name.map(JSONValue.string),
            "assurance": .string(self.assurance.code),
        ])
    }
}

extension Reason {
    fileprivate var word: JSONValue {
        .object(["code": .string(self.code.code), "retryable": .bool(self.isRetryable)])
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
