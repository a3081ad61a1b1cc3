/// One module of the OpenID Foundation's plans for relying parties, or one case of ours, and what must come of it.
import Sandbox
import Testing

struct ConformanceRow: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable {
        /// The login is completed.
        case accepts
        /// The login ends with this reason, after so many requests for tokens and for the userinfo.
        case refuses(String, tokens: Int, userinfo: Int)
        /// Nobody can say whose answer it is: no login is touched, and time ends this one.
        case letsFall
        /// Nobody is sent to the provider, and the login is still open.
        case doesNotAsk
        /// Nobody is sent to the provider, and the login ends with this reason.
        case cannotAsk(String)
    }

    /// The suite's name of the module, which is the sandbox's name of the fault too.
    let name: String
    let expectation: Expectation
    /// What the broker is configured like, where that is not the plainest.
    private let change: @Sendable (inout BrokerVariant) -> Void
    /// More lines of the provider's settings.
    var settings = ""
    /// Where the suite plays the module in more than one plan.
    var plan: String?

    var testDescription: String { [self.name, self.plan].compactMap(\.self).joined(separator: ", ") }

    init(
        _ name: String, _ expectation: Expectation, settings: String = "",
        _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) {
        self.name = name
        self.expectation = expectation
        self.settings = settings
        self.change = change
    }

    /// Refused before a code is redeemed.
    static func response(_ name: String, _ reason: String = "invalid_response") -> Self {
        Self(name, .refuses(reason, tokens: 0, userinfo: 0))
    }

    /// Refused after the token request, before the userinfo.
    static func token(
        _ name: String, _ reason: String = "invalid_token", settings: String = "",
        _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) -> Self {
        Self(name, .refuses(reason, tokens: 1, userinfo: 0), settings: settings, change)
    }

    /// Refused after the userinfo.
    static func userinfo(
        _ name: String, _ reason: String = "invalid_token",
        _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) -> Self {
        Self(name, .refuses(reason, tokens: 1, userinfo: 1), change)
    }

    static func accepts(
        _ name: String, plan: String? = nil, _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) -> Self {
        var row = Self(name, .accepts, change)
        row.plan = plan
        return row
    }

    /// Nobody is sent to the provider.
    static func doesNotAsk(
        _ name: String, _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) -> Self { Self(name, .doesNotAsk, change) }

    var fault: SandboxFault? { SandboxFault.named(self.name) }

    func variant(_ delivery: Delivery) -> BrokerVariant {
        var variant = delivery.variant
        self.change(&variant)
        return variant
    }
}

/// How the provider's answer comes to the server.
enum Delivery: String, CaseIterable, Sendable {
    case query
    case formPost = "form_post"
    /// In a link that opens the app, which hands it in.
    case app

    var variant: BrokerVariant {
        switch self {
        case .query: .query
        case .formPost: .formPost
        case .app: .app
        }
    }
}

extension BrokerVariant {
    /// The same, with the answer as a signed JWT (JARM).
    mutating func useJARM() { self.responseMode += ".jwt" }
}
