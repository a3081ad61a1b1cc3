import Foundation

@testable import SwitchbackClient

/// What the session's client stores, sends and tells, in the words of the cases.
struct SessionCaseWords {
    private typealias FormatError = BehaviourCase.FormatError

    private let pins: [String: PINCandidate]

    init(_ context: CaseContext) throws {
        self.pins = try context["pins"].members.mapValues { json in
            try json.check(["salt", "secret"])
            guard let salt = json["salt"]?.integer, let secret = json["secret"]?.integer,
                let secret = PINSecret(
                    masked: [UInt8](repeating: UInt8(secret), count: 32), by: [UInt8](repeating: 0, count: 32))
            else { throw FormatError("not a PIN: \(json.text)") }
            let pin = WrappedPIN(salt: Data([UInt8(salt)]), iterations: 1, masked: Data(secret.bytes))
            return PINCandidate(pin: pin, secret: secret)
        }
    }

    /// `"A"`, or `"A+"` for one with a copy for biometrics.
    func pin(_ json: JSONValue?) throws -> PINCandidate {
        guard let name = json?.string, let candidate = self.pins[name.replacingOccurrences(of: "+", with: "")] else {
            throw FormatError("unknown PIN \(json?.text ?? "")")
        }
        var pin = candidate.pin
        if name.hasSuffix("+") { pin.biometric = Data([1]) }
        return PINCandidate(pin: pin, secret: candidate.secret)
    }

    private func word(_ pin: WrappedPIN) -> String {
        let name = self.pins.first { $0.value.pin.masked == pin.masked }?.key ?? "unknown"
        return pin.biometric == nil ? name : name + "+"
    }

    /// `"K1"` is the key whose coordinates have the byte 1 only.
    func key(_ json: JSONValue) throws -> P256PublicKey? {
        guard json != .null else { return nil }
        guard let byte = json.string.flatMap({ UInt8($0.dropFirst()) }), let key = CaseDevice.key(byte) else {
            throw FormatError("unknown key \(json.text)")
        }
        return key
    }

    private func word(_ thumbprint: String?) -> JSONValue {
        let byte = (UInt8(0)...20).first { CaseDevice.key($0)?.thumbprint == thumbprint }
        return byte.map { .string("K\($0)") } ?? .null
    }

    // MARK: - The storage

    func record(_ saved: JSONValue?) throws -> SavedSession {
        try saved?.check(["key_name", "key", "session", "signed_out", "pins", "locked", "revocations"])
        var record = SavedSession()
        record.keyName = saved?["key_name"]?.string
        record.key = try saved?["key"].flatMap { try self.key($0) }
        record.pins = try (saved?["pins"]?.array ?? []).map { try self.pin($0).pin }
        record.isLocked = saved?["locked"]?.bool ?? false
        record.revocations = (saved?["revocations"]?.strings ?? []).map(Secret.init)
        record.signOutReason = try self.reason(saved?["signed_out"])
        guard case .object(let members)? = saved?["session"] else { return record }
        try JSONValue.object(members).check(["id", "refresh_token", "pin", "access_token", "expires_at"])
        var session = SavedSession.Session(
            id: members["id"]?.string ?? "", refreshToken: members["refresh_token"]?.string.map(Secret.init))
        session.hasPIN = members["pin"]?.bool
        session.accessToken = members["access_token"]?.string.map(Secret.init)
        session.expiresAt = members["expires_at"]?.double.map { Date(timeIntervalSince1970: $0) }
        record.session = session
        return record
    }

    private func reason(_ json: JSONValue?) throws -> SignOutReason {
        guard let code = json?.string else { return .neverSignedIn }
        let reasons: [SignOutReason] = [.neverSignedIn, .byUser, .ended, .keyGone]
        guard let reason = reasons.first(where: { $0.code == code }) else {
            throw FormatError("unknown reason \(code)")
        }
        return reason
    }

    func word(_ record: SavedSession) -> [String: JSONValue] {
        let session = record.session.map { session in
            JSONValue.object([
                "id": .string(session.id), "refresh_token": session.refreshToken.map { .string($0.exposed) },
                "pin": session.hasPIN.map(JSONValue.bool),
                "access_token": session.accessToken.map { .string($0.exposed) },
                "expires_at": session.expiresAt.map { .integer(Int($0.timeIntervalSince1970)) },
            ])
        }
        return [
            "key_name": record.keyName.map(JSONValue.string) ?? .null, "key": self.word(record.key?.thumbprint),
            "session": session ?? .null, "signed_out": .string(record.signOutReason.code),
            "pins": record.pins.map(self.word).json, "locked": .bool(record.isLocked),
            "revocations": record.revocations.map(\.exposed).json,
        ]
    }

    // MARK: - Calls

