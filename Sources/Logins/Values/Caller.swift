/// Who asks, beside what is asked for.
package struct Caller: Sendable {
    /// Of the device, as this server sees it. Written only for a broker that is told it.
    package let address: @Sendable () -> String?
    /// Whether the app's own backend asks, which has shown the app's key.
    package let hasKey: Bool
    /// The network it calls from, which has its share of what all callers share; empty when no share is counted.
    package let network: [UInt8]
    /// Called before a broker is asked because of this caller. Throws when the budget is used up.
    package let spend: @Sendable (BrokerCall) throws(LoginFlowError) -> Void

    package init(
        address: @autoclosure @escaping @Sendable () -> String? = nil, hasKey: Bool = false, network: [UInt8] = [],
        spend: @escaping @Sendable (BrokerCall) throws(LoginFlowError) -> Void = { _ throws(LoginFlowError) in }
    ) {
        self.address = address
        self.hasKey = hasKey
        self.network = network
        self.spend = spend
    }
}

/// What a request without credentials may make us ask a broker.
package enum BrokerCall: Equatable, Sendable {
    /// To begin a login. Each has to be opened once; what comes after the first is dearer.
    case opening(of: LoginID, isFirst: Bool)
    /// To redeem a code.
    case exchange
}
