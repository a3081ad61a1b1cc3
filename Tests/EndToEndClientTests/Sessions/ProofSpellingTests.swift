import Base
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

/// The spellings that we tolerate in a provider's documents, in an app's request for tokens: all refused.
@Suite struct ProofSpellingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout PhoneKey.Parts) throws -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout PhoneKey.Parts) throws -> Void) {
            self.testDescription = description
            self.change = change
        }

        static func jwk(_ name: String, _ value: JSON) -> Self {
            Self("jwk \(name) \(String(decoding: value.encoded(), as: UTF8.self))") { $0.jwk { $0[name] = value } }
        }

        static func header(_ name: String) -> Self { Self("header \(name) null") { $0.header[name] = .some(.null) } }

        static func claim(_ name: String, _ value: JSON) -> Self {
            Self("claim \(name) \(String(decoding: value.encoded(), as: UTF8.self))") { $0.claims[name] = value }
        }
    }

    static let cases: [Case] = [
        Case("x padded") { $0.jwk { $0["x"] = .string(($0["x"]?.string ?? "") + "=") } },
        Case("y padded") { $0.jwk { $0["y"] = .string(($0["y"]?.string ?? "") + "=") } },
        Case("x without its zero") {
            $0.jwk { $0["x"] = .string(Base64URL.encode(Array(Self.bytes($0["x"]).dropFirst()))) }
        },
        Case("x with a zero more") { $0.jwk { $0["x"] = .string(Base64URL.encode([0] + Self.bytes($0["x"]))) } },
        .jwk("use", .null), .jwk("alg", .null), .jwk("kid", .null), .jwk("key_ops", .null), .jwk("d", .null),
        .header("typ"), .header("kid"), .header("cty"), .header("crit"), .header("alg"),
        .claim("jti", .null), .claim("iat", .null), .claim("iat", "1800000000"), .claim("nonce", .null),
        .claim("ath", .null), .claim("htm", .null), .claim("htm", ["POST"]), .claim("htu", .null),
        .claim("pin_proof", .null), .claim("pin_id", .null),
    ]

    private static func bytes(_ member: JSON?) -> [UInt8] { member?.string.flatMap { Base64URL.decode($0) } ?? [] }

    /// The key's `x` begins with a zero byte, so that it can be left out.
    private static func key() throws -> PhoneKey {
        while true {
            let key = try PhoneKey()
            var first: UInt8?
            _ = try key.proof("POST", "", nonce: nil) { first = Self.bytes($0.header["jwk"]?["x"]).first }
            if first == 0 { return key }
        }
    }

    @Test func `no tolerated spelling gets a token`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url, key: try Self.key())
        _ = try await stage.session(phone)
        for one in Self.cases {
            var refused = try phone.renewal()
            let proof = try phone.key.proof("POST", stage.server.url + "/oauth/token", nonce: phone.nonce) { parts in
                _ = try? one.change(&parts)
            }
            refused.fields = refused.fields.filter { $0.name != "DPoP" } + [Parameter("DPoP", proof)]
            #expect(try await phone.send(refused).brief == "400 invalid_dpop_proof", "\(one.testDescription)")
        }
        #expect(try await phone.send(try phone.renewal()).status == 200)
        await stage.stop()
    }
}

extension PhoneKey.Parts {
    fileprivate mutating func jwk(_ change: (inout JSON.Object) -> Void) {
        var members = self.header["jwk"]?.object ?? [:]
        change(&members)
        self.header["jwk"] = .object(members)
    }
}
