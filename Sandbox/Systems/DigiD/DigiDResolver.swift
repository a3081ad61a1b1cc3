import Base
import HTTPWire
import StrictJSON

/// The resolver of OneWelcome's two-step registration: begins a session, and resolves the artifact.
struct DigiDResolver: Sendable {
    let core: ProviderCore
    let book: DigiDSessionStore

    // MARK: - init

    func initiation(_ request: Request) -> JSONResponse {
        self.core.count(.initiate)
        do throws(OAuthRefusal) {
            let client = try self.client(request, .initiate)
            let data = Self.data(try Self.body(request)) ?? [:]
            let chosenFault = self.core.fault(for: client, state: data["relayState"]?.string)
            let fault = chosenFault?.effect.brokerFault(DigiDFault.self) ?? DigiDFault()
            var answer = try self.begin(data, client, opensThirdParty: fault.opensThirdParty)
            fault.initiation?(&answer)
            return answer
        } catch {
            return error.answer
        }
    }

    private func begin(
        _ data: JSON.Object, _ client: SandboxClient, opensThirdParty: Bool
    ) throws(OAuthRefusal) -> JSONResponse {
        guard let returnURL = data["returnUrl"]?.string, client.redirectURIs.contains(returnURL) else {
            return .script(4000, "returnUrl is not registered")
        }
        let now = self.core.now()
        // A client that makes the request itself sends a digest of its id.
        let own = data["requestIdSha256"]?.string
        let requestID = "_\(RandomName.make())"
        var session = DigiDSessionStore.Session(
            client: client, sessionID: Base64.encode(Array("\(RandomName.make())|1".utf8)),
            requestDigest: own ?? DigiDSessionStore.digest(of: requestID), isResolvers: own == nil)
        if opensThirdParty {
            session.thirdParty = DigiDSessionStore.ThirdParty(
                returnURL: returnURL, state: data["relayState"]?.string)
        }
        let transaction = RandomName.make()
        guard self.book.withLock({ $0.add(session, as: transaction, at: now) }) else {
            return .script(5000, "too many sessions")
        }
        var members: JSON.Object = ["sessionID": .string(session.sessionID)]
        if opensThirdParty {
            members["appLink"] = .string("\(DigiDRoute.thirdParty.url(self.core.origin))?request=\(requestID)")
            members["requestId"] = .string(requestID)
        } else if own == nil {
            let request = ResolverRequest(
                id: requestID, contextClass: data["authnContext"]?.string ?? "", returnURL: returnURL,
                relayState: data["relayState"]?.string)
            members["digidRequest"] = self.link(request, now).map { .string($0) }
        }
        return JSONResponse(
            .ok,
            [
                "transaction_id": .string(transaction), "data": .string(JSON.object(members).text), "status": 2000,
            ])
    }

    private func link(_ request: ResolverRequest, _ now: Timestamp) -> String? {
        let key = self.core.memory.withLock { memory in try? memory.keys.key(for: .rs256, .current, at: now) }
        return key.flatMap { request.link(self.core.origin, key: $0.key, at: now) }
    }

    // MARK: - complete

    func completion(_ request: Request) -> JSONResponse {
        self.core.count(.complete)
        do throws(OAuthRefusal) {
            let client = try self.client(request, .complete)
            return self.complete(try Self.body(request), client)
        } catch {
            return error.answer
        }
    }

    private func complete(_ body: JSON.Object, _ client: SandboxClient) -> JSONResponse {
        let now = self.core.now()
        guard let transaction = body["transaction_id"]?.string,
            let session = self.book.withLock({ $0.sessions.value(for: transaction, at: now) }),
            session.client.clientID == client.clientID
        else { return Self.refused("invalid_transaction") }
        guard body["scope"]?.array?.isEmpty == false else { return Self.refused("invalid_scope") }
        guard let data = Self.data(body), let text = data["artefactId"]?.string,
            data["sessionId"]?.string == session.sessionID
        else { return .script(4003, "the session does not match") }
        guard let artifact = self.resolve(text, now) else {
            return .script(5002, "the artifact cannot be resolved")
        }
        // If the artifact belongs to another session, this session lives on, because its own artifact may still come.
        guard session.isOf(artifact.requestID) || artifact.fault.isUnchecked else {
            return .script(5003, "the artifact belongs to another session")
        }
        let own = self.book.withLock { book in
            if session.isOf(artifact.requestID) { _ = book.sessions.take(transaction, at: now) }
            return book.session(ofRequest: artifact.requestID, at: now)
        }
        var answer = Self.success(artifact, artifact.fault.isEcho ? session : own ?? session)
        artifact.fault.completion?(&answer)
        return answer
    }

    /// Resolves an artifact once.
    private func resolve(_ text: String, _ now: Timestamp) -> DigiDSessionStore.Artifact? {
        self.book.withLock { book in
            guard let artifact = book.artifacts.take(text, at: now), !artifact.isSpent else { return nil }
            return artifact
        }
    }

    private static func success(_ artifact: DigiDSessionStore.Artifact, _ session: DigiDSessionStore.Session)
        -> JSONResponse
    {
        let data: JSON.Object = [
            "sessionId": .string(session.sessionID), "inResponseTo": .string(artifact.requestID),
            "acr": .string(artifact.contextClass), "bsn": .string(artifact.person.nationalID),
        ]
        return JSONResponse(
            .ok,
            [
                "status": 2000, "data": .string(JSON.object(data).text),
                "oauth_token": [
                    "token_type": "bearer", "access_token": .string(RandomName.make()), "expires_in": 900,
                    "scope": "read", "profile_id": .string(artifact.person.subject),
                ],
            ])
    }

    private static func refused(_ code: String) -> JSONResponse { JSONResponse(.badRequest, ["error": .string(code)]) }

    // MARK: - Both

    private func client(_ request: Request, _ route: DigiDRoute) throws(OAuthRefusal) -> SandboxClient {
        try ClientProof(core: self.core, endpoint: route.rawValue).client(request, Parameters([]))
    }

    private static func body(_ request: Request) throws(OAuthRefusal) -> JSON.Object {
        guard request.fields[.contentType] == "application/json", let json = try? JSON(parsing: request.body),
            let object = json.object
        else { throw OAuthRefusal(.invalidRequest, "the body is not a JSON object") }
        return object
    }

    /// Scripts get a text.
    private static func data(_ body: JSON.Object) -> JSON.Object? {
        body["data"]?.string.flatMap { (try? JSON(parsing: Array($0.utf8)))?.object }
    }
}
