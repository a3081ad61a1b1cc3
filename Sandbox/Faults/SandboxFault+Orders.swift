// Faults of logins that are decided outside the browser, and of what the user does there.

extension SandboxFault {
    /// What goes wrong in the responses to a client that polls an order.
    enum OfOrders: Sendable {
        case completeFails
        /// Once; the next response is right.
        case completesTooEarly
        case pollErrorBare
        case pollErrorQuoted
        case pollTargetIsFinal
        /// Once.
        case slowDown

        /// Whether the user is not logged in after it.
        var isRefusal: Bool {
            switch self {
            case .pollErrorBare, .pollErrorQuoted: true
            case .completeFails, .completesTooEarly, .pollTargetIsFinal, .slowDown: false
            }
        }
    }

    private static let withOrders: Set<SandboxSystem> = [.idura, .signaturgruppen]

    static let ofDecisions = [
        Self("cancel", title: "the user cancels", of: Set(SandboxSystem.allCases), .decision(.cancel)),
        Self(
            "never-returns", title: "the response never comes", of: Set(SandboxSystem.allCases), .decision(.silence)),
        Self("expired-order", title: "the time runs out", of: Self.withOrders, .decision(.timeOut)),
    ]

    static let ofOrders = [
        Self("complete-400", title: "completeUrl: 400", of: [.idura], .order(.completeFails)),
        Self(
            "complete-too-early", title: "completeUrl: not done yet, once", isHarmless: true, of: [.idura],
            .order(.completesTooEarly)),
        Self("poll-error-bare", title: "pollUrl: access_denied, bare", of: [.idura], .order(.pollErrorBare)),
        Self("poll-error-quoted", title: "pollUrl: access_denied, in quotes", of: [.idura], .order(.pollErrorQuoted)),
        Self(
            "poll-target-is-final", title: "pollUrl: targetUrl is the redirect URI already", isHarmless: true,
            of: [.idura], .order(.pollTargetIsFinal)),
        Self("slow-down", title: "slow_down, once", isHarmless: true, of: Self.withOrders, .order(.slowDown)),
    ]

    static let ofSessions = [
        Self("session-reused", title: "the user is already logged in", isHarmless: true, .session)
    ]

    static let ofLaunchAnswers = [
        Self("launch-status-500", title: "status 500", of: [.idura], .launchAnswer { $0 = .internalServerError }),
        Self(
            "launch-without-links", title: "no launchLinks", of: [.idura],
            .launchAnswer { $0.members["launchLinks"] = nil }),
        Self(
            "launch-without-poll-url", title: "no pollUrl", isHarmless: true, of: [.idura],
            .launchAnswer { $0.members["pollUrl"] = nil }),
        Self(
            "launch-at-a-stranger", title: "completeUrl, pollUrl and cancelUrl of another party", of: [.idura],
            .launchAnswer { answer in
                for name in ["completeUrl", "pollUrl", "cancelUrl"] {
                    answer.members[name] = .string(Self.stranger + "/" + name)
                }
            }),
    ]
}
