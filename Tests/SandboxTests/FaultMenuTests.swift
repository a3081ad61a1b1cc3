/// The list of faults: every one is tested, can be chosen, and is used up by one login.
import HTTPWire
import JOSE
import Sandbox
import Testing

@Suite struct FaultMenu {
    @Test func everyFaultIsTested() {
        let inTables =
            AuthorizationFaults.expected.map(\.fault) + TokenFaults.expected.map(\.fault)
            + TokenFaults.expectedOfUserinfo.map(\.fault) + IDTokenFaults.expected.map(\.fault)
        let byName: [SandboxFault] = [
            .tokenSlow, .tokenDead, .badSignatureRS256, .badSignatureES256, .unsigned, .otherAlgorithm,
            .publicKeyAsSecret, .unknownKeyID, .noKeyIDSingleKey, .noKeyIDSeveralKeys, .accessTokenType,
            .rotationBeforeSigning, .rotationAfterSigning, .discoveryIssuerMismatch,
        ]
        #expect(Set(inTables).union(byName) == Set(SandboxFault.allCases))
        #expect(inTables.count + byName.count == SandboxFault.allCases.count)
    }

    @Test func everyFaultOfALoginIsOnThePage() async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request()).text
        for fault in SandboxFault.allCases {
            #expect(page.contains("<option value=\"\(fault.rawValue)\">") == (fault != .discoveryIssuerMismatch))
        }
        await stage.end()
    }

    @Test func aFaultThatWasSetIsForTheNextLoginOnly() async throws {
        let stage = try Stage()
        stage.provider.setFault(.missingState, for: "somebody else")
        #expect(try await stage.walk.login(stage.request())["state"] != nil)
        stage.provider.setFault(.missingState, for: "test app")
        // Nobody approved, so it is still to come.
        #expect(try await stage.walk.login(stage.request(), "cancel")["state"] != nil)
        #expect(try await stage.walk.login(stage.request())["state"] == nil)
        #expect(try await stage.walk.login(stage.request())["state"] != nil)
        await stage.end()
    }

    @Test func theFormsFaultComesFirst() async throws {
        let stage = try Stage()
        stage.provider.setFault(.missingState, for: "test app")
        let arrival = try await stage.walk.login(stage.request(), fault: SandboxFault.serverError.rawValue)
        #expect(arrival["error"] == "server_error")
        #expect(arrival["state"] != nil)
        await stage.end()
    }

    @Test func discoveryOfAnotherIssuer() async throws {
        let stage = try Stage()
        stage.provider.setFault(.discoveryIssuerMismatch, for: "test app")
        for _ in 0..<2 {
            let document = try JSON(parsing: try await stage.http.get("/.well-known/openid-configuration").body)
            #expect(document["issuer"]?.string == "https://somebody-else.example")
        }
        stage.provider.setFault(nil, for: "test app")
        let document = try JSON(parsing: try await stage.http.get("/.well-known/openid-configuration").body)
        #expect(document["issuer"]?.string == stage.issuer)
        await stage.end()
    }
}
