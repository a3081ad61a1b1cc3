import Base
import Cryptography
import OpenIDConnect
import StrictJSON
import Testing

@testable import Brokers

/// The two steps at the resolver: what we send, and which parts of its responses we accept.
@Suite struct DigiDBrokerTests {
    private static let transaction = BackchannelTransaction(
        .artifact,
        [.transaction: "t-1", .session: DigiDStage.session, .scope: "read write", .request: "_r"], interval: nil,
        until: Timestamp(seconds: 1_772_367_300))

    private static func link(_ object: JSON.Object, to url: String = "https://app.digid.nl/digid-app") -> String {
        AppToAppText.link(object, to: url)
    }

    private static func initiated(_ link: String?) -> String {
        var data: JSON.Object = ["sessionID": .string(DigiDStage.session)]
        data["digidRequest"] = link.map { .string($0) }
        let text = String(decoding: JSON.object(data).encoded(), as: UTF8.self)
        return String(
            decoding: JSON.object(["transaction_id": "t-1", "status": 2000, "data": .string(text)]).encoded(),
            as: UTF8.self)
    }

    private static func failure(_ work: () async throws -> Void) async -> BrokerError? {
        do { try await work() } catch let failure as BrokerError { return failure } catch {}
        return nil
    }

    // MARK: - init

