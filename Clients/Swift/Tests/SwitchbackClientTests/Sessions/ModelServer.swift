import Foundation

@testable import SwitchbackClient

/// A server with sessions, as small as the tests need it. It judges proofs and PINs as the contract says.
struct ModelServer: Sendable {
    struct Session: Sendable {
        let id: String
        let user: String
        let refreshToken: String
        var pin: PINSecret?
        var pinID: String?
        var wrong = 0
        var isLockedOut = false
        /// The nonce's number, the proof and the response of the last judged try.
        var lastTry: (nonce: Int, proof: String, isRight: Bool, triesLeft: Int)?
    }

    /// The completed logins, by poll secret.
    var logins: [String: (user: String, thumbprint: String)] = [:]
    /// The sessions, by thumbprint.
    var sessions: [String: Session] = [:]
    var level = "unlock"
    var tokenType = "DPoP"
    /// Whether the inactivity timeout has passed.
    var isIdle = false
    /// Whether a PIN is no longer taken without the old one.
    var isLate = false
    /// Whether the login is too old to give an access token.
    var isOldLogin = false
    /// Nonces with lower numbers are too old.
    var oldestNonce = 0
    /// How many wrong tries were counted.
    var counted = 0
    var tokens: Set<String> = []
    private(set) var lastNonce = 0
    /// The methods and paths of all requests.
    private(set) var log: [String] = []

    mutating func logIn(_ secret: PollSecret, user: String = "freja", thumbprint: String) {
        self.logins[secret.exposed] = (user, thumbprint)
    }

