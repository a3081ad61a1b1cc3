import Base
import OpenIDConnect
import StrictJSON
import TestSupport
import Testing

/// Responses with bytes changed at random: each gets a result, and none traps.
@Suite struct MutationTests {
    static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ":", ",", "null", "-1", "1e999", "9223372036854775808", "\\ud800", "\u{0}",
        "\"sub\"", "https://", "%", "..", "=", "ä", "\u{feff}",
    ].map { Array($0.utf8) }

    /// Makes one to eight changes: replaces, removes or doubles a byte, inserts some grammar, or cuts off the end.
    static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            case 3: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    static let token = Array(#"{"id_token":"a.b.c","access_token":"t","token_type":"Bearer","expires_in":300}"#.utf8)
    static let pushed = Array(#"{"request_uri":"urn:ietf:params:oauth:request_uri:x","expires_in":60}"#.utf8)
    static let error = Array(#"{"error":"invalid_grant","error_description":"used"}"#.utf8)

    @Test(arguments: 1...8) func `changed responses of all kinds never trap`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var members = Example.document
        members["mtls_endpoint_aliases"] = ["token_endpoint": "https://id.example/mtls/token"]
        let document = JSON.object(members).encoded()
        for _ in 0..<500 {
            let body = Self.mutate(Self.token, &random)
            _ = try? TokenResponse.validate(ProviderResponse(status: 200, contentType: "application/json", body: body))
            let error = Self.mutate(Self.error, &random)
            _ = try? TokenResponse.validate(ProviderResponse(status: 400, contentType: "application/json", body: error))
            let pushed = Self.mutate(Self.pushed, &random)
            let push = ProviderResponse(status: 201, contentType: "application/json", body: pushed)
            if let pushed = try? PushedAuthorization.validate(push) {
                #expect(!pushed.requestURI.isEmpty && pushed.expiresIn > 0)
            }
            let metadata = try? ProviderMetadata(
                parsing: Self.mutate(document, &random), issuer: Example.issuer, policy: EndpointPolicy())
            if let metadata {
                #expect(metadata.issuer == Example.issuer)
                #expect(metadata.tokenEndpoint.host == "id.example")
                #expect(
                    ((try? metadata.mtlsEndpointAliases.token.get()) ?? nil).map { $0.host == "id.example" } ?? true)
            }
        }
    }

    @Test(arguments: 1...4) func `a changed URL is refused or read the same`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for text in ["https://id.example:8443/op/a%20b?p=1", "http://[2001:db8::1]:80/x", "https://127.0.0.1"] {
            for _ in 0..<1000 {
                let changed = String(decoding: Self.mutate(Array(text.utf8), &random), as: UTF8.self)
                guard let url = EndpointURL(changed) else { continue }
                // A parsed URL can be parsed again, with the same result.
                #expect(EndpointURL(url.origin)?.origin == url.origin)
                #expect(!url.host.isEmpty && (1...65535).contains(url.port))
            }
        }
    }

    /// Any changed byte of a signed token breaks it.
    @Test(arguments: 1...4) func `a changed ID token is refused`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let minted = try Minted()
        let compact = try minted.compact()
        let directory = ScriptedProvider(keys: minted.published).directory(ManualClock())
        for _ in 0..<200 {
            let changed = String(decoding: Self.mutate(Array(compact.utf8), &random), as: UTF8.self)
            guard changed != compact else { continue }
            let broken = await refusal { () async throws(VerificationError<IDTokenError>) in
                try await IDToken.validate(changed, rules: minted.rules, directory: directory)
            }
            #expect(broken != nil)
        }
    }

    /// The same for an encrypted token.
    @Test(arguments: 1...4) func `a changed encrypted token is refused`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var minted = try Minted()
        minted.rules.decrypter = try Encrypted.decrypter()
        let compact = try Encrypted.token(minted.compact())
        let directory = ScriptedProvider(keys: minted.published).directory(ManualClock())
        for _ in 0..<200 {
            let changed = String(decoding: Self.mutate(Array(compact.utf8), &random), as: UTF8.self)
            guard changed != compact else { continue }
            let broken = await refusal { () async throws(VerificationError<IDTokenError>) in
                try await IDToken.validate(changed, rules: minted.rules, directory: directory)
            }
            #expect(broken != nil)
        }
    }

    /// Changes claims before they are signed, so that any content reaches the validation.
    @Test(arguments: 1...4) func `changed claims never trap`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var minted = try Minted()
        minted.sign(.edDSA, "ed25519")
        minted.rules.maxAge = 60
        minted.rules.accessToken = Secret("token")
        minted.claims["at_hash"] = "PEaenWxYddN6Q_NT1PiOYQ"
        let claims = JSON.object(minted.claims).encoded()
        let directory = ScriptedProvider(keys: minted.published).directory(ManualClock())
        for _ in 0..<200 {
            minted.payload = Self.mutate(claims, &random)
            let token = try? await IDToken.validate(minted.compact(), rules: minted.rules, directory: directory)
            if let token { #expect(token.issuer == Example.issuer) }
        }
    }

    @Test(arguments: 1...4) func `changed userinfo names no other user`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var minted = UserInfoCase.Minted()
        let signed = try minted.response().body
        minted.encrypt()
        let encrypted = try minted.response().body
        let rules = UserInfoCase.rules(formats: [.json, .signed, .encrypted])
        let plain = Array(#"{"sub":"{x-1}","name":"A"}"#.utf8)
        for (type, body) in [("json", plain), ("jwt", signed), ("jwt", encrypted)] {
            for _ in 0..<100 {
                let changed = Self.mutate(body, &random)
                let response = ProviderResponse(status: 200, contentType: "application/\(type)", body: changed)
                let userInfo = try? await UserInfoCase.judge(response, rules: rules).get()
                guard let userInfo else { continue }
                #expect(userInfo.claims["sub"] == "{x-1}")
                #expect(type == "json" || changed == body)
            }
        }
    }

    /// Any changed byte of a signed response breaks it, and any signed content is validated.
    @Test(arguments: 1...4) func `a changed signed response is refused`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var minted = try JARMCase.Minted()
        minted.sign(.es256, "p256")
        let claims = JSON.object(minted.claims).encoded()
        let compact = try minted.compact()
        let directory = ScriptedProvider(keys: try TestKeys.shared().published).directory(ManualClock())
        for _ in 0..<200 {
            let changed = String(decoding: Self.mutate(Array(compact.utf8), &random), as: UTF8.self)
            _ = JARMVerifier.state(of: changed)
            let forged = try? await JARMCase.judge([Parameter("response", changed)], directory: directory)
            #expect(forged == nil || changed == compact)

            minted.payload = Self.mutate(claims, &random)
            let odd = try minted.compact()
            let answer = try? await JARMCase.judge([Parameter("response", odd)], directory: directory)
            if answer != nil { #expect(JARMVerifier.state(of: odd) == "right") }
        }
    }

    @Test(arguments: 1...4) func `a changed authorization response keeps its state and issuer`(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let names = ["code", "state", "iss", "error", "error_description", "x"]
        for _ in 0..<1000 {
            let parameters = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let value = Self.mutate(Array("right".utf8), &random)
                let text = Bool.random(using: &random) ? "right" : String(decoding: value, as: UTF8.self)
                return Parameter(names.randomElement(using: &random) ?? "", text)
            }
            let response = try? await AuthorizationResponse.validate(
                parameters, state: "right", issuer: "right", issuerPolicy: .require, promised: true)
            guard response != nil else { continue }
            #expect(parameters.contains { $0.name == "state" && $0.value == "right" })
            #expect(parameters.contains { $0.name == "iss" && $0.value == "right" })
        }
    }
}
