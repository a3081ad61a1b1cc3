import Attestation
import Base
import Logins
import Testing

@testable import Sessions

/// What a phone's statement must cover. The client library's tests have the same values.
@Suite struct PhoneStatementTests {
    @Test func `the challenge of a login is a known value`() throws {
        let login = try #require(LoginID("AAAAAAAAAAAAAAAAAAAAAA"))
        let statement = PhoneStatement(.androidKey(certificates: []), for: login)
        #expect(Self.hex(statement.challenge) == "e9937e3a9c9105671f30d8401a25258481bb6301d8e085561ba865d0593abd9d")
        let hash = AppAttestVerifier.clientDataHash(
            challenge: statement.challenge, thumbprint: Base64URL.encode([UInt8](repeating: 1, count: 32)))
        #expect(
            hash.map(Self.hex) == "c528fe14d8833154fe093dc8d4259faa81ce18e56fbe27a6dc92cf792e14e566")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
