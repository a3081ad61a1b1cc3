/// A mistake that the sandbox can make on purpose in one login.
///
/// If the OpenID Foundation's conformance suite has a module for it, the fault has that module's name, so that a
/// failing test can be looked up there; several modules may cover the same fault. Choose a fault with the field `fault`
/// of the authorize page, or by name in a test.
package struct SandboxFault: Sendable {
    /// The page shows the first one.
    package let names: [String]
    /// Whether a correct relying party lets this login pass.
    package let isHarmless: Bool
    /// The systems that can have it.
    package let systems: Set<SandboxSystem>
    let title: String
    /// A page offers it only if this is met.
    let need: FaultNeed?
    let effect: FaultEffect

    init(
        _ names: String..., title: String, isHarmless: Bool = false,
        of systems: Set<SandboxSystem> = SandboxSystem.withOpenID, needs need: FaultNeed? = nil,
        _ effect: FaultEffect
    ) {
        self.names = names
        self.isHarmless = isHarmless
        self.systems = systems
        self.title = title
        self.need = need ?? effect.need
        self.effect = effect
    }

    package var name: String { self.names.first ?? "" }

    /// Whether the page does not offer it. It is set by name, and stays until it is reset.
    package var standsBeforeLogins: Bool { self.effect.standsBeforeLogins }

    package var scope: FaultScope { self.effect.scope }

    /// Whether it takes effect only in a pushed authorization request.
    package var needsPushedRequest: Bool { if case .pushedRequest = self.effect { true } else { false } }

    /// Whether it takes effect only where the client requests no fresh login.
    package var needsKnownUser: Bool { if case .session = self.effect { true } else { false } }

    /// Those of no broker in particular.
    static let common =
        Self.harmlessModules + Self.ofDecisions + Self.ofResponses + Self.ofSignedResponses + Self.ofTokenAnswers
        + Self.ofClaims + Self.ofSignatures + Self.ofUserinfo + Self.ofSignedUserinfo + Self.ofSessions
        + Self.ofPushedRequests + Self.ofDiscovery + Self.ofKeys

    /// Another party, wherever a fault names the wrong one.
    static let stranger = "https://somebody-else.example"

    static let padding = String(repeating: "x", count: 8 << 20)
}

extension SandboxFault {
    /// These expect the relying party to do its part. The provider refuses one that does not.
    private static let harmlessModules = [
        Self(
            "oidcc-client-test", "oidcc-client-test-scope-userinfo-claims", "oidcc-client-test-idtoken-sig-rs256",
            "oidcc-client-test-userinfo-bearer-header", "oidcc-client-test-client-secret-basic",
            "oidcc-client-test-userinfo-signed", "fapi2-security-profile-final-client-test-happy-path",
            title: "nothing is wrong", isHarmless: true, .nothing)
    ]

    private static let ofDecisions = [
        Self("cancel", title: "the user cancels", of: Set(SandboxSystem.allCases), .decision(.cancel)),
        Self(
            "never-returns", title: "the response never comes", of: Set(SandboxSystem.allCases), .decision(.silence)),
    ]

    private static let ofSessions = [
        Self("session-reused", title: "the user is already logged in", isHarmless: true, .session)
    ]
}
