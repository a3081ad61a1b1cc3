import Base
import OpenIDConnect
import Testing

@testable import Brokers

/// What we send to Vipps, and how its mistakes are corrected.
@Suite struct VippsTests {
    private static let kind = Vipps(merchantSerialNumber: "123456", version: "1.2.3")

    @Test(arguments: ProviderRequest.Purpose.allCases)
    func `only requests for tokens and userinfo have Vipps' headers`(_ purpose: ProviderRequest.Purpose) {
        let fields = Self.kind.fields(for: purpose).map { "\($0.name): \($0.value)" }
        let expected = [
            "Merchant-Serial-Number: 123456", "Vipps-System-Name: switchback", "Vipps-System-Version: 1.2.3",
        ]
        #expect(fields == ([.token, .userinfo].contains(purpose) ? expected : []))
        #expect(Vipps(merchantSerialNumber: nil, version: "1").fields(for: .token).count == 2)
    }

    static let links: [(received: [String], mended: [String])] = [
        (["state=abc", "code=x"], ["state=abc", "code=x"]),
        (["state=abc?error=unknown_error"], ["state=abc", "error=unknown_error"]),
        (["code=a?error=b", "state=c"], ["code=a?error=b", "state=c"]),
        (["state=a?error=b?error=c"], ["state=a", "error=b?error=c"]),
        (["state=?error="], ["state=", "error="]),
    ]

    /// Sources: E33.
    @Test(arguments: links) func `a second question mark is mended`(_ row: (received: [String], mended: [String])) {
        let received = row.received.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(String(parts[0]), String(parts[1]))
        }
        #expect(Self.kind.normalized(received).map { "\($0.name)=\($0.value)" } == row.mended)
    }
}
