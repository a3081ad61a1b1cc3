/// What the sandbox can do wrong on purpose in one login.
///
/// Where the OpenID Foundation's conformance suite has a module for it, the name is that module's, so that a failing
/// test can be looked up there; several modules may want the same. Chosen by the field `fault` of the authorize page, or
/// by name from a test.
package struct SandboxFault: Sendable {
    /// The first is the one on the page.
    package let names: [String]
    /// A relying party that does its work lets this login pass.
    package let isHarmless: Bool
    /// Those that can have it.
    package let systems: Set<SandboxSystem>
    let title: String
    let effect: FaultEffect

    init(
        _ names: String..., title: String, isHarmless: Bool = false,
        of systems: Set<SandboxSystem> = SandboxSystem.withOpenID,
        _ effect: FaultEffect
    ) {
        self.names = names
        self.isHarmless = isHarmless
        self.systems = systems
        self.title = title
        self.effect = effect
    }

    package var name: String { self.names.first ?? "" }

    /// It is not on the page: it is set by name, and stands until it is taken back.
    package var standsBeforeLogins: Bool { self.effect.standsBeforeLogins }

    package static let all =
        Self.harmlessModules + Self.ofDecisions + Self.ofOrders + Self.ofResponses + Self.ofSignedResponses
        + Self.ofTokenAnswers + Self.ofClaims
        + Self.ofSignatures + Self.ofUserinfo + Self.ofSignedUserinfo + Self.ofSessions + Self.ofLaunchAnswers
        + Self.ofPushedRequests + Self.ofDiscovery + Self.ofKeys + Self.ofDigiDsApp + Self.ofResolvers

    package static func named(_ name: String) -> Self? { self.byName[name] }

    private static let byName = Dictionary(
        uniqueKeysWithValues: Self.all.flatMap { fault in fault.names.map { ($0, fault) } })

    /// Somebody else, wherever a fault names the wrong party.
    static let stranger = "https://somebody-else.example"

    static let padding = String(repeating: "x", count: 8 << 20)
}

extension SandboxFault {
    /// They ask that the relying party do its part; the provider refuses who does not.
    private static let harmlessModules = [
        Self(
            "oidcc-client-test", "oidcc-client-test-scope-userinfo-claims", "oidcc-client-test-idtoken-sig-rs256",
            "oidcc-client-test-userinfo-bearer-header", "oidcc-client-test-client-secret-basic",
            "oidcc-client-test-userinfo-signed", "fapi2-security-profile-final-client-test-happy-path",
            title: "everything is right", isHarmless: true, .nothing)
    ]
}
