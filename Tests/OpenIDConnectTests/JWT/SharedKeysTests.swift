/// Keys that change: every JWT of the provider is treated like an ID token, and all of them share the fetch.
import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct SharedKeysTests {
    enum Kind: CaseIterable {
        case idToken
        case authorizationResponse
        case userInfo
    }

    enum Verdict: Equatable {
        case good
        case unknownKey
        case keysUnavailable
        case other(String)
    }

    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory
    let old: JWK
    let new: JWK

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
        do throws(IDTokenError) {
            _ = try await IDToken.validate(compact, rules: minted.rules, directory: self.directory)
            return .good
        } catch .unknownKey {
            return .unknownKey
        } catch .keysUnavailable {
            return .keysUnavailable
        } catch {
            return .other(error.rawValue)
        }
    }

    private func authorizationResponse(_ isNew: Bool) async throws -> Verdict {
        let compact = try self.compact(try JARMCase.Minted().claims, isNew: isNew)
        let rules = JARMCase.rules(now: self.clock.now)
        do throws(AuthorizationResponseError) {
            _ = try await JARMCase.judge([Parameter("response", compact)], rules: rules, directory: self.directory)
            return .good
        } catch .responseKey {
            return .unknownKey
        } catch .responseKeysUnavailable {
            return .keysUnavailable
        } catch {
            return .other(error.rawValue)
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
        } catch .form(.keysUnavailable) {
            return .keysUnavailable
        } catch {
            return .other(error.raw)
        }
    }
}

// MARK: - The changes

extension SharedKeysTests {
    /// oidcc-client-test-signing-key-rotation
    @Test(arguments: Kind.allCases) func twoLoginsWithAChangeBetweenThem(_ kind: Kind) async throws {
        #expect(try await self.judge(kind) == .good)
        self.provider.publish([self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
        #expect(self.provider.count(.keys) == 2)
    }

    /// oidcc-client-test-signing-key-rotation-just-before-signing
    @Test(arguments: Kind.allCases) func aChangeAfterTheKeysWereFetched(_ kind: Kind) async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.old, self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
        #expect(try await self.judge(kind) == .good)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test(arguments: Kind.allCases) func unknownNamesDoNotMakeUsAskAgainAndAgain(_ kind: Kind) async throws {
        let start = self.clock.now
        for _ in 0..<10 { #expect(try await self.judge(kind, isNew: true) == .unknownKey) }
        #expect(self.provider.count(.keys) <= 2 + Int((self.clock.now - start).components.seconds) / 5)
        self.provider.publish([self.new])
        #expect(try await self.judge(kind, isNew: true) == .good)
    }

    @Test(arguments: Kind.allCases) func aRefetchThatFailsTakesNothingAway(_ kind: Kind) async throws {
        #expect(try await self.judge(kind) == .good)
        self.provider.fail(.keys, .timedOut(""))
        #expect(try await self.judge(kind, isNew: true) == .keysUnavailable)
        #expect(try await self.judge(kind) == .good)
    }

    /// When one of them has caused a fetch, the others need none.
    @Test func allShareOneRefetch() async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.new])
        for kind in Kind.allCases { #expect(try await self.judge(kind, isNew: true) == .good) }
        #expect(self.provider.count(.keys) == 2)
    }
}
