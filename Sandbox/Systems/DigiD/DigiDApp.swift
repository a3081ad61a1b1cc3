import Base
import HTTPWire
import StrictJSON

/// Plays DigiD's app: verifies what it was opened with, lets the user decide, and opens the app that opened it.
struct DigiDApp: Sendable {
    /// What the app does before it shows a page.
    private enum Opened {
        case authRequest(DigiDSessionStore.AuthRequest)
        /// The error goes to the app that opened it.
        case error(String, to: String)
        case refused(String)
    }

    let core: ProviderCore
    let book: DigiDSessionStore

    func response(to request: Request) -> Response {
        self.core.count(.digidApp)
        guard let parameters = Parameters(of: request) else {
            return ErrorPage(code: "invalid_request", description: "This is not a form.").response
        }
        guard request.method == .post else { return self.open(request) }
        return self.decide(parameters)
    }

    /// Handles the link of a third party's app, which has the id of the request and no signature. Its page posts to
    /// DigiD's path.
    func thirdPartyResponse(to request: Request) -> Response {
        self.core.count(.digidApp)
        let now = self.core.now()
        guard let id = Parameters(of: request)?["request"],
            let session = self.book.session(ofRequest: id, at: now), let app = session.thirdParty
        else { return ErrorPage(code: "invalid_request", description: "The request is unknown.").response }
        return self.show(
            DigiDSessionStore.AuthRequest(
                client: session.client, requestID: id, contextClass: "midden", returnURL: app.returnURL,
                relayState: app.state, isResolvers: true, isThirdParty: true), now)
    }

    // MARK: - Opened

    private func open(_ request: Request) -> Response {
        let now = self.core.now()
        switch self.read(request, now) {
        case .refused(let text):
            return ErrorPage(code: "SAMLRequest", description: text).response
        case .error(let message, let url):
            return Self.back(to: url, ["SAMLart": .null, "RelayState": .null, "ErrorMessage": .string(message)])
        case .authRequest(let authRequest): return self.show(authRequest, now)
        }
    }

    private func show(_ authRequest: DigiDSessionStore.AuthRequest, _ now: Timestamp) -> Response {
        let login = RandomName.make()
        guard self.book.withLock({ $0.authRequests.insert(authRequest, for: login, at: now) }) else {
            return ErrorPage(code: "server_error", description: "Too many users are logging in.").response
        }
        return DigiDPage(authRequest: authRequest, login: login, menu: self.core.menu(.appToApp)).response
    }

    private func read(_ request: Request, _ now: Timestamp) -> Opened {
        // Like DigiD's app, we do not decode the query.
        let mark = "app-app="
        guard let query = request.target.query, query.hasPrefix(mark),
            let bytes = Base64.decode(query.dropFirst(mark.count)), let object = (try? JSON(parsing: bytes))?.object
        else { return .refused("app-app is not base64 of JSON.") }
        guard let returnURL = object["ReturnUrl"]?.string else { return .refused("ReturnUrl is missing.") }
        guard let text = object["SAMLRequest"]?.string, let saml = SAMLRequest(encoded: text) else {
            return .refused("SAMLRequest is malformed.")
        }
        let session = self.book.session(ofRequest: saml.id, at: now)
        guard let session, session.client.redirectURIs.contains(returnURL) else {
            return .refused("ReturnUrl is not registered.")
        }
        if saml.isOld(at: now) { return .error("timeout", to: returnURL) }
        guard let icon = object["Icon"]?.string, !icon.isEmpty else { return .error("icon_missing", to: returnURL) }
        let relayState = object["RelayState"]?.string
        guard (relayState ?? "").utf8.count <= 80 else { return .refused("RelayState is longer than 80 bytes.") }
        guard object["SigAlg"]?.string == SAMLRequest.algorithm,
            let signature = object["Signature"]?.string.flatMap({ Base64.decode($0) }),
            self.verifies(signature, of: SAMLRequest.signed(text, relayState: relayState), saml, session, now)
        else { return .refused("Signature is wrong.") }
        return .authRequest(
            DigiDSessionStore.AuthRequest(
                client: session.client, requestID: saml.id, contextClass: saml.contextClass, returnURL: returnURL,
                relayState: relayState, isResolvers: session.isResolvers))
    }