    /// Sources: C5, C6.
    @Test(arguments: [DigiDStage.state, nil])
    func `the resolver's own link is opened`(_ relayState: String?) async throws {
        let link = Self.link([
            "ReturnUrl": .string(DigiDStage.returnURL), "SAMLRequest": .string(Self.samlRequest),
            "RelayState": relayState.map { .string($0) } ?? .null,
        ])
        let stage = DigiDStage(200, Self.initiated(link))
        let authorizationStart = try await stage.broker.startAuthorization(
            for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        #expect(
            authorizationStart.target
                == .app(
                    AppTarget(
                        universalLink: link, androidPackage: "nl.rijksoverheid.digid.pub",
                        expiresAt: DigiDStage.now + .seconds(60))))
        #expect(authorizationStart.transaction?.kind == .artifact)
        #expect(authorizationStart.transaction?.interval == nil)
        #expect(
            authorizationStart.transaction?.details == [
                .transaction: "t-1", .session: DigiDStage.session, .scope: "read write", .request: "_theirs",
            ])
        let request = try #require(stage.last)
        #expect(request.url == DigiDStage.resolver + "/init")
        #expect(request.purpose == .start)
        // RFC 6749 §2.3.1: each part form-encoded.
        let credentials = "Basic " + Base64.encode(Array("shop+app:s3%3Acret".utf8))
        #expect(request.fields.contains { $0.name == "Authorization" && $0.value == credentials })
        #expect(stage.lastData?["returnUrl"]?.string == DigiDStage.returnURL)
        #expect(stage.lastData?["relayState"]?.string == DigiDStage.state)
        #expect(stage.lastData?["requestIdSha256"] == nil)
    }

    @Test func `only the hash of our own request's ID is sent`() async throws {
        let stage = DigiDStage(200, Self.initiated(nil)) { $0.service = try? DigiDStage.service() }
        let authorizationStart = try await stage.broker.startAuthorization(
            for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        guard case .app(let app) = authorizationStart.target else {
            Issue.record("no app")
            return
        }
        #expect(app.universalLink.hasPrefix("https://app.digid.nl/digid-app?app-app="))
        let id = try #require(authorizationStart.transaction?.details[.request])
        #expect(
            stage.lastData?["requestIdSha256"]?.string == Base64URL.encode(Digest.sha256.hash(Array(id.utf8))),
            "the resolver may see to InResponseTo")
        let sent = try #require(stage.last)
        #expect(!String(decoding: sent.body, as: UTF8.self).contains(id), "it cannot repeat what it does not get")
    }

    /// Made by the resolver.
    private static let samlRequest = {
        let xml = "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_theirs\"/>"
        return Base64.encode(SAMLDeflate.compress(Array(xml.utf8)) ?? [])
    }()

    static let foreignLinks: [(link: String, problem: String)] = [
        ("https://evil.example/digid-app?app-app=e30=", "elsewhere"),
        ("https://app.digid.nl/digid-app-evil?app-app=e30=", "elsewhere"),
        ("https://app.digid.nl/digid-app", "elsewhere"), ("javascript:alert(1)", "elsewhere"),
        ("https://app.digid.nl/digid-app?app-app=%%%", "app_app"),
        ("https://app.digid.nl/digid-app?app-app=e30=&x=y", "app_app"),
        (Self.link(["ReturnUrl": "https://evil.example/"]), "return_url"), (Self.link([:]), "return_url"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "RelayState": "another"]), "relay_state"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "RelayState": 1]), "app_app"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "Host": "evil.example"]), "host"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL)]), "request"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "SAMLRequest": "x"]), "request"),
        (Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "SAMLRequest": 1]), "request"),
        ("https://app.digid.nl/digid-app?app-app=\u{7F}", "text"),
        ("https://app.digid.nl/digid-app?app-app=" + String(repeating: "A", count: 9000), "text"),
    ]

    /// It would open another app, or send the artifact to another party's link.
    @Test(arguments: foreignLinks)
    func `a link that leads elsewhere is refused`(_ row: (link: String, problem: String)) async throws {
        let stage = DigiDStage(200, Self.initiated(row.link))
        let failure = await Self.failure {
            _ = try await stage.broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        }
        #expect(failure?.told == Failure(.unavailable, "init_link_\(row.problem)"))
    }

    /// An id that we send could come back as an echo, so it proves nothing.
    @Test(arguments: ["_theirs", "read", DigiDStage.state])
    func `an ID that we send proves nothing`(_ id: String) async throws {
        let xml = "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"\(id)\"/>"
        let request = Base64.encode(SAMLDeflate.compress(Array(xml.utf8)) ?? [])
        let link = Self.link(["ReturnUrl": .string(DigiDStage.returnURL), "SAMLRequest": .string(request)])
        let data: JSON.Object = ["sessionID": "x_theirs", "digidRequest": .string(link)]
        let answer: JSON.Object = ["transaction_id": "t-1", "status": 2000, "data": .object(data)]
        let stage = DigiDStage(200, String(decoding: JSON.object(answer).encoded(), as: UTF8.self))
        let failure = await Self.failure {
            _ = try await stage.broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        }
        #expect(failure == BrokerError(.unavailable, .initRequestIDSent))
    }

    static let brokenInits: [(status: Int, body: String, detail: String)] = [
        (200, #"{"status":2000,"data":"{}","transaction_id":"t"}"#, "init_session"),
        (200, #"{"status":2000,"data":{"sessionId":"a","sessionID":"b"},"transaction_id":"t"}"#, "init_session"),
        (200, #"{"status":2000,"data":{"sessionId":1},"transaction_id":"t"}"#, "init_session"),
        (200, #"{"status":2000,"data":{"sessionId":"a"}}"#, "init_transaction"),
        (200, #"{"status":2000,"data":{"sessionId":"a"},"transaction_id":"t"}"#, "init_link_missing"),
        (200, #"{"status":2000,"data":{"sessionId":"a","digidRequest":[]},"transaction_id":"t"}"#, "init_link_text"),
        (200, #"{"transaction_id":"t"}"#, "init_malformed"), (200, "[]", "init_malformed"),
        (200, #"{"status":"2000"}"#, "init_malformed"), (200, #"{"status":5001}"#, "init_status_5001"),
        (200, #"{"status":4002}"#, "init_status_4002"), (200, #"{"status":1999}"#, "init_status_1999"),
        (500, "{}", "init_status_500"), (400, #"{"error":"invalid_client"}"#, "init_error_invalid_client"),
        (403, #"{"error":"idp_disabled"}"#, "init_error_idp_disabled"), (403, "no", "init_status_403"),
        (302, "{}", "init_status_302"),
    ]

    @Test(arguments: brokenInits) func `a resolver that does not begin fails the start`(
        _ row: (status: Int, body: String, detail: String)
    ) async throws {
        let stage = DigiDStage(row.status, row.body)
        let failure = await Self.failure {
            _ = try await stage.broker.startAuthorization(
                for: DigiDStage.provider, DigiDStage.challenge, AuthorizationContext())
        }
        #expect(failure?.detail == row.detail)
    }

    // MARK: - The return

    private static func judged(_ json: String, testHost: String? = nil) async throws -> AuthorizationResult {
        let broker = DigiDStage { $0.testHost = testHost }.broker
        let parameters = broker.normalized([Parameter("app-app", Base64.encode(Array(json.utf8)))])
        return try await broker.validate(parameters, state: DigiDStage.state, for: DigiDStage.provider)
    }

    @Test func `an artifact says whether it was bound`() async throws {
        for (state, text) in [("\"s\"", "bound:AAQA"), ("null", "unbound:AAQA"), ("\"\"", "unbound:AAQA")] {
            let judgement = try await Self.judged("{\"SAMLart\":\"AAQA\",\"RelayState\":\(state)}")
            guard case .granted(let code) = judgement else {
                Issue.record("not granted")
                continue
            }
            #expect(code.exposedText == text)
        }
        // An artifact cannot claim it for itself.
        guard case .granted(let code) = try await Self.judged(#"{"SAMLart":"bound:AAQA"}"#) else {
            Issue.record("not granted")
            return
        }
        #expect(ReturnedArtifact(code) == ReturnedArtifact("bound:AAQA", isBound: false))
    }

    static let problems: [(message: String, failure: Failure)] = [
        ("_by_user", Failure(.cancelled, "app_cancelled")), ("timeout", Failure(.expired, "app_timeout")),
        ("not_activated", Failure(.refused, "app_not_activated")),
        ("icon_missing", Failure(.refused, "app_icon_missing")),
        // Free text is neither shown nor logged.
        ("Mevrouw Jansen, 123456782", Failure(.refused, "app_other")),
    ]

    @Test(arguments: problems)
    func `each error of the app has its meaning`(_ row: (message: String, failure: Failure)) async throws {
        guard case .denied(let failure) = try await Self.judged("{\"ErrorMessage\":\"\(row.message)\"}") else {
            Issue.record("not denied")
            return
        }
        #expect(failure.told == row.failure)
    }

    @Test func `the demo artifact is accepted from test hosts only`() async throws {
        let failure = await Self.failure { _ = try await Self.judged(#"{"SAMLart":"demo","RelayState":"s"}"#) }
        #expect(failure == BrokerError(.invalidResponse, .appDemo))
        _ = try await Self.judged(#"{"SAMLart":"demo","RelayState":"s"}"#, testHost: "preprod1.digid.nl")
        // Anyone can make a link that names no login, so it ends none.
        _ = try await Self.judged(#"{"SAMLart":"demo"}"#)
    }

    // MARK: - complete

    private static let own = DigiDStage.session
    private static let digest = Base64URL.encode(Digest.sha256.hash(Array("_r".utf8)))

    static let completions: [(isBound: Bool, data: String, detail: String?)] = [
        // A plain resolver, and one that repeats what it got.
        (true, "{}", "complete_in_response_to_missing"),
        (true, "{\"sessionId\":\"\(own)\"}", "complete_in_response_to_missing"),
        (true, "{\"sessionID\":\"\(own)\"}", "complete_in_response_to_missing"),
        (true, "{\"sessionId\":\"\(own)\",\"artefactId\":\"AAQA\"}", "complete_in_response_to_missing"),
        (true, "{\"sessionId\":\"\(own)\",\"inResponseTo\":\"\(own)\"}", "complete_in_response_to"),
        (true, "{\"inResponseTo\":\"\(DigiDStage.state)\"}", "complete_in_response_to"),
        (true, "{\"inResponseTo\":\"\(digest)\"}", "complete_in_response_to"),
        (true, #"{"sessionID":"another"}"#, "complete_session"),
        // null counts as absent, and then the response says nothing about whose it is.
        (true, #"{"sessionId":null}"#, "complete_in_response_to_missing"),
        (true, "{\"sessionId\":\"\(own)\",\"sessionID\":\"another\"}", "complete_session"),
        (true, #"{"inResponseTo":"_r"}"#, nil), (true, #"{"inResponseTo":"_x"}"#, "complete_in_response_to"),
        (true, #"{"inResponseTo":null}"#, "complete_in_response_to_missing"),
        (true, #"{"inResponseTo":["_r"]}"#, "complete_in_response_to"),
        (true, #"{"inResponseTo":""}"#, "complete_in_response_to"),
        (true, "{\"sessionId\":\"\(own)\",\"inResponseTo\":\"_r\"}", nil),
        (true, "{\"sessionId\":\"\(own)\",\"inResponseTo\":\"_x\"}", "complete_in_response_to"),
        (true, #"{"sessionId":"another","inResponseTo":"_r"}"#, "complete_session"),
        (false, "{}", "complete_in_response_to_missing"),
        (false, "{\"sessionId\":\"\(own)\"}", "complete_in_response_to_missing"),
        (false, #"{"sessionId":"another"}"#, "complete_session"), (false, #"{"sessionId":""}"#, "complete_session"),
        (false, #"{"inResponseTo":"_r"}"#, nil),
    ]

    /// Sources: C9, C12.
    @Test(arguments: completions) func `an artifact must belong to the login`(
        _ row: (isBound: Bool, data: String, detail: String?)
    ) async throws {
        for data in [row.data, JSON.string(row.data).encodedText] {
            let stage = DigiDStage(200, "{\"status\":2000,\"oauth_token\":{\"profile_id\":\"p\"},\"data\":\(data)}")
            let code = ReturnedArtifact("AAQA", isBound: row.isBound).secret
            let failure = await Self.failure {
                _ = try await stage.broker.redeem(code: code, DigiDStage.challenge, Self.transaction)
            }
            #expect(failure?.told == row.detail.map { Failure(.foreign, $0) })
            let request = try #require(stage.last)
            #expect(request.url == DigiDStage.resolver + "/complete")
            let body = try JSON(parsing: request.body)
            #expect(body["transaction_id"]?.string == "t-1")
            #expect(body["scope"] == ["read", "write"])
            #expect(stage.lastData == ["artefactId": "AAQA", "sessionId": .string(Self.own)])
            #expect(stage.asked.requests.withLock { $0.count } == 1, "an artifact is for one use")
        }
    }

    static let brokenCompletions: [(status: Int, body: String, kind: BrokerError.Kind)] = [
        (200, #"{"status":4001,"data":"x"}"#, .refused), (200, #"{"status":5000}"#, .unavailable),
        (200, #"{"status":200}"#, .unavailable), (200, "{}", .unavailable), (200, "{", .unavailable),
        (400, #"{"error":"invalid_transaction"}"#, .refused), (401, "", .refused), (403, "{}", .refused),
        (404, "{}", .unavailable), (503, "", .unavailable),
        (200, "{\"status\":2000,\"data\":\"\(String(repeating: "x", count: 70_000))\"}", .unavailable),
    ]

    @Test(arguments: brokenCompletions) func `a failure may come with status 200`(
        _ row: (status: Int, body: String, kind: BrokerError.Kind)
    ) async throws {
        let stage = DigiDStage(row.status, row.body)
        let code = ReturnedArtifact("AAQA", isBound: true).secret
        let failure = await Self.failure {
            _ = try await stage.broker.redeem(code: code, DigiDStage.challenge, Self.transaction)
        }
        #expect(failure?.kind == row.kind)
        #expect(stage.asked.requests.withLock { $0.count } == 1)
        // An artifact that named no login may be anyone's, so a failure with it ends nothing.
        let unbound = await Self.failure {
            _ = try await stage.broker.redeem(
                code: ReturnedArtifact("AAQA", isBound: false).secret, DigiDStage.challenge, Self.transaction)
        }
        #expect(unbound?.kind == .foreign)
    }

    @Test func `without a backchannel transaction nothing is redeemed`() async throws {
        let stage = DigiDStage(200, #"{"status":2000}"#)
        for (code, transaction) in [
            (ReturnedArtifact("A", isBound: true).secret, nil), (Secret("AAQA"), Self.transaction),
            (
                ReturnedArtifact("A", isBound: true).secret,
                BackchannelTransaction(
                    .artifact, Self.transaction.details.filter { $0.key != .request }, interval: nil,
                    until: Self.transaction.until)
            ),
        ] {
            let failure = await Self.failure {
                _ = try await stage.broker.redeem(code: code, DigiDStage.challenge, transaction)
            }
            #expect(failure == BrokerError(.invalidResponse, .completeWithoutSession))
        }
        #expect(stage.last == nil)
    }
}

extension JSON {
    fileprivate var encodedText: String { String(decoding: self.encoded(), as: UTF8.self) }
}
