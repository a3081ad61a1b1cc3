import Foundation
import Testing

@testable import SwitchbackClient

/// The client reads the members of a response that it knows, within bounds. It ignores all others.
@Suite struct ReadingTests {
    private static func login(_ json: String) -> Login? { Login(Data(json.utf8), at: MonotonicInstant(seconds: 0)) }

    static let broken = [
        "", "null", "[]", "1", "{}", #"{"id": 1, "status": "pending"}"#, #"{"id": "", "status": "pending"}"#,
        #"{"id": "../admin", "status": "pending"}"#, #"{"id": "a?b", "status": "pending"}"#, #"{"id": "abc"}"#,
        #"{"id": "abc", "status": 3}"#, #"{"id": "abc", "status": "pending""#, "<html></html>",
        #"{"id": "\#(String(repeating: "a", count: 65))", "status": "pending"}"#,
        String(repeating: "[", count: 100_000),
    ]

    @Test("what is no login is refused", arguments: broken) func noLogin(_ text: String) {
        #expect(Self.login(text) == nil)
    }

    @Test("what is missing is harmless") func whatIsMissingIsHarmless() throws {
        let login = try #require(
            Self.login(#"{"id": "abc", "status": "sleeping", "final": true, "new": {"a": [1.5]}}"#))
        #expect(login.status == .failed && login.isFinal)
        #expect(login.next == .wait)
        #expect(login.poll == PollHints(nil))
        #expect(login.returnPrefixes == [])
        #expect(login.identity == nil && login.assertion == nil && login.registration == nil)
    }

    /// What the server says, and how the login is read.
    static let statuses: [(status: String, final: String, read: LoginStatus)] = [
        ("pending", "false", .pending), ("completed", "true", .completed), ("expired", "true", .expired),
        ("sleeping", "false", .pending), ("sleeping", "true", .failed), ("", "true", .failed),
        // Contradictions: `final` counts, and no result is believed before it.
        ("pending", "true", .failed), ("completed", "false", .pending),
        // The member is not there, or is no truth value.
        ("sleeping", "null", .pending), ("failed", "null", .failed), ("completed", #""yes""#, .completed),
    ]

    @Test("the member final decides what a status means", arguments: statuses)
    func finalDecidesWhatAStatusMeans(_ row: (status: String, final: String, read: LoginStatus)) {
        let login = Self.login(
            #"{"id": "abc", "status": "\#(row.status)", "final": \#(row.final), "identity": {"subject": "s"}}"#)
        #expect(login?.status == row.read)
        #expect(login?.isFinal == row.read.isFinal)
        #expect((login?.identity != nil) == (row.read == .completed))
    }

    @Test("an empty prefix fits no link") func anEmptyPrefixTakesNoLink() throws {
        let login = try #require(Self.login(#"{"id": "abc", "status": "pending", "return_prefixes": ["", 1, "a:"]}"#))
        #expect(login.returnPrefixes == ["a:"])
    }

    static let hints: [(status: String, hint: String, read: LoginHint?)] = [
        ("pending", #""no_client""#, .noClient), ("pending", #""user_mrtd""#, .userMRTD),
        ("pending", #""of_later""#, LoginHint(code: "of_later")), ("pending", "null", nil), ("pending", "3", nil),
        ("completed", #""started""#, nil),
    ]

    @Test("a hint is read, known or not", arguments: hints)
    func aHintIsRead(_ row: (status: String, hint: String, read: LoginHint?)) {
        #expect(Self.login(#"{"id": "abc", "status": "\#(row.status)", "hint": \#(row.hint)}"#)?.hint == row.read)
    }

    @Test("links to an e-ID's app say how long they are good", arguments: [("60", 60), ("-1", 0), ("null", nil)])
    func linksSayHowLongTheyAreGood(_ row: (json: String, seconds: Int?)) {
        let next = #"{"action": "open_app", "custom_scheme": "e:x", "expires_in": \#(row.json)}"#
        #expect(
            Self.login(#"{"id": "abc", "status": "pending", "next": \#(next)}"#)?.next.app?.expiresIn == row.seconds)
    }

    static let pollHints: [(json: String, wait: Int, interval: Int, after: Double)] = [
        (#"{"wait": 25, "interval": 2, "after_ms": 250}"#, 25, 2, 0.25), ("{}", 25, 2, 0), ("3", 25, 2, 0),
        (#"{"wait": -1, "interval": 0, "after_ms": -9}"#, 0, 1, 0),
        (
            #"{"wait": 9223372036854775807, "interval": 9223372036854775807, "after_ms": 9223372036854775807}"#, 60, 60,
            60
        ),
        (#"{"wait": 1e300, "interval": "2", "after_ms": null}"#, 25, 2, 0),
    ]

    @Test("poll hints have bounds", arguments: pollHints)
    func pollHintsHaveBounds(_ row: (json: String, wait: Int, interval: Int, after: Double)) {
        let login = Self.login(#"{"id": "abc", "status": "pending", "poll": \#(row.json)}"#)
        #expect(login?.poll.wait == row.wait)
        #expect(login?.poll.interval == row.interval)
        #expect(login?.poll.after == row.after)
    }

    private static let completed = """
        {"id": "abc", "status": "completed", "final": true, "version": 4, "proof": "page_link", "assertion": "a.b.c",
         "registration": {"access_token": "opaque", "token_type": "bearer", "expires_in": 900, "scope": "read",
          "data": {"sector": "s00000000"}},
         "identity": {"subject": "s", "provider": "mitid", "eid": "mitid", "country": "DK", "assurance": "substantial",
          "acr": null, "name": "Freja Lindegaard", "birth_date": "1991-04-17", "claims": {"a": [true, 1, 1.5, null]},
          "national_id": {"type": "dk:cpr", "value": "1704910000"}}}
        """

    @Test("a result is read with all its members") func aResult() throws {
        let login = try #require(Self.login(Self.completed))
        let identity = try #require(login.identity)
        #expect(identity.subject == "s")
        #expect(identity.assurance == .substantial)
        #expect(identity.nationalID?.value.exposed == "1704910000")
        #expect(identity.claims["a"] == .array([.bool(true), .integer(1), .number(1.5), .null]))
        #expect(login.assertion?.exposed == "a.b.c")
        let registration = try #require(login.registration)
        #expect(registration.accessToken?.exposed == "opaque" && registration.tokenType == "bearer")
        #expect(registration.expiresIn == 900 && registration.scope == "read")
        #expect(registration.data == ["sector": .string("s00000000")])
        #expect(login.proof == "page_link")
    }

    /// An identity in a login that is not completed is ignored.
    @Test(
        "an identity in a login that is not completed is ignored",
        arguments: ["pending", "awaiting_return", "failed", "dreaming"])
    func anIdentityTooEarly(_ status: String) {
        let isFinal = status == "failed"
        let login = Self.login(
            Self.completed.replacingOccurrences(of: "completed", with: status)
                .replacingOccurrences(of: #""final": true"#, with: #""final": \#(isFinal)"#))
        #expect(login != nil && login?.identity == nil && login?.assertion == nil && login?.registration == nil)
    }

    static let registrations: [(json: String, isThere: Bool)] = [
        ("null", false), (#""a text of an older server""#, false), ("[]", false), ("{}", true),
        (#"{"access_token": 1, "expires_in": "900", "data": [], "refresh_token": "r"}"#, true),
    ]

    @Test("a registration of another form is ignored", arguments: registrations)
    func aRegistrationOfAnotherForm(_ row: (json: String, isThere: Bool)) {
        let login = Self.login(#"{"id": "abc", "status": "completed", "registration": \#(row.json)}"#)
        #expect((login?.registration != nil) == row.isThere)
        #expect(login?.registration?.accessToken == nil && login?.registration?.expiresIn == nil)
        #expect(login?.registration?.data.isEmpty ?? true)
    }

    static let reasons: [(code: String, read: Reason.Code?)] = [
        ("user_cancelled", .userCancelled), ("timeout", .timeout), ("interrupted", .interrupted),
        ("struck_by_lightning", nil),
    ]

    @Test("the code of a reason is read, known or not", arguments: reasons)
    func aReason(_ row: (code: String, read: Reason.Code?)) {
        let login = Self.login(
            #"{"id": "abc", "status": "failed", "reason": {"code": "\#(row.code)", "retryable": true}}"#)
        #expect(login?.reason?.code.code == row.code)
        if let read = row.read { #expect(login?.reason?.code == read) }
        #expect(login?.reason?.isRetryable == true)
    }

    // MARK: - Secrets

    /// Covers everything that is printed, dumped or logged.
    @Test("nothing secret is printed") func nothingSecretIsPrinted() throws {
        let record = Example.record(login: "abc")
        var bench = ReducerBench()
        bench.say(.started)
        let request = try #require(bench.request)
        let login = try #require(Self.login(Self.completed))
        let response = HTTPResponse(status: 200, body: Data(Self.completed.utf8))
        var text = ""
        for value in [record, request, login, response, LoginState.finished(login), bench.reducer] as [Any] {
            text += "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
        }
        for secret in [record.secret.exposed, "1704910000", "Freja", "a.b.c", "opaque", "s00000000", "at\""] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test("a poll secret is 43 characters of base64url") func aPollSecretIs43CharactersOfBase64URL() {
        let secret = PollSecret { .max }
        #expect(secret.exposed.utf8.count == 43)
        #expect(PollSecret(secret.exposed) == secret)
        #expect(Set((0..<100).map { _ in PollSecret(using: { .random(in: 0 ... .max) }) }).count == 100)
        for text in ["", "a", String(repeating: "a", count: 42), String(repeating: "=", count: 43)] {
            #expect(PollSecret(text) == nil)
        }
    }
}
