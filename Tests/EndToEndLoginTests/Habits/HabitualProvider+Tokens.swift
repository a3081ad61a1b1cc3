// The token and userinfo endpoints of a provider of the habits.

import Base
import Cryptography
import Foundation
import JOSE
import StrictJSON

extension HabitualProvider {
    /// Whether the request has the credentials that the habits accept.
    func isAuthenticated(_ request: HabitRequest) -> Bool {
        let methods =
            self.habit["client"]?.array?.compactMap(\.string) ?? ["client_secret_basic", "client_secret_post"]
        if let basic = request.basic {
            return methods.contains("client_secret_basic") && basic.id == Self.clientID
                && basic.secret == Self.clientSecret
        }
        guard request.form[named: "client_id"] == Self.clientID else {
            // RFC 7523 §3 names the client in the assertion only.
            return methods.contains("private_key_jwt") && self.isAsserted(request)
        }
        if let secret = request.form[named: "client_secret"] {
            return methods.contains("client_secret_post") && secret == Self.clientSecret
        }
        return methods.contains("private_key_jwt") && self.isAsserted(request)
    }

    /// Checks the assertion's algorithm and claims. Its signature is checked by the sandbox's and the foreign providers.
    private func isAsserted(_ request: HabitRequest) -> Bool {
        let parts = (request.form[named: "client_assertion"] ?? "").split(separator: ".").compactMap {
            Base64URL.decode($0).flatMap { try? JSON(parsing: $0) }
        }
        guard let header = parts.first, let claims = parts.dropFirst().first else { return false }
        let audience = self.habit["assertion_audience"]?.string ?? self.issuer
        return header["alg"] == self.habit["assertion_alg"] && claims["sub"]?.string == Self.clientID
            && claims["iss"]?.string == Self.clientID && claims["aud"]?.string == audience
    }

    func token(_ request: HabitRequest) throws -> HabitAnswer {
        // `check --online` only connects to the hosts besides the issuer's.
        guard request.method == "POST" else { return .page(405, "only POST") }
        guard self.isAuthenticated(request) else {
            self.note("token: the client is not authenticated")
            return .json(["error": "invalid_client"], status: 401)
        }
        guard let grant = self.redeem(request.form[named: "code"] ?? ""), !self.refusesCodes else {
            let error = self.habit["token_error"]
            return .json(
                error?["body"] ?? ["error": "invalid_grant"], status: error?["status"]?.integer ?? 400,
                type: error?["type"]?.string ?? "application/json")
        }
        let verifier = Digest.sha256.hash(Array((request.form[named: "code_verifier"] ?? "").utf8))
        guard Base64URL.encode(verifier) == grant.request[named: "code_challenge"],
            request.form[named: "redirect_uri"] == grant.request[named: "redirect_uri"],
            request.form[named: "grant_type"] == "authorization_code"
        else {
            self.note("token: the request does not fit the authorization")
            return .json(["error": "invalid_grant"], status: 400)
        }
        var answer: JSON.Object = [
            "access_token": .string(Self.accessToken), "token_type": "Bearer", "expires_in": 3600,
            "id_token": .string(try self.idToken(grant, code: request.form[named: "code"] ?? "")),
        ]
        self.apply(self.habit["token"], to: &answer, grant, code: "")
        return .json(.object(answer), type: self.habit["token_type"]?.string ?? "application/json;charset=UTF-8")
    }

    func userinfo(_ request: HabitRequest) throws -> HabitAnswer {
        guard request.field("Authorization") != nil else { return .json(["error": "invalid_token"], status: 401) }
        guard request.field("Authorization") == "Bearer \(Self.accessToken)" else {
            self.note("userinfo: no access token")
            return .json(["error": "invalid_token"], status: 401)
        }
        var claims: JSON.Object = ["sub": .string(self.subject)]
        let habit = self.habit["userinfo"]
        let grant = Grant(request: [], authenticatedAt: 0)
        guard habit?["format"]?.string == "jwt" else {
            self.apply(habit?["claims"], to: &claims, grant, code: "")
            return .json(.object(claims), type: habit?["type"]?.string ?? "application/json")
        }
        claims["iss"] = .string(self.issuer)
        claims["aud"] = .string(Self.clientID)
        self.apply(habit?["claims"], to: &claims, grant, code: "")
        let token = try self.keys.sign(claims, header: habit?["header"])
        return HabitAnswer(type: "application/jwt", body: token)
    }

    var subject: String { self.habit["sub"]?.string ?? "248289761001" }

    // MARK: - ID tokens

    private func idToken(_ grant: Grant, code: String) throws -> String {
        let now = self.now().seconds
        var claims: JSON.Object = [
            "iss": .string(self.issuer), "sub": .string(self.subject), "aud": .string(Self.clientID),
            "exp": .integer(now + 300), "iat": .integer(now),
        ]
        if let nonce = grant.request[named: "nonce"] { claims["nonce"] = .string(nonce) }
        if self.tellsAuthenticationTime(grant) { claims["auth_time"] = .integer(grant.authenticatedAt) }
        self.apply(self.habit["id_token"]?["claims"], to: &claims, grant, code: code)
        return try self.keys.sign(claims, header: self.habit["id_token"]?["header"])
    }

    private func tellsAuthenticationTime(_ grant: Grant) -> Bool {
        let isAsked = grant.request[named: "max_age"] != nil
        let claims = grant.request[named: "claims"].flatMap { try? JSON(parsing: Array($0.utf8)) }
        return switch self.habit["id_token"]?["auth_time"]?.string {
        case "always": true
        case "max_age": isAsked
        case "claims": isAsked || claims?["id_token"]?["auth_time"] != nil
        default: false
        }
    }

    /// Sets the members of a habit; words that begin with `$` stand for a value of this login.
    private func apply(_ habit: JSON?, to members: inout JSON.Object, _ grant: Grant, code: String) {
        for name in habit?.object?.names ?? [] {
            guard let value = habit?[name] else { continue }
            members[name] = value == .string("$absent") ? nil : self.resolved(value, grant, code: code)
        }
    }

    private func resolved(_ value: JSON, _ grant: Grant, code: String) -> JSON {
        switch value {
        case .string("$client"): .string(Self.clientID)
        case .string("$now"): .integer(self.now().seconds)
        case .string("$issuer"): .string(self.issuer)
        case .string("$auth_time"): .integer(grant.authenticatedAt)
        case .string("$at_hash"): .string(self.hash(of: Self.accessToken))
        case .string("$c_hash"): .string(self.hash(of: code))
        case .string("$acr"):
            .string(grant.request[named: "acr_values"]?.split(separator: " ").first.map(String.init) ?? "")
        case .array(let values): .array(values.map { self.resolved($0, grant, code: code) })
        default: value
        }
    }

    /// The left half of the digest that belongs to the algorithm (Core 3.1.3.6).
    private func hash(of text: String) -> String {
        let digest =
            switch self.keys.algorithm {
            case .rs256, .ps256, .es256: Digest.sha256
            case .rs384, .ps384, .es384: Digest.sha384
            case .rs512, .ps512, .es512, .edDSA, .ed25519: Digest.sha512
            }
        return Base64URL.encode(digest.hash(Array(text.utf8)).prefix(digest.byteCount / 2))
    }
}