    mutating func respond(to request: HTTPRequest) -> HTTPResponse {
        self.log.append("\(request.method) \(request.url.path)")
        let form = Self.form(request)
        if request.url.path == "/oauth/revoke" {
            self.sessions = self.sessions.filter { $0.value.refreshToken != form["token"] }
            return HTTPResponse(status: 200)
        }
        let isOAuth = request.url.path.hasPrefix("/oauth")
        let authorization = request.fields["Authorization"] ?? ""
        guard let proof = Self.verify(request), let thumbprint = Self.thumbprint(request) else {
            return self.refuse(isOAuth ? 400 : 401, isOAuth ? "invalid_dpop_proof" : "dpop_proof_invalid")
        }
        guard let nonce = proof["nonce"]?.string.flatMap({ Int($0.dropFirst()) }), nonce >= self.oldestNonce,
            nonce <= self.lastNonce
        else { return self.refuse(isOAuth ? 400 : 401, isOAuth ? "use_dpop_nonce" : "dpop_nonce_required") }
        if isOAuth { return self.renew(form["refresh_token"] ?? "", thumbprint, proof, nonce, request) }
        if request.method == "POST" { return self.begin(String(authorization.dropFirst(7)), thumbprint) }
        let token = String(authorization.dropFirst(5))
        guard self.tokens.contains(token), let session = self.sessions[thumbprint],
            proof["ath"]?.string == Base64URL.encode(SHA256.hash(Array(token.utf8)))
        else { return self.refuse(401, "access_token_invalid") }
        switch request.method {
        case "PUT": return self.setPIN(session, thumbprint, proof, nonce, request)
        case "GET":
            let list = self.sessions.values.filter { $0.user == session.user }.map { other in
                """
                {"id": "\(other.id)", "provider": "mitid", "pin": \(other.pin != nil), "current": \(other.id == session.id)}
                """
            }
            return self.ok(#"{"sessions": [\#(list.joined(separator: ","))]}"#)
        default:
            let id = request.url.lastPathComponent
            guard self.sessions.contains(where: { $0.value.id == id }) else {
                return self.refuse(404, "session_unknown")
            }
            self.sessions = self.sessions.filter { $0.value.id != id }
            return self.withNonce(204)
        }
    }

    private mutating func begin(_ secret: String, _ thumbprint: String) -> HTTPResponse {
        guard let login = self.logins[secret] else { return self.refuse(410, "gone") }
        guard login.thumbprint == thumbprint else { return self.refuse(401, "dpop_proof_invalid") }
        if let session = self.sessions[thumbprint] {
            guard session.user == login.user else { return self.refuse(409, "session_key_in_use") }
            if session.isLockedOut { self.sessions[thumbprint]?.isLockedOut = false }
        } else {
            self.sessions[thumbprint] = Session(
                id: "id-\(thumbprint.prefix(8))", user: login.user, refreshToken: "rt-\(thumbprint.prefix(8))")
        }
        self.isIdle = false
        self.isLate = false
        return self.giveTokens(thumbprint, withAccess: !self.isOldLogin)
    }

    private mutating func renew(
        _ token: String, _ thumbprint: String, _ proof: JSONValue, _ nonce: Int, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard let session = self.sessions[thumbprint], session.refreshToken == token else {
            return self.refuse(400, "invalid_grant")
        }
        if session.isLockedOut { return self.refuse(400, "insufficient_user_authentication") }
        if let pinProof = proof["pin_proof"]?.string {
            if let refusal = self.judge(pinProof, session, thumbprint, proof, nonce, request) { return refusal }
            self.isIdle = false
        } else if self.isIdle {
            return self.refuse(
                400, session.pin == nil ? "insufficient_user_authentication" : "pin_required", more: Self.pinID(session)
            )
        }
        return self.giveTokens(thumbprint)
    }

    /// Returns nil for a right PIN.
    private mutating func judge(
        _ pinProof: String, _ session: Session, _ thumbprint: String, _ proof: JSONValue, _ nonce: Int,
        _ request: HTTPRequest
    ) -> HTTPResponse? {
        let isOAuth = request.url.path.hasPrefix("/oauth")
        guard let pin = session.pin else { return self.refuse(400, "insufficient_user_authentication") }
        let text = request.fields["DPoP"] ?? ""
        guard proof["pin_id"]?.string == session.pinID else {
            return self.refuse(
                isOAuth ? 400 : 401, isOAuth ? "pin_required" : "insufficient_user_authentication",
                more: Self.pinID(session))
        }
        if let last = session.lastTry {
            if last.proof == text { return last.isRight ? nil : self.refuseWrongPIN(last.triesLeft, isOAuth) }
            guard nonce > last.nonce else {
                return self.refuse(isOAuth ? 400 : 401, isOAuth ? "use_dpop_nonce" : "dpop_nonce_required")
            }
        }
        let isRight =
            pin.proof(session: session.id, nonce: proof["nonce"]?.string ?? "", id: proof["jti"]?.string ?? "")
            == pinProof
        if !isRight { self.counted += 1 }
        let wrong = isRight ? 0 : session.wrong + 1
        self.sessions[thumbprint]?.wrong = wrong
        self.sessions[thumbprint]?.lastTry = (nonce, text, isRight, 5 - wrong)
        guard !isRight else { return nil }
        if wrong == 5 {
            self.sessions[thumbprint]?.isLockedOut = true
            self.sessions[thumbprint]?.pin = nil
            self.sessions[thumbprint]?.pinID = nil
        }
        return self.refuseWrongPIN(5 - wrong, isOAuth)
    }

    private mutating func setPIN(
        _ session: Session, _ thumbprint: String, _ proof: JSONValue, _ nonce: Int, _ request: HTTPRequest
    ) -> HTTPResponse {
        let body = request.body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        guard let bytes = body?["pin_secret"]?.string.flatMap(Base64URL.decode),
            let secret = PINSecret(masked: bytes, by: [UInt8](repeating: 0, count: 32))
        else { return self.refuse(422, "pin_malformed") }
        // A repetition is known by its proof alone.
        let text = request.fields["DPoP"] ?? ""
        if let last = session.lastTry, last.isRight, last.proof == text { return self.withNonce(204) }
        if let pinProof = proof["pin_proof"]?.string {
            if let refusal = self.judge(pinProof, session, thumbprint, proof, nonce, request) { return refusal }
        } else if self.isLate {
            return self.refuse(403, "pin_too_late")
        }
        self.sessions[thumbprint]?.pin = secret
        self.sessions[thumbprint]?.pinID = body?["pin_id"]?.string
        self.sessions[thumbprint]?.wrong = 0
        let lastNonce = self.sessions[thumbprint]?.lastTry?.nonce ?? Int.min
        self.sessions[thumbprint]?.lastTry = (lastNonce, text, true, 5)
        return self.withNonce(204)
    }

    private static func pinID(_ session: Session) -> String {
        session.pinID.map { #", "pin_id": "\#($0)""# } ?? ""
    }

    private mutating func giveTokens(_ thumbprint: String, withAccess: Bool = true) -> HTTPResponse {
        guard let session = self.sessions[thumbprint] else { return self.refuse(410, "session_ended") }
        let token = "at\(self.tokens.count)"
        let access = withAccess ? #""access_token": "\#(token)", "expires_in": 300, "# : ""
        if withAccess { self.tokens.insert(token) }
        let refresh = self.level == "access" ? "" : #", "refresh_token": "\#(session.refreshToken)""#
        let pin = self.level == "unlock" ? #", "pin": \#(session.pin != nil)"# + Self.pinID(session) : ""
        return self.ok(
            """
            {"session_id": "\(session.id)", \(access)"token_type": "\(self.tokenType)"\(refresh)\(pin)}
            """)
    }
}

// MARK: - Responses and requests

extension ModelServer {
    private mutating func withNonce(_ status: Int, _ type: String = "application/json", _ body: String = "")
        -> HTTPResponse
    {
        self.lastNonce += 1
        return HTTPResponse(
            status: status, fields: ["Content-Type": type, "DPoP-Nonce": "n\(self.lastNonce)"], body: Data(body.utf8))
    }

    private mutating func ok(_ body: String) -> HTTPResponse { self.withNonce(200, body: body) }

    private mutating func withNonce(_ status: Int, body: String) -> HTTPResponse {
        self.withNonce(status, "application/json", body)
    }

    private mutating func refuse(_ status: Int, _ code: String, more: String = "") -> HTTPResponse {
        // Errors of OAuth are no problems.
        let isOAuth = status == 400
        return self.withNonce(
            status, isOAuth ? "application/json" : "application/problem+json",
            isOAuth ? #"{"error": "\#(code)"\#(more)}"# : #"{"status": \#(status), "code": "\#(code)"\#(more)}"#)
    }

    private mutating func refuseWrongPIN(_ triesLeft: Int, _ isOAuth: Bool) -> HTTPResponse {
        self.refuse(isOAuth ? 400 : 403, "wrong_pin", more: #", "tries_left": \#(triesLeft)"#)
    }

    private static func form(_ request: HTTPRequest) -> [String: String] {
        let text = String(decoding: request.body ?? Data(), as: UTF8.self)
        return Dictionary(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
        ) { first, _ in first }
    }

    static func claims(_ proof: String) -> JSONValue? {
        let parts = proof.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? self.json(parts[1]) : nil
    }

    private static func json(_ part: Substring) -> JSONValue? {
        Base64URL.decode(String(part)).flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) }
    }

    /// RFC 9449 §4.3, as far as it concerns the client.
    private static func verify(_ request: HTTPRequest) -> JSONValue? {
        guard let proof = request.fields["DPoP"], let claims = self.claims(proof) else { return nil }
        let parts = proof.split(separator: ".", omittingEmptySubsequences: false)
        let input = "\(parts[0]).\(parts[1])"
        guard claims["htm"]?.string == request.method, claims["htu"]?.string == request.url.absoluteString,
            claims["iat"]?.integer != nil, claims["jti"]?.string?.isEmpty == false,
            self.json(parts[0])?["typ"]?.string == "dpop+jwt", let key = self.key(request),
            Base64URL.decode(String(parts[2])) == TestKey.signature(of: Array(input.utf8), by: key)
        else { return nil }
        return claims
    }

    private static func key(_ request: HTTPRequest) -> P256PublicKey? {
        guard let header = request.fields["DPoP"]?.split(separator: ".").first, let jwk = self.json(header)?["jwk"],
            let bytes = try? JSONEncoder().encode(jwk)
        else { return nil }
        return try? JSONDecoder().decode(P256PublicKey.self, from: bytes)
    }

    private static func thumbprint(_ request: HTTPRequest) -> String? { self.key(request)?.thumbprint }
}

extension Base64URL {
    static func decode(_ text: String) -> [UInt8]? {
        let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)).map(Array.init)
    }
}
