import StrictJSON

/// What goes wrong with DigiD: in what its app returns, or in what the resolver says.
struct DigiDFault: BrokerFault {
    /// Changes the JSON that the app returns.
    var answer: (@Sendable (inout JSON.Object) -> Void)?
    /// The artifact was resolved before.
    var isSpent = false
    /// The resolver resolves any artifact for any session.
    var isUnchecked = false
    /// The resolver names the session that it was asked for, whosever the artifact is.
    var isEcho = false
    /// The resolver opens a third party's app, and not DigiD's.
    var opensThirdParty = false
    /// Changes the response to the first step. It stays set until it is reset.
    var initiation: (@Sendable (inout JSONResponse) -> Void)?
    /// Changes the response to the second step.
    var completion: (@Sendable (inout JSONResponse) -> Void)?

    var place: String { self.completion == nil && self.initiation == nil ? "DigiD's app" : "Resolver" }
    var flows: Set<PageFlow> { self.initiation == nil ? [.appToApp] : [] }
    let scope = FaultScope.create
}

// MARK: - All of them

extension SandboxFault {
    private init(
        _ name: String, title: String, isHarmless: Bool = false, _ fault: DigiDFault
    ) {
        self.init(name, title: title, isHarmless: isHarmless, of: [.digid], .ofBroker(fault))
    }

    static let ofDigiD = Self.ofApp + Self.ofResolver

    private static let ofApp = [
        Self(
            "relay-state-null", title: "RelayState: null", isHarmless: true,
            DigiDFault(answer: { $0["RelayState"] = .null })),
        Self("artifact-demo", title: "SAMLart: demo", DigiDFault(answer: { $0["SAMLart"] = "demo" })),
        Self(
            "artifact-unknown", title: "an unknown artifact, as real faults have",
            DigiDFault(answer: { $0["SAMLart"] = "AAQAAA==" })),
        Self("artifact-used-twice", title: "an artifact that was resolved before", DigiDFault(isSpent: true)),
        Self(
            "app-not-activated", title: "ErrorMessage: not_activated",
            DigiDFault(answer: { $0 = Self.error("not_activated") })),
        Self("app-timeout", title: "ErrorMessage: timeout", DigiDFault(answer: { $0 = Self.error("timeout") })),
        Self(
            "app-icon-missing", title: "ErrorMessage: icon_missing",
            DigiDFault(answer: { $0 = Self.error("icon_missing") })),
        Self(
            "app-free-text", title: "ErrorMessage: some text",
            DigiDFault(answer: { $0 = Self.error("Er is iets misgegaan") })),
    ]

