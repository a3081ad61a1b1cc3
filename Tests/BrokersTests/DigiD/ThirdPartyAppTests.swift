import Base
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

@testable import Brokers

/// Third-party apps that a resolver opens in place of DigiD's: where a link may lead, what a return says, and what of
/// it is a proof.
@Suite struct ThirdPartyAppTests {
    private static let requestID = "rq-5e1f0c2a9b774d10"
    private static let link = "https://app.bank.example/login?rq=1"

    private static func apps(
        _ proof: ThirdPartyApps.Proof = .callbackLink, links: [String] = ["https://app.bank.example"]
    ) -> ThirdPartyApps {
        ThirdPartyApps(
            links: links.compactMap { EndpointURL($0) }, artifactParameter: "artefactId", proof: proof)
    }

    private static func stage(
        _ body: String = "{}", _ proof: ThirdPartyApps.Proof = .callbackLink,
        notes: @escaping @Sendable (ResolverNote) -> Void = { _ in }
    ) -> DigiDStage {
        DigiDStage(200, body) {
            $0.thirdPartyApps = Self.apps(proof)
            $0.onNote = notes
        }
    }

    private static func failure(_ work: () async throws -> Void) async -> BrokerError? {
        do { try await work() } catch let failure as BrokerError { return failure } catch {}
        return nil
    }

    // MARK: - Where a link may lead

