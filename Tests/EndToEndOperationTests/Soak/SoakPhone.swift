import Base
import Cryptography
import EndToEndSupport
import HTTPWire
import PhoneKeys
import Sandbox
import StrictJSON
import Synchronization

/// One phone under load: it logs in, begins its session, sets a PIN, and then renews and unlocks, with wrong PINs now
/// and then.
struct SoakPhone: Sendable {
    static let app = "linked"

    private(set) var book: SoakPhoneBook
    let key: PhoneKey
    let wire: SoakPhoneWire
    private let user: Int
    private let random: SoakRandom
    private let tally: SoakPhoneTally
    /// The PIN's secret.
    private(set) var pin: Secret?

    init(_ number: Int, _ url: String, _ random: SoakRandom, _ patience: SoakPatience, _ tally: SoakPhoneTally) throws {
        self.user = number % SandboxIdentity.all.count
        self.key = try PhoneKey()
        self.wire = SoakPhoneWire(url, random, patience, lost: tally.lost)
        self.random = random
        self.tally = tally
        self.book = SoakPhoneBook((self.key.sessionID(app: Self.app), self.key.thumbprint))
        tally.allow(self.book.session, of: self.user)
    }

    /// Whether its session has begun and has a PIN.
    var isReady: Bool { self.book.refreshToken != nil && self.pin != nil }

    /// Does one thing that a user might do.
    mutating func act() async {
        await self.notingErrors { phone in
            guard phone.isReady else { return try await phone.logIn() }
            switch phone.random.number(in: 0...99) {
            case ..<30: try await phone.renew()
            case ..<40: try await phone.renewTwiceAtOnce()
            case ..<66: try await phone.unlock()
            case ..<93 where phone.mayTryWrongPIN: try await phone.tryWrongPIN()
            case ..<95 where phone.book.mayTryWrongPIN: try await phone.tryUntilLockedOut()
            case ..<97: try await phone.list()
            default: try await phone.logIn()
            }
            if phone.book.isLocked { try await phone.findItselfLocked() }
        }
    }

    /// Makes the last try only now and then, or most phones would soon be locked out.
    private var mayTryWrongPIN: Bool {
        self.book.mayTryWrongPIN && (!self.book.isLastTry || self.random.number(in: 0...3) == 0)
    }

    /// Checks that the session is still there, when no server is killed any more.
    mutating func settle() async {
        await self.notingErrors { phone in
            for _ in 0..<5 where !phone.isReady || phone.book.isLocked { try await phone.logIn() }
            try await phone.renew()
            if phone.book.mayTryWrongPIN, !phone.book.isLastTry { try await phone.tryWrongPIN() }
            try await phone.list()
        }
    }

    private mutating func notingErrors(_ work: (inout SoakPhone) async throws -> Void) async {
        do { try await work(&self) } catch { self.book.complain("\(error)") }
        self.tally.complain(self.book.takeComplaints())
    }
}

// MARK: - The login

extension SoakPhone {
    /// Logs in, begins the session or finds it again, and sets a PIN where there is none. A login that failed because
    /// its server was killed changes nothing.
    mutating func logIn() async throws {
        let person = SandboxIdentity.all[self.user].id
        let browser = SoakBrowser(fault: "code-again", person: person, patience: self.wire.patience)
        let login = SoakBook()
        let begun = Mutex<(json: JSON, secret: String)?>(nil)
        var app = SoakApp(
            url: self.wire.url, browser: browser, patience: self.wire.patience, book: login, app: Self.app,
            reloads: false)
        app.wait = 2
        app.thumbprint = self.key.thumbprint
        let phone = self
        app.onResult = { secret in
            let json = try await phone.begin(with: secret)
            begun.withLock { $0 = (json, secret) }
        }
        let sent = ContinuousClock.now
        let end = try await app.run()
        for complaint in login.complaints { self.book.complain(complaint) }
        guard case .completed = end, let (json, secret) = begun.withLock({ $0 }) else {
            return self.tally.add(.failedLogin)
        }
        self.tally.add(.login)
        let keepsPIN = self.pin != nil && !self.book.isLocked
        self.book.gotTokens(json, isPINSet: keepsPIN)
        self.book.wasPresent(since: sent)
        if !keepsPIN { try await self.setPIN(json["access_token"]?.string) }
        if self.random.number(in: 0...3) == 0 { try await self.beginWithoutLogin(secret) }
    }