    private static let ofResolver = [
        Self("init-dead", title: "init: closes without a response", DigiDFault(initiation: { $0.delivery = .never })),
        Self("init-slow", title: "init: responds too late", DigiDFault(initiation: { $0.delivery = .late })),
        Self("init-status-5001", title: "init: status 5001", DigiDFault(initiation: { $0 = .script(5001) })),
        Self(
            "init-without-session", title: "init: no session id",
            DigiDFault(initiation: { $0.members["data"] = .string("{}") })),
        Self(
            "init-third-party", title: "init: opens another app, and names its request", isHarmless: true,
            DigiDFault(opensThirdParty: true, initiation: { _ in })),
        Self(
            "init-third-party-unnamed", title: "init: opens another app, and names no request",
            DigiDFault(opensThirdParty: true, initiation: { $0.changeData { $0["requestId"] = nil } })),
        Self("resolver-dead", title: "closes without a response", DigiDFault(completion: { $0.delivery = .never })),
        Self(
            "resolver-delayed", title: "responds after a few seconds", isHarmless: true,
            DigiDFault(completion: { $0.delivery = .delayed })),
        Self("resolver-slow", title: "responds too late", DigiDFault(completion: { $0.delivery = .late })),
        Self("resolver-status-500", title: "HTTP 500", DigiDFault(completion: { $0 = .internalServerError })),
        Self("resolver-script-4001", title: "200 with status 4001", DigiDFault(completion: { $0 = .script(4001) })),
        Self("resolver-script-5001", title: "200 with status 5001", DigiDFault(completion: { $0 = .script(5001) })),
        Self("resolver-broken-json", title: "JSON cut off", DigiDFault(completion: { $0.cutOff() })),
        Self(
            "session-of-another", title: "another session's id",
            DigiDFault(completion: { $0.changeData { $0["sessionId"] = "another session's" } })),
        Self(
            "session-missing", title: "InResponseTo, and no session id", isHarmless: true,
            DigiDFault(completion: { $0.changeData { $0["sessionId"] = nil } })),
        Self(
            "request-missing", title: "a session id, and no InResponseTo",
            DigiDFault(completion: { $0.changeData { $0["inResponseTo"] = nil } })),
        Self(
            "request-of-another", title: "InResponseTo of another request",
            DigiDFault(completion: { $0.changeData { $0["inResponseTo"] = "_another" } })),
        Self(
            "session-and-request-missing", title: "neither a session id nor InResponseTo",
            DigiDFault(completion: { $0.forgetWhose() })),
        Self(
            "resolver-compares-nothing", title: "resolves any artifact, and names its session", isHarmless: true,
            DigiDFault(isUnchecked: true)),
        Self(
            "resolver-echoes", title: "resolves any artifact, and repeats the session id that it got",
            DigiDFault(
                isUnchecked: true, isEcho: true, completion: { $0.changeData { $0["inResponseTo"] = nil } })),
        Self(
            "resolver-compares-and-names-nothing", title: "resolves any artifact, and names no session",
            DigiDFault(isUnchecked: true, completion: { $0.forgetWhose() })),
        Self(
            "session-id-in-other-letters", title: "sessionID", isHarmless: true,
            DigiDFault(
                answer: { $0["RelayState"] = .null },
                completion: { answer in
                    answer.changeData { data in
                        data["sessionID"] = data["sessionId"]
                        data["sessionId"] = nil
                    }
                })),
        Self(
            "acr-too-low", title: "acr: Basis", DigiDFault(completion: { $0.changeData { $0["acr"] = "Basis" } })),
        Self(
            "refresh-token", title: "a refresh token, which DigiD forbids", isHarmless: true,
            DigiDFault(completion: { answer in
                guard var tokens = answer.members["oauth_token"]?.object else { return }
                tokens["refresh_token"] = .string(RandomName.make())
                answer.members["oauth_token"] = .object(tokens)
            })),
        Self(
            "profile-missing", title: "no profile_id",
            DigiDFault(completion: { $0.members["oauth_token"] = ["token_type": "bearer"] })),
    ]

    /// The app fetches an artifact for failures too.
    private static func error(_ message: String) -> JSON.Object {
        ["SAMLart": "AAQAAA==", "RelayState": .null, "ErrorMessage": .string(message)]
    }
}

extension JSONResponse {
    /// Returns a failure of the script. The HTTP status is a success.
    static func script(_ status: Int, _ text: String = "it did not work") -> Self {
        JSONResponse(.ok, ["status": .integer(status), "data": .string(text)])
    }

    /// Removes everything that names the session or the request.
    fileprivate mutating func forgetWhose() {
        self.changeData { data in
            data["sessionId"] = nil
            data["inResponseTo"] = nil
        }
    }

    /// Changes the object in the text `data`.
    fileprivate mutating func changeData(_ change: (inout JSON.Object) -> Void) {
        guard let text = self.members["data"]?.string, var object = (try? JSON(parsing: Array(text.utf8)))?.object
        else { return }
        change(&object)
        self.members["data"] = .string(JSON.object(object).text)
    }
}

extension JSON {
    var text: String { String(decoding: self.encoded(), as: UTF8.self) }
}