    static let links: [(link: String, listed: [String], problem: String?)] = [
        ("https://app.bank.example/login?rq=1", ["https://app.bank.example"], nil),
        ("https://app.bank.example/login?rq=1", ["https://app.bank.example/"], nil),
        ("https://app.bank.example?rq=1", ["https://app.bank.example"], nil),
        ("https://app.bank.example/login?rq=1", ["https://other.example", "https://app.bank.example/login"], nil),
        ("https://app.bank.example/login/a", ["https://app.bank.example/login"], nil),
        ("https://APP.bank.example:443/login", ["https://app.bank.example/login/"], nil),
        ("https://app.bank.example/loginx", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/Login", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/../evil", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/%2E%2e/evil", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/..%2f..%2fevil", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/..;/evil", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/%252e%252e/x", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example/login/%00", ["https://app.bank.example/login"], "elsewhere"),
        ("https://app.bank.example.evil.example/", ["https://app.bank.example"], "elsewhere"),
        ("https://evil.example/?https://app.bank.example", ["https://app.bank.example"], "elsewhere"),
        ("https://app.bank.example@evil.example/", ["https://app.bank.example"], "elsewhere"),
        ("https://sub.app.bank.example/", ["https://app.bank.example"], "elsewhere"),
        ("https://app.bank.example:444/", ["https://app.bank.example"], "elsewhere"),
        ("http://app.bank.example/", ["https://app.bank.example"], "elsewhere"),
        ("bank://login", ["https://app.bank.example"], "elsewhere"),
        ("javascript:alert(1)", ["https://app.bank.example"], "elsewhere"),
        ("", ["https://app.bank.example"], "elsewhere"),
        ("https://app.bank.example/", [], "elsewhere"),
        ("https://app.bank.example/#x", ["https://app.bank.example"], "text"),
        ("https://app.bank.example/?a=\"", ["https://app.bank.example"], "text"),
        ("https://app.bank.example/?a=é", ["https://app.bank.example"], "text"),
        ("https://app.bank.example/?a=b c", ["https://app.bank.example"], "text"),
        ("https://app.bank.example/?" + String(repeating: "a", count: 8200), ["https://app.bank.example"], "text"),
    ]

    @Test(arguments: links)
    func `a link may lead only where the list says`(_ row: (link: String, listed: [String], problem: String?)) {
        let link = Result { () throws(BrokerError) in
            try ThirdPartyLink(row.link, of: Self.apps(links: row.listed))
        }
        switch link {
        case .success(let link): #expect(link.text == row.link && row.problem == nil)
        case .failure(let error):
            #expect(error.told == row.problem.map { Failure(.unavailable, "init_link_\($0)") })
        }
    }

    // MARK: - init

    private static func initiated(_ data: String) -> String {
        "{\"transaction_id\":\"t-1\",\"status\":2000,\"data\":{\"sessionId\":\"\(DigiDStage.session)\",\(data)}}"
    }

    /// What of `init` is kept with the login, under each setting of `artifact_proof`: the id, nothing, or an error.
    static let inits: [(data: String, callbackLink: String, none: String)] = [
        ("\"requestId\":\"\(requestID)\",\"appLink\":\"\(link)\"", requestID, requestID),
        ("\"requestId\":\"\(requestID)\",\"digidRequest\":\"\(link)\"", requestID, requestID),
        ("\"appLink\":\"\(link)\"", "init_link_request_id", ""),
        ("\"requestId\":null,\"appLink\":\"\(link)\"", "init_link_request_id", ""),
        ("\"requestId\":1,\"appLink\":\"\(link)\"", "init_link_request_id", "init_link_request_id"),
        ("\"requestId\":\"short\",\"appLink\":\"\(link)\"", "init_link_request_id", "init_link_request_id"),
        (
            "\"requestId\":\"with blanks in it, x\",\"appLink\":\"\(link)\"", "init_link_request_id",
            "init_link_request_id"
        ),
        // We send the relay state and the return URL.
        (
            "\"requestId\":\"\(DigiDStage.state)\",\"appLink\":\"\(link)\"", "init_request_id_sent",
            "init_request_id_sent"
        ),
        (
            "\"requestId\":\"\(DigiDStage.returnURL)\",\"appLink\":\"\(link)\"", "init_request_id_sent",
            "init_request_id_sent"
        ),
        ("\"appLink\":\"\(link)\",\"digidRequest\":\"\(link)\"", "init_link_text", "init_link_text"),
        ("\"appLink\":[]", "init_link_text", "init_link_text"),
        ("\"appLink\":\"https://evil.example/\"", "init_link_elsewhere", "init_link_elsewhere"),
        // DigiD's links keep their own rules.
        ("\"appLink\":\"https://app.digid.nl/digid-app?app-app=e30=\"", "init_link_return_url", "init_link_return_url"),
        ("\"appLink\":\"https://app.digid.nl/digid-app\"", "init_link_elsewhere", "init_link_elsewhere"),
        ("\"more\":1", "init_link_missing", "init_link_missing"),
    ]

    @Test(arguments: inits, ThirdPartyApps.Proof.allCases)
    func `a response to init must name the request that proves it`(
        _ row: (data: String, callbackLink: String, none: String), _ proof: ThirdPartyApps.Proof
    ) async throws {
        let expected = proof == .callbackLink ? row.callbackLink : row.none
        let stage = Self.stage(Self.initiated(row.data), proof)
        let failure = await Self.failure {
            let start = try await stage.broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
            #expect(start.transaction?.details[.request] ?? "" == expected)
            // Only DigiD's links are known to grow old.
            #expect(start.target == .app(AppTarget(universalLink: Self.link)))
            #expect(stage.lastData?["requestId"] == nil)
        }
        #expect(failure?.told == (expected.hasPrefix("init_") ? Failure(.unavailable, expected) : nil))
    }

    /// Without the setting no other app is opened.
    @Test func `no third-party app is listed by default`() async throws {
        let stage = DigiDStage(200, Self.initiated("\"requestId\":\"\(Self.requestID)\",\"appLink\":\"\(Self.link)\""))
        let failure = await Self.failure {
            _ = try await stage.broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        }
        #expect(failure == BrokerError(.unavailable, .appLink(.elsewhere)))
    }

    // MARK: - The return

    static let returns: [(query: String, received: String)] = [
        ("artefactId=AAQA", "code=AAQA"), ("artefactId=AAQA&state=s", "state=s bound= code=AAQA"),
        ("artefactId=AAQA&state=&bound=&code=c", "code=AAQA"), ("x=y&artefactId=a.b-c_d~%2B", "code=a.b-c_d~+"),
        ("error=access_denied", "error=cancelled"), ("error=access_denied&state=s", "state=s bound= error=cancelled"),
        ("artefactId=A&error=timeout", "error=timeout"), ("error=%3Cscript%3E", "error=other"),
        ("error=not_activated", "error=other"),
        // A return that cannot be read belongs to no login.
        ("", "unreadable"), ("artefactId=", "unreadable"), ("code=A&state=s", "unreadable"),
        ("artefactId=A&artefactId=A", "unreadable"), ("artefactId=A&artefactId=%FF", "unreadable"),
        ("artefactId=A&state=s&state=s", "unreadable"), ("artefactId=A&state=%FF", "unreadable"),
        ("error=x&error=x", "unreadable"), ("ARTEFACTID=A", "unreadable"), ("artefactId=A%20B", "unreadable"),
        ("artefactId=A%00", "unreadable"), ("artefactId=%C3%A9", "unreadable"),
        ("artefactId=" + String(repeating: "A", count: 4097), "unreadable"),
        // Two forms at once.
        ("artefactId=A&app-app=e30=", "unreadable"),
        ("artefactId=A&app-app=eyJTQU1MYXJ0IjoiQUFRQSJ9", "unreadable"),
        // DigiD's own form is still read.
        ("app-app=eyJTQU1MYXJ0IjoiQUFRQSJ9", "code=AAQA"),
    ]

    @Test(arguments: returns) func `the parameters of a return are read`(_ row: (query: String, received: String)) {
        let received = Self.stage().broker.normalized(Self.parameters(row.query))
        let shown = received.map { "\($0.name)=\($0.isUnreadable ? "?" : $0.value)" }.joined(separator: " ")
        #expect(shown == (row.received == "unreadable" ? "state=?" : row.received))
    }

    /// Reads a query as the server does, which keeps what it cannot decode.
    private static func parameters(_ query: String) -> [Parameter] {
        query.split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = pair.count > 1 ? String(pair[1]) : ""
            return Parameter(String(pair[0]), Self.decoded(text) ?? Parameter.unreadable)
        }
    }

    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: - complete