    private func begin(with secret: String) async throws -> JSON {
        let answer = try await self.prove("POST", "/v1/sessions", [Self.bearer(secret)])
        guard answer.status == 200, let json = answer.json else { throw Self.unexpected("begin", answer) }
        return json
    }

    /// The app has deleted the login, so it must not begin a session again.
    private mutating func beginWithoutLogin(_ secret: String) async throws {
        let answer = try await self.prove("POST", "/v1/sessions", [Self.bearer(secret)])
        if answer.status != 410 { self.book.complain("a begin after the DELETE: \(answer.status) \(answer.text)") }
        self.tally.add(.endedBegin)
    }

    private mutating func setPIN(_ token: String?) async throws {
        let (sent, secret) = (ContinuousClock.now, Secret(RandomBytes.make(32)))
        let body: JSON = ["pin_secret": .string(Base64URL.encode(secret.exposed))]
        let answer = try await self.prove(
            "PUT", "/v1/sessions/\(self.book.session)/pin", [Parameter("Content-Type", "application/json")],
            token: token, body: body.encoded())
        guard answer.status == 204 else { throw Self.unexpected("PIN", answer) }
        self.pin = secret
        self.book.setPIN(sentAt: sent)
    }
}

// MARK: - Renewals and unlocks

extension SoakPhone {
    private enum Verdict {
        case tokens(JSON)
        case wrongPIN(triesLeft: Int?)
        case pinRequired
        case locked

        var asksForPIN: Bool {
            guard case .pinRequired = self else { return false }
            return true
        }
    }

    private mutating func renew() async throws {
        let sent = ContinuousClock.now
        self.judgeRenewal(try await self.ask(for: nil), sentAt: sent)
    }

    /// Two parts of an app renew at once. Neither may sign the other out.
    private mutating func renewTwiceAtOnce() async throws {
        let (sent, phone) = (ContinuousClock.now, self)
        async let one = phone.ask(for: nil)
        async let other = phone.ask(for: nil)
        let verdicts = [try await one, try await other]
        // If the timeout passes at this moment, one of them may be in time and the other not. The user was there before
        // both, and only the one in time shows that the user still is.
        for verdict in verdicts.filter(\.asksForPIN) + verdicts.filter({ !$0.asksForPIN }) {
            self.judgeRenewal(verdict, sentAt: sent)
        }
    }

    private mutating func judgeRenewal(_ verdict: Verdict, sentAt sent: ContinuousClock.Instant) {
        switch verdict {
        case .tokens(let json):
            self.tally.add(.renewal)
            self.book.gotTokens(json, isPINSet: true)
            self.book.renewed(sentAt: sent)
        case .pinRequired:
            self.tally.add(.pinRequired)
            self.book.neededPIN()
        case .locked: self.book.refusedForLockout()
        case .wrongPIN: self.book.complain("a renewal without a PIN had a wrong one")
        }
    }

    /// Returns the access token, unless the session is locked out.
    @discardableResult private mutating func unlock() async throws -> String? {
        let sent = ContinuousClock.now
        switch try await self.ask(for: self.pin) {
        case .tokens(let json):
            self.tally.add(.unlock)
            self.book.gotTokens(json, isPINSet: true)
            self.book.unlocked(sentAt: sent)
            return json["access_token"]?.string
        case .locked:
            self.tally.add(.refusal)
            self.book.refusedForLockout()
        case .wrongPIN(let left): self.book.complain("the right PIN was wrong, with \(left ?? 0) tries left")
        case .pinRequired: self.book.complain("the PIN was asked for after a PIN")
        }
        return nil
    }

    private mutating func tryWrongPIN() async throws {
        self.tally.add(.typed)
        switch try await self.ask(for: Secret(RandomBytes.make(32))) {
        case .wrongPIN(let left):
            self.tally.add(.counted)
            self.book.triedWrongPIN(triesLeft: left)
        case .locked:
            if self.book.isLocked {
                self.tally.add(.refusal)
            } else {
                self.tally.add(.counted)
                self.tally.add(.lockout)
            }
            self.book.triedWrongPIN(triesLeft: nil)
        case .tokens: self.book.complain("a wrong PIN was accepted")
        case .pinRequired: self.book.complain("the PIN was asked for after a PIN")
        }
    }

