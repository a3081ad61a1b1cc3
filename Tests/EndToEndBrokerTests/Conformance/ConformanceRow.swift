import EndToEndSupport
import Sandbox
import Testing

/// One module of the OpenID Foundation's plans for relying parties, or one case of ours, and its expected result.
struct ConformanceRow: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable {
        /// The login is completed.
        case accepts
        /// The login ends with this reason, after this many token and userinfo requests.
        case refuses(String, tokens: Int, userinfo: Int)
        /// The response matches no login: no login changes, and this one expires.
        case letsFall
        /// The browser is not sent to the provider, and the login stays open.
        case doesNotAsk
        /// The browser is not sent to the provider, and the login ends with this reason.
        case cannotAsk(String)
    }

    /// The suite's name of the module, and the sandbox's name of the fault.
    let name: String
    let expectation: Expectation
    /// How the broker's configuration differs from the plainest one.
    private let change: @Sendable (inout BrokerVariant) -> Void
    /// More settings of the provider.
    var settings = ""
    /// The plan, where the suite plays the module in more than one.
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

    /// Returns a row that is refused before the token request.
    static func response(_ name: String, _ reason: String = "invalid_response") -> Self {
        Self(name, .refuses(reason, tokens: 0, userinfo: 0))
    }

    /// Returns a row that is refused after the token request, before the userinfo request.
    static func token(
        _ name: String, _ reason: String = "invalid_token", settings: String = "",
        _ change: @escaping @Sendable (inout BrokerVariant) -> Void = { _ in }
    ) -> Self {
        Self(name, .refuses(reason, tokens: 1, userinfo: 0), settings: settings, change)
    }

    /// Returns a row that is refused after the userinfo request.
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

    /// Returns a row whose browser is not sent to the provider.
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

/// How the provider's response reaches the server.
enum Delivery: String, CaseIterable, Sendable {
    case query
    case formPost = "form_post"
    /// In a link that opens the app, and the app hands it in.
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
    /// Makes the response a signed JWT (JARM).
    mutating func useJARM() { self.responseMode += ".jwt" }
}