    private static func transaction(_ request: String?) -> BackchannelTransaction {
        var details: [BackchannelTransaction.Detail: String] = [
            .transaction: "t-1", .session: DigiDStage.session, .scope: "read",
        ]
        details[.request] = request
        return BackchannelTransaction(
            .artifact, details, interval: nil, until: Timestamp(seconds: 1_772_367_300))
    }

    private static let own = DigiDStage.session

    /// The resolvers of an attack: the artifact is the victim's, and the login the attacker's, or the other way round.
    static let resolvers: [(data: String, detail: String?)] = [
        // Plain: it resolves what it gets, and says nothing of whose it is.
        ("{}", "complete_in_response_to_missing"), (#"{"bsn":"123456782"}"#, "complete_in_response_to_missing"),
        // Echoing: it repeats what we sent.
        ("{\"sessionId\":\"\(own)\"}", "complete_in_response_to_missing"),
        ("{\"sessionId\":\"\(own)\",\"artefactId\":\"AAQA\"}", "complete_in_response_to_missing"),
        ("{\"sessionId\":\"\(own)\",\"inResponseTo\":\"\(own)\"}", "complete_in_response_to"),
        ("{\"inResponseTo\":\"AAQA\"}", "complete_in_response_to"),
        ("{\"inResponseTo\":\"t-1\"}", "complete_in_response_to"),
        ("{\"inResponseTo\":\"read\"}", "complete_in_response_to"),
        ("{\"requestId\":\"\(requestID)\"}", "complete_in_response_to_missing"),
        // The signed answer names another request, or this one.
        ("{\"inResponseTo\":\"rq-of-somebody-else\"}", "complete_in_response_to"),
        ("{\"sessionId\":\"another\",\"inResponseTo\":\"\(requestID)\"}", "complete_session"),
        ("{\"inResponseTo\":\"\(requestID)\"}", nil),
    ]

    @Test(arguments: resolvers, ThirdPartyApps.Proof.allCases)
    func `only the request of the signed response is a proof`(
        _ row: (data: String, detail: String?), _ proof: ThirdPartyApps.Proof
    ) async throws {
        let stage = Self.stage("{\"status\":2000,\"data\":\(row.data)}", proof)
        for isBound in [true, false] {
            let failure = await Self.failure {
                _ = try await stage.broker.redeem(
                    code: ReturnedArtifact("AAQA", isBound: isBound).secret, DigiDStage.challenge,
                    Self.transaction(Self.requestID))
            }
            #expect(failure?.told == row.detail.map { Failure(.foreign, $0) })
            let sent = try #require(stage.last)
            #expect(!String(decoding: sent.body, as: UTF8.self).contains(Self.requestID))
        }
    }

    /// With `artifact_proof: none` such resolvers complete a login, which then proves nothing. Another session's
    /// response is still refused. Without the setting a login without an id is never completed.
    @Test(arguments: resolvers)
    func `without a proof any artifact counts`(_ row: (data: String, detail: String?)) async throws {
        let body = "{\"status\":2000,\"data\":\(row.data)}"
        for (proof, detail) in [
            (ThirdPartyApps.Proof.unproven, row.detail == "complete_session" ? row.detail : nil),
            (.callbackLink, "complete_without_session"),
        ] {
            let failure = await Self.failure {
                _ = try await Self.stage(body, proof).broker.redeem(
                    code: ReturnedArtifact("AAQA", isBound: true).secret, DigiDStage.challenge, Self.transaction(nil))
            }
            #expect(failure?.detail == detail)
        }
    }

    /// An app that returns the request's id as the artifact makes any echo look right.
    @Test func `an artifact that equals the ID is refused`() async throws {
        let stage = Self.stage("{\"status\":2000,\"data\":{\"inResponseTo\":\"\(Self.requestID)\"}}")
        let failure = await Self.failure {
            _ = try await stage.broker.redeem(
                code: ReturnedArtifact("a.\(Self.requestID)", isBound: true).secret, DigiDStage.challenge,
                Self.transaction(Self.requestID))
        }
        #expect(failure == BrokerError(.foreign, .completeArtifact))
        #expect(stage.last == nil)
    }

    // MARK: - What the operator is told

    static let notes: [(init: String, complete: String, note: ResolverNote?)] = [
        ("\"appLink\":\"https://evil.example/x?secret=1\"", "{}", .linkElsewhere(host: "evil.example")),
        ("\"appLink\":\"bank://evil\"", "{}", .linkElsewhere(host: nil)),
        ("\"appLink\":\"\(link)\",\"requestId\":\"\(requestID)\"", "{}", nil),
        ("\"appLink\":\"\(link)\"", #"{"status":2000,"oauth_token":{"refresh_token":"r"}}"#, .lastingToken),
        ("\"appLink\":\"\(link)\"", #"{"status":2000,"data":"{\"refresh_token\":\"r\"}"}"#, .lastingToken),
        ("\"appLink\":\"\(link)\"", #"{"status":2000,"refresh_token":1}"#, .lastingToken),
        ("\"appLink\":\"\(link)\"", #"{"status":2000,"oauth_token":{"refresh_token":null}}"#, nil),
    ]

    @Test(arguments: notes) func `the operator is told what the resolver leaves out`(
        _ row: (init: String, complete: String, note: ResolverNote?)
    ) async throws {
        let noted = Noted()
        let tell: @Sendable (ResolverNote) -> Void = { note in noted.notes.withLock { $0.append(note) } }
        _ = await Self.failure {
            _ = try await Self.stage(Self.initiated(row.`init`), .unproven, notes: tell).broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        }
        _ = await Self.failure {
            _ = try await Self.stage(row.complete, .unproven, notes: tell).broker.redeem(
                code: ReturnedArtifact("AAQA", isBound: true).secret, DigiDStage.challenge, Self.transaction(nil))
        }
        #expect(noted.notes.withLock { $0 } == (row.note.map { [$0] } ?? []))
    }

    private final class Noted: Sendable {
        let notes = Mutex<[ResolverNote]>([])
    }
}
