// Faults of launch links.

/// What goes wrong in the response that has the launch links.
struct LaunchFault: BrokerFault {
    let change: @Sendable (inout JSONResponse) -> Void

    let place = "Launch links (BankID’s app)"
    let flows: Set<PageFlow> = []
    let scope = FaultScope.create
}

extension SandboxFault {
    /// Whether it takes effect only where the broker makes links that open BankID's app.
    package var needsLaunchLinks: Bool { self.effect.brokerFault(LaunchFault.self) != nil }

    private init(_ name: String, title: String, isHarmless: Bool = false, _ fault: any BrokerFault) {
        self.init(name, title: title, isHarmless: isHarmless, of: [.idura], .ofBroker(fault))
    }

    static let ofIdura = [
        Self("complete-400", title: "completeUrl: 400", OrderFault.completeFails),
        Self(
            "complete-too-early", title: "completeUrl: not done yet, once", isHarmless: true,
            OrderFault.completesTooEarly),
        Self("poll-error-bare", title: "pollUrl: access_denied, bare", OrderFault.pollErrorBare),
        Self("poll-error-quoted", title: "pollUrl: access_denied, in quotes", OrderFault.pollErrorQuoted),
        Self(
            "poll-target-is-final", title: "pollUrl: targetUrl is the redirect URI already", isHarmless: true,
            OrderFault.pollTargetIsFinal),
        Self("launch-status-500", title: "status 500", LaunchFault { $0 = .internalServerError }),
        Self("launch-without-links", title: "no launchLinks", LaunchFault { $0.members["launchLinks"] = nil }),
        Self(
            "launch-without-poll-url", title: "no pollUrl", isHarmless: true,
            LaunchFault { $0.members["pollUrl"] = nil }),
        Self(
            "launch-at-a-stranger", title: "completeUrl, pollUrl and cancelUrl of another party",
            LaunchFault { answer in
                for name in ["completeUrl", "pollUrl", "cancelUrl"] {
                    answer.members[name] = .string(Self.stranger + "/" + name)
                }
            }),
    ]
}
