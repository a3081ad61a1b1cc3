// Faults of logins that a client polls, which more than one broker has.

/// What goes wrong in the responses to a client that polls an order.
enum OrderFault: BrokerFault {
    case completeFails
    /// Once; the next response is right.
    case completesTooEarly
    case pollErrorBare
    case pollErrorQuoted
    case pollTargetIsFinal
    /// Once.
    case slowDown

    var place: String { "Polling" }
    var flows: Set<PageFlow> { self == .slowDown ? [.headless, .backchannel] : [.launchLinks] }

    /// The user is not logged in after an error.
    var decision: Decision? {
        switch self {
        case .pollErrorBare, .pollErrorQuoted: .cancel
        case .completeFails, .completesTooEarly, .pollTargetIsFinal, .slowDown: nil
        }
    }
}

extension SandboxFault {
    private static let withOrders: Set<SandboxSystem> = [.idura, .signaturgruppen]

    static let ofOrders = [
        Self("expired-order", title: "the time runs out", of: Self.withOrders, .decision(.timeOut)),
        Self(
            "slow-down", title: "slow_down, once", isHarmless: true, of: Self.withOrders,
            .ofBroker(OrderFault.slowDown)),
    ]
}
