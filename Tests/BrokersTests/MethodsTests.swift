import StrictJSON
import Testing

@testable import Brokers

/// `amr` (Core 2): a list of texts, or one text. A wrong type says nothing about the user's login.
@Suite struct MethodsTests {
    /// The claim, what the app gets, and the outcome for a provider that demands `pwd`.
    static let rows: [(JSON?, [String], String?)] = [
        (nil, [], "amr"),
        (.null, [], "amr"),
        ([], [], "amr"),
        (["pwd", "otp"], ["pwd", "otp"], nil),
        (["otp"], ["otp"], "amr"),
        // Signicat: ramosbugs/openidconnect-rs#110.
        ("pwd", ["pwd"], nil),
        ("otp", ["otp"], "amr"),
        // It is never split.
        ("pwd otp", ["pwd otp"], "amr"),
        ("pwd,otp", ["pwd,otp"], "amr"),
        ("", [""], "amr"),
        ("PWD", ["PWD"], "amr"),
        (["pwd", 1], ["pwd"], nil),
        (["otp", 1], ["otp"], "amr_type"),
        ([1], [], "amr_type"),
        ([["pwd"]], [], "amr_type"),
        ([.null], [], "amr_type"),
        (1, [], "amr_type"),
        (true, [], "amr_type"),
        (["pwd": true], [], "amr_type"),
    ]

    @Test(arguments: rows)
    func `the methods are read from a list or a text`(_ claim: JSON?, _ methods: [String], _ refusal: String?) throws {
        var provider = Provider(id: "p", brokerID: "b", names: ["en": "P"])
        #expect(try Identity.methods(claim, for: provider) == methods)
        provider.methods = ["pwd"]
        do throws(BrokerError) {
            let found = try Identity.methods(claim, for: provider)
            let identity = Identity(issuer: "https://a", subject: "s", provider: "p", eid: "p", methods: found)
            try provider.check(identity)
            #expect(refusal == nil)
        } catch {
            #expect(error.detail == refusal)
            #expect(error.kind == (refusal == "amr" ? .assuranceTooLow : .invalidToken))
        }
    }
}
