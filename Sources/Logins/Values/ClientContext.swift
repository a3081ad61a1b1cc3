/// The caller of a request: its address, its credentials, its program and its allowances.
package struct ClientContext: Sendable {
    /// The IP address of the device, as this server sees it. Computed only for a broker that wants it.
    package let address: @Sendable () -> String?
    /// Whether the caller is the app's own backend, which has presented the app's key.
    package let hasKey: Bool
    /// The network that the caller calls from, for limits per network. Empty if no limit applies.
    package let network: [UInt8]
    /// What the caller says of itself. Read only for a create.
    package let agent: UserAgent
    /// Called before a broker is called because of this caller. Throws if the caller's budget is used up.
    package let spend: @Sendable (BrokerCall) throws(LoginFlowError) -> Void

    package init(
        address: @autoclosure @escaping @Sendable () -> String? = nil, hasKey: Bool = false, network: [UInt8] = [],
        agent: UserAgent = .missing,
        spend: @escaping @Sendable (BrokerCall) throws(LoginFlowError) -> Void = { _ throws(LoginFlowError) in }
    ) {
        self.address = address
        self.hasKey = hasKey
        self.network = network
        self.agent = agent
        self.spend = spend
    }
}

/// A call to a broker that a request without credentials may cause.
package enum BrokerCall: Equatable, Sendable {
    /// An authorization start. The first one of a login is cheap; later ones cost more of the budget.
    case attempt(of: LoginID, isFirst: Bool)
    /// A code exchange.
    case exchange
}