    /// Somebody else tries PINs.
    private mutating func tryUntilLockedOut() async throws {
        for _ in 0..<SoakPhoneBook.tries where !self.book.isLocked { try await self.tryWrongPIN() }
    }

    /// The lockout holds for every PIN until the user logs in again.
    private mutating func findItselfLocked() async throws {
        if self.random.number(in: 0...1) == 0 { try await self.tryWrongPIN() }
        try await self.unlock()
        try await self.renew()
        if self.random.number(in: 0...2) > 0 { try await self.logIn() }
    }

    private mutating func list() async throws {
        guard let token = try await self.unlock() else { return }
        let answer = try await self.prove("GET", "/v1/sessions", token: token)
        guard answer.status == 200, let json = answer.json else { throw Self.unexpected("list", answer) }
        self.book.listed(json, atMost: self.tally.sessions(of: self.user))
    }

    /// Asks for new tokens. `pin` is the secret that the typed PIN leads to; nil if none was typed.
    private func ask(for pin: Secret?) async throws -> Verdict {
        let pin = pin.map { PhoneKey.PIN($0, session: self.book.session) }
        let answer = try await self.prove("POST", "/oauth/token", [Self.form], pin: pin, body: self.tokenForm)
        switch (answer.status, answer.json?["error"]?.string) {
        case (200, _): return .tokens(answer.json ?? .null)
        case (400, "wrong_pin"): return .wrongPIN(triesLeft: answer.json?["tries_left"]?.integer)
        case (400, "pin_required"): return .pinRequired
        case (400, "insufficient_user_authentication"): return .locked
        default: throw Self.unexpected("token", answer)
        }
    }

    /// Tries a PIN once, at this server, with the newest nonce. Returns the status, or the error with the tries left.
    func tryOnce(_ secret: Secret, at server: String) async throws -> String {
        let pin = PhoneKey.PIN(secret, session: self.book.session)
        let proof = try self.key.proof(
            "POST", "\(self.wire.url)/oauth/token", nonce: self.wire.nonce, pin: pin)
        let answer = try await TestClient.send(
            "POST", "\(server)/oauth/token", fields: [Self.form, Parameter("DPoP", proof)], body: self.tokenForm)
        self.wire.note(answer)
        guard answer.status == 400, let json = answer.json, let error = json["error"]?.string else {
            return "\(answer.status)"
        }
        return error + (json["tries_left"]?.integer.map { " \($0)" } ?? "")
    }

    private static let form = Parameter("Content-Type", "application/x-www-form-urlencoded")

    private var tokenForm: [UInt8] {
        let form = FormBody.encode([
            Parameter("grant_type", "refresh_token"), Parameter("client_id", Self.app),
            Parameter("refresh_token", self.book.refreshToken ?? ""),
        ])
        return Array(form.utf8)
    }
}

// MARK: - Requests

extension SoakPhone {
    private static let mostNonces = 20

    private static func bearer(_ secret: String) -> Parameter { Parameter("Authorization", "Bearer \(secret)") }

    private static func unexpected(_ what: String, _ answer: Answer) -> TestClient.Failure {
        TestClient.Failure(description: "\(what): \(answer.status) \(answer.text)")
    }

    /// Sends a request with a proof, and with a new one where the server wants a newer nonce.
    private func prove(
        _ method: String, _ path: String, _ fields: [Parameter] = [], token: String? = nil,
        pin: PhoneKey.PIN? = nil, body: [UInt8] = []
    ) async throws -> Answer {
        let fields = fields + (token.map { [Parameter("Authorization", "DPoP \($0)")] } ?? [])
        for _ in 0..<Self.mostNonces {
            let proof = try self.key.proof(
                method, self.wire.url + path, nonce: self.wire.nonce, accessToken: token, pin: pin)
            let answer = try await self.wire.send(method, path, fields + [Parameter("DPoP", proof)], body: body)
            let code = answer.json?["error"]?.string ?? answer.json?["code"]?.string
            guard code == "use_dpop_nonce" || code == "dpop_nonce_required" else { return answer }
        }
        throw TestClient.Failure(description: "\(method) \(path): no nonce is new enough")
    }
}