    /// The call, with what its proof says in the place of the proof. `sentProofs` are those of the calls before.
    func call(_ request: HTTPRequest, of session: String, at date: Date, after sentProofs: inout [String]) -> JSONValue
    {
        var members = request.word.members
        guard let proof = request.fields["DPoP"] else { return .object(members) }
        var headers = members["headers"]?.members ?? [:]
        headers["DPoP"] = nil
        members["headers"] = .object(headers)
        let isNew = !sentProofs.contains(proof)
        var claims = self.claims(proof, request, session)
        if isNew, sentProofs.contains(where: { Self.id(of: $0) == Self.id(of: proof) }) {
            claims["jti"] = .string("used")
        }
        if isNew { sentProofs.append(proof) }
        claims["id"] = .integer((sentProofs.firstIndex(of: proof) ?? 0) + 1)
        // A proof that is sent again has the time of the first time.
        if !isNew || claims["iat"] == .integer(Int(date.timeIntervalSince1970.rounded(.down))) { claims["iat"] = nil }
        members["proof"] = .object(claims)
        return .object(members)
    }

    private static func id(of proof: String) -> String? {
        let payload = proof.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode(String($0)) }
        return payload.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) }?["jti"]?.string
    }

    /// What a proof says. What every proof has to say is compared here, and only named when it is wrong.
    private func claims(_ proof: String, _ request: HTTPRequest, _ session: String) -> [String: JSONValue] {
        let texts = proof.split(separator: ".")
        let parts = texts.compactMap { Base64URL.decode(String($0)) }
        guard texts.count == 3, parts.count == 3, parts[2] == SHA256.hash(Array("\(texts[0]).\(texts[1])".utf8)),
            let payload = try? JSONDecoder().decode(JSONValue.self, from: Data(parts[1])),
            let header = try? JSONDecoder().decode(JSONValue.self, from: Data(parts[0]))
        else { return ["wrong": .string(proof)] }
        var claims = payload.members
        if claims["htm"] == .string(request.method) { claims["htm"] = nil }
        if claims["htu"] == .string(request.url.absoluteString) { claims["htu"] = nil }
        claims["key"] = self.word(
            (UInt8(0)...20).compactMap(CaseDevice.key).first { $0.json == header["jwk"]?.text }?.thumbprint)
        let token = request.fields["Authorization"]?.split(separator: " ").last ?? ""
        if claims["ath"] == .string(Base64URL.encode(SHA256.hash(Array(token.utf8)))) {
            claims["ath"] = .string(String(token))
        }
        let (id, nonce) = (payload["jti"]?.string ?? "", payload["nonce"]?.string ?? "")
        for (name, pin) in self.pins
        where claims["pin_id"] == .string(pin.pin.id)
            && claims["pin_proof"] == .string(pin.secret.proof(session: session, nonce: nonce, id: id))
        {
            (claims["pin_id"], claims["pin_proof"]) = (nil, nil)
            claims["pin"] = .string(name)
        }
        claims["jti"] = id.isEmpty ? .string("none") : nil
        return claims
    }

    func answer(_ caller: SessionCaller, _ reply: SessionReducer.Reply) -> JSONValue {
        var members: [String: JSONValue]
        switch reply {
        case .done: members = ["done": .bool(true)]
        case .token(let token): members = ["token": .string(token.exposed)]
        case .thumbprint(let thumbprint): members = ["key": self.word(thumbprint)]
        case .unlocked(let number): members = ["unlocked": .integer(number)]
        case .sessions(let sessions): members = ["sessions": .array(sessions.map(\.word))]
        case .record: members = ["record": .bool(true)]
        case .failed(let error): members = error.word.members
        }
        members["answer"] = .integer(caller)
        return .object(members)
    }
}

extension SessionSummary {
    fileprivate var word: JSONValue {
        .object([
            "id": .string(self.id), "platform": self.platform.map(JSONValue.string),
            "provider": self.provider.map(JSONValue.string), "pin": .bool(self.hasPIN),
            "current": .bool(self.isCurrent),
        ])
    }
}

extension SessionState {
    /// The state in the words of the cases.
    var word: JSONValue {
        .object([
            "show": .string(self.kind.code), "needs_pin": self.kind == .active ? .bool(self.needsPIN) : nil,
            "tries_left": self.triesLeft.map(JSONValue.integer),
            "because": (self.lockReason?.code ?? self.signOutReason?.code).map(JSONValue.string),
        ])
    }
}

extension SessionError {
    fileprivate var word: JSONValue {
        .object([
            "error": .string(self.kind.code), "tries_left": self.triesLeft.map(JSONValue.integer),
            "code": self.refusal.map(JSONValue.string),
            "because": self.transientError?.word
                ?? (self.lockReason?.code ?? self.signOutReason?.code ?? self.keyFailure?.code).map(JSONValue.string),
        ])
    }
}