    /// Verifies with the keys of the issuer that the request names.
    private func verifies(
        _ signature: [UInt8], of signedText: [UInt8], _ saml: SAMLRequest, _ session: DigiDSessionStore.Session,
        _ now: Timestamp
    ) -> Bool {
        let issuer = session.isResolvers ? ResolverRequest.entityID : "urn:sandbox:\(session.client.clientID)"
        guard saml.issuer == issuer else { return false }
        let own = self.core.memory.withLock { $0.keys.published(at: now) }
        let keys = session.isResolvers ? own : session.client.keys
        return keys?.keys.contains { $0.publicKey.verify(signature, of: signedText, with: .rs256) } ?? false
    }

    // MARK: - Decided

    private func decide(_ form: Parameters) -> Response {
        let now = self.core.now()
        guard let login = form["login"], let choice = self.core.choice(form, at: .digid, among: [.approve, .cancel]),
            let authRequest = self.book.withLock({ $0.authRequests.take(login, at: now) })
        else { return ErrorPage(code: "invalid_request", description: "This form was used or is unknown.").response }
        let (decision, chosenFault) = self.core.settle(choice, for: authRequest.client, state: authRequest.relayState)
        let fault = chosenFault?.effect.brokerFault(DigiDFault.self) ?? DigiDFault()
        switch decision {
        case .approve: return self.approve(authRequest, choice.person, fault, now)
        case .silence: return FinalPage.silence.response
        case .cancel, .timeOut, .sign:
            return Self.back(authRequest, ["SAMLart": .null, "RelayState": .null, "ErrorMessage": "_by_user"])
        }
    }

    private func approve(
        _ authRequest: DigiDSessionStore.AuthRequest, _ person: SandboxIdentity, _ fault: DigiDFault, _ now: Timestamp
    ) -> Response {
        // Type 4, an endpoint, the hash of the issuer and a handle (SAML Bindings, 3.6.4).
        let text = Base64.encode([0, 4, 0, 0] + RandomBytes.make(40))
        let artifact = DigiDSessionStore.Artifact(
            requestID: authRequest.requestID, person: person, contextClass: authRequest.contextClass, fault: fault,
            isSpent: fault.isSpent)
        guard self.book.withLock({ $0.artifacts.insert(artifact, for: text, at: now) }) else {
            return ErrorPage(code: "server_error", description: "Too many users are logging in.").response
        }
        var answer: JSON.Object = [
            "SAMLart": .string(text), "RelayState": authRequest.relayState.map { .string($0) } ?? .null,
            "ErrorMessage": .null,
        ]
        fault.answer?(&answer)
        return Self.back(authRequest, answer)
    }

    /// A third party's app returns with parameters.
    private static func back(_ authRequest: DigiDSessionStore.AuthRequest, _ answer: JSON.Object) -> Response {
        guard authRequest.isThirdParty else { return Self.back(to: authRequest.returnURL, answer) }
        let names = [("SAMLart", "artefactId"), ("RelayState", "state"), ("ErrorMessage", "error")]
        let parameters = names.compactMap { name, ours in answer[name]?.string.map { Parameter(ours, $0) } }
        let link = "\(authRequest.returnURL)?\(FormBody.encode(parameters))"
        return Response(.seeOther, fields: [.location: link, .cacheControl: "no-store"], body: [])
    }

    /// The base64 is not escaped.
    private static func back(to url: String, _ answer: JSON.Object) -> Response {
        let link = "\(url)?app-app=\(Base64.encode(JSON.object(answer).encoded()))"
        return Response(.seeOther, fields: [.location: link, .cacheControl: "no-store"], body: [])
    }
}

/// What the user sees in DigiD's app.
struct DigiDPage: Sendable {
    let authRequest: DigiDSessionStore.AuthRequest
    let login: String
    let menu: FaultMenu

    var response: Response {
        let form = DecisionForm(
            action: DigiDRoute.app.rawValue, hidden: [Parameter("login", self.login)],
            menu: self.menu, eID: .digid)
        let heading = EIDHeading(eID: .digid, client: self.authRequest.client)
        let body: Markup = """
            \(heading.markup)
            \(form.markup)
            """
        let targets = ["'self'"] + [Origin.source(of: self.authRequest.returnURL)].compactMap(\.self)
        return PageResponse(
            title: heading.title, body: body, look: SandboxEID.digid.rawValue,
            formTargets: targets + self.authRequest.client.onwardOrigins
        ).response
    }
}
