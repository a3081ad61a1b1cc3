import EndToEndSupport
import Sandbox
import SwitchbackClient
import Testing

/// A flow at one of the broker systems, as a provider that an app offers.
struct SystemFlow: Sendable, CustomTestStringConvertible {
    let name: String
    let system: SandboxSystem
    let variant: BrokerVariant
    let settings: String
    /// The app's release policy.
    var release = "return_link"
    /// The sandbox user who logs in.
    var person = "freja"
    /// More of the app's settings.
    var app = ""
    var platforms: [NewLogin.Platform] = [.ios, .android]
    /// The expected `identity`, without the subject and the time.
    let identity: Expected

    struct Expected: Sendable {
        let eid: String
        let country: String?
        let assurance: String
        var acr: String?
        var name: String? = "Freja Lindegaard"
        var givenName: String?
        var birthDate: String? = "1991-04-17"
        var nationalIDType: String?
    }

    var testDescription: String { self.name }

    /// Whether the flow has no proof of the user's device.
    var isImmediate: Bool { self.release == "immediate" }

    /// `app` replaces the app's settings.
    func start(app: String? = nil) async throws -> RunningServer {
        try await RunningServer.start(
            [self.variant], providers: self.settings, brokers: ", poll_interval: 0, bankid_link: \"ISSUER/bankid/\"",
            release: self.release, system: self.system, app: app ?? self.app)
    }

    /// Returns each difference from the expected identity, one a line.
    func problems(_ identity: Identity?) -> [String] {
        guard let identity else { return ["no identity"] }
        let expected = self.identity
        let pairs: [(String, String?, String?)] = [
            ("eid", identity.eid, expected.eid), ("country", identity.country, expected.country),
            ("assurance", identity.assurance.code, expected.assurance), ("acr", identity.acr, expected.acr),
            ("name", identity.name, expected.name), ("given_name", identity.givenName, expected.givenName),
            ("birth_date", identity.birthDate, expected.birthDate),
            ("national_id", identity.nationalID?.type, expected.nationalIDType),
        ]
        return pairs.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1 ?? "-") and not \($0.2 ?? "-")" }
    }
}
