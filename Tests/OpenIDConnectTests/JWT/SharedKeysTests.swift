import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

/// Keys that change: every JWT of the provider is treated like an ID token, and all of them share the fetch.
@Suite(.timeLimit(.minutes(1))) final class SharedKeysTests: Sendable {
    enum Kind: CaseIterable {
        case idToken
        case authorizationResponse
        case userInfo
    }

    enum Verdict: Equatable {
        case good
        case unknownKey
        case keysUnavailable(ProviderDirectoryError)
        case other(String)
    }

    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory
    let old: JWK
    let new: JWK
    let states = Atomic(0)

    init() throws {
        let keys = try TestKeys.shared()
        self.old = keys.rsa.publicKey.jwk(keyID: "rsa")
        self.new = keys.p256.publicKey.jwk(keyID: "p256")
        self.provider = ScriptedProvider(keys: JWKSet([self.old]))
        self.directory = self.provider.directory(self.clock)
    }

    func compact(_ claims: JSON.Object, isNew: Bool) throws -> String {
        var claims = claims
        claims["exp"] = .integer(self.clock.now.seconds + 300)
        if claims["iat"] != nil { claims["iat"] = .integer(self.clock.now.seconds) }
        let header: JSON.Object = ["alg": isNew ? "ES256" : "RS256", "kid": isNew ? "p256" : "rsa"]
        return try Minted.sign(
            header, JSON.object(claims).encoded(), isNew ? "p256" : "rsa", isNew ? .es256 : .rs256)
    }

    func judge(_ kind: Kind, isNew: Bool = false) async throws -> Verdict {
        switch kind {
        case .idToken: try await self.idToken(isNew)
        case .authorizationResponse: try await self.authorizationResponse(isNew)
        case .userInfo: try await self.userInfo(isNew)
        }
    }

    private func idToken(_ isNew: Bool) async throws -> Verdict {
        var minted = try Minted()
        minted.rules.now = self.clock.now
        let compact = try self.compact(minted.claims, isNew: isNew)
        do throws(VerificationError<IDTokenError>) {
            _ = try await IDToken.validate(compact, rules: minted.rules, directory: self.directory)
            return .good
        } catch .form(.unknownKey) {
            return .unknownKey
        } catch .keysUnavailable(let reason) {
            return .keysUnavailable(reason)
        } catch {
            return .other("\(error)")
        }
    }

    private func authorizationResponse(_ isNew: Bool) async throws -> Verdict {
        // Each is of an attempt of its own.
        let state = "state \(self.states.add(1, ordering: .relaxed).newValue)"
        var claims = try JARMCase.Minted().claims
        claims["state"] = .string(state)
        let compact = try self.compact(claims, isNew: isNew)
        let rules = JARMCase.rules(now: self.clock.now)
        do throws(VerificationError<AuthorizationResponseError>) {
            _ = try await JARMCase.judge(
                [Parameter("response", compact)], state: state, rules: rules, directory: self.directory)
            return .good
        } catch .rule(.responseKey) {
            return .unknownKey
        } catch .keysUnavailable(let reason) {
            return .keysUnavailable(reason)
        } catch {
            return .other("\(error)")
        }
    }

    private func userInfo(_ isNew: Bool) async throws -> Verdict {
        let compact = try self.compact(UserInfoCase.Minted().claims, isNew: isNew)
        let response = ProviderResponse(status: 200, contentType: "application/jwt", body: Array(compact.utf8))
        let rules = UserInfoCase.rules(formats: [.signed], now: self.clock.now)
        do throws(UserInfoError) {
            _ = try await UserInfo.validate(response, subject: "{x-1}", rules: rules, directory: self.directory)
            return .good
        } catch .form(.unknownKey) {
            return .unknownKey
        } catch .keysUnavailable(let reason) {
            return .keysUnavailable(reason)
        } catch {
            return .other(error.raw)
        }
    }
}

// MARK: - The changes

extension SharedKeysTests {
    /// oidcc-client-test-signing-key-rotation
    @Test(arguments: Kind.allCases) func `two logins with a change between them succeed`(_ kind: Kind) async throws {
        #expect(try await self.judge(kind) == .good)
        self.provider.publish([self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
        #expect(self.provider.count(.keys) == 2)
    }

    /// oidcc-client-test-signing-key-rotation-just-before-signing
    @Test(arguments: Kind.allCases) func `a change after the keys were fetched is found`(_ kind: Kind) async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.old, self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
        #expect(try await self.judge(kind) == .good)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test(arguments: Kind.allCases)
    func `unknown names do not make us fetch again and again`(_ kind: Kind) async throws {
        let start = self.clock.now
        for _ in 0..<10 { #expect(try await self.judge(kind, isNew: true) == .unknownKey) }
        #expect(self.provider.count(.keys) <= 2 + Int((self.clock.now - start).components.seconds) / 5)
        self.provider.publish([self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
    }

    @Test(arguments: Kind.allCases) func `a refetch that fails changes nothing`(_ kind: Kind) async throws {
        #expect(try await self.judge(kind) == .good)
        self.provider.fail(.keys, .timedOut(""))
        #expect(try await self.judge(kind, isNew: true) == .keysUnavailable(.fetch(.timedOut(""))))
        #expect(try await self.judge(kind) == .good)
    }

    /// The operator learns why: not only that there are no keys.
    @Test(arguments: Kind.allCases) func `the reason is handed on`(_ kind: Kind) async throws {
        let rows: [(ProviderResponse, ProviderDirectoryError)] = [
            (ProviderResponse(status: 503, contentType: nil, body: []), .status(503)),
            (ProviderResponse(status: 200, contentType: nil, body: Array("{}".utf8)), .keySet),
            (ProviderResponse(status: 200, contentType: nil, body: Array(#"{"keys":[]}"#.utf8)), .noUsableKey),
        ]
        for (response, reason) in rows {
            self.provider.answer(.keys, response)
            #expect(try await self.judge(kind) == .keysUnavailable(reason))
            self.clock.advance(.seconds(5))
        }
    }

    /// When one of them has caused a fetch, the others need none.
    @Test func `all kinds share one refetch`() async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.new])
        for kind in Kind.allCases { #expect(try await self.judge(kind, isNew: true) == .good) }
        #expect(self.provider.count(.keys) == 2)
    }
}
