/// Answers apps and browsers: finds the route, lets the handler of that route do its work, and puts on every answer what
/// belongs on every answer.
import Base
import EventLoop
import HTTPServer
import HTTPWire
import Logins
import Synchronization

package final class PublicHandler: RequestHandler {
    private static let requestID: FieldName = "request-id"

    private let flow: LoginFlow
    private let proxy: TrustedProxy
    private let headers: SecurityHeaders
    private let crossOrigin: CrossOrigin
    private let files: PublicFiles
    private let links: AppLinks
    private let linkFiles: LinkFiles
    private let listProviders: ListProviders
    private let createLogin: CreateLogin
    private let pollLogin: PollLogin
    private let watchLogin: WatchLogin
    private let comeBack: ComeBack
    private let cancelLogin: CancelLogin
    private let deleteLogin: DeleteLogin
    private let openLogin: OpenLogin
    private let takeCallback: TakeCallback
    private let showPage: ShowPage
    private let tellPageState: TellPageState
    private let showReturnLink: ShowReturnLink
    private let holds: Holds
    private let rates: RequestLimits.Rates
    private let limits: RequestLimits
    private let problemPages = ProblemPages()
    /// Without a slash at its end.
    let publicURL: String
    private let observe: @Sendable (AnsweredRequest) -> Void
    private let observeRefused: @Sendable (RefusedRequest) -> Void

    /// What clients have used of their limits, whether requests are held, and whose word is taken for an address, it
    /// takes over from `former`.
    package init(
        _ settings: PublicSettings, flow: LoginFlow, pages: Pages, files: PublicFiles,
        now: @escaping @Sendable () -> Timestamp, observe: @escaping @Sendable (AnsweredRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        after former: PublicHandler? = nil
    ) {
        let known = former.flatMap { $0.rates == settings.rates ? $0.limits : nil }
        let limits = known ?? RequestLimits(settings.rates)
        self.rates = settings.rates
        self.limits = limits
        self.holds = former?.holds ?? Holds()
        let answers = LoginAnswers(
            LoginJSON(polling: settings.polling), assertions: settings.assertions, holds: self.holds, now: now,
            delivered: flow.noteDelivery)
        // The server was started with it.
        self.proxy = former?.proxy ?? settings.proxy
        self.headers = SecurityHeaders(publicURL: settings.publicURL, pageScript: pages.script)
        self.crossOrigin = CrossOrigin(origins: settings.origins)
        self.files = files
        self.links = settings.links
        self.linkFiles = LinkFiles(settings.links)
        self.listProviders = ListProviders(
            settings.providers, settings.apps, publicURL: settings.publicURL)
        let keys = AppKeys(keys: settings.apps.mapValues(\.key))
        self.createLogin = CreateLogin(
            flow: flow, answers: answers, limits: limits, keys: keys, defaultApp: settings.defaultApp)
        self.pollLogin = PollLogin(flow: flow, answers: answers, limits: limits, holds: self.holds, keys: keys)
        self.watchLogin = WatchLogin(
            flow: flow, answers: answers, limits: limits, holds: self.holds, keys: keys, rhythm: settings.eventRhythm)
        self.comeBack = ComeBack(flow: flow, answers: answers, limits: limits)
        self.cancelLogin = CancelLogin(flow: flow, answers: answers)
        self.deleteLogin = DeleteLogin(flow: flow)
        self.openLogin = OpenLogin(flow: flow, pages: pages, limits: limits)
        self.takeCallback = TakeCallback(flow: flow, pages: pages, limits: limits)
        self.showPage = ShowPage(flow: flow, pages: pages, holds: self.holds)
        self.tellPageState = TellPageState(flow: flow, limits: limits, holds: self.holds, now: now)
        self.showReturnLink = ShowReturnLink(links: settings.links, pages: pages)
        self.flow = flow
        self.publicURL = settings.publicURL
        self.observe = observe
        self.observeRefused = observeRefused
    }

    /// Holds no request from now on; wake those that are held after this, and they are answered with what is true.
    package func stopHolding() { self.holds.stop(held: self.flow.waiting) }

    package func handle(_ request: Request, _ exchange: Exchange) {
        self.handle(request, from: self.proxy.client(of: request.fields, from: exchange.peer), exchange)
    }

    /// What the server refuses before it is a request for any route has the shape of every other refusal.
    package func response(to refusal: ServerRefusal) -> Response {
        let refused = RefusedRequest(id: Reply.makeID(), code: Problem.Code(refusal))
        var response = Problem(refused.code).response(requestID: refused.id, publicURL: self.publicURL)
        self.headers.add(to: &response.fields, for: .program)
        response.fields[Self.requestID] = refused.id
        if let head = refusal.head { self.crossOrigin.words(to: head)?.add(to: &response.fields) }
        self.observeRefused(refused)
        return response
    }

    /// On the exchange's loop.
    package func handle(_ request: Request, from client: IPAddress, _ exchange: any Answerable) {
        let match = self.match(request)
        let reply = Reply(
            to: request, as: match, from: client, crossOrigin: self.crossOrigin.words(to: request.head), by: self,
            on: exchange)
        let call = Call(request, reply)
        switch match {
        case .route(let route):
            self.handle(call, route)
        case .options(let allowed):
            call.respond(Response(.noContent, fields: [.allow: allowed.list], body: []))
        case .wrongMethod(let allowed):
            call.refuse(Problem(allowed: allowed))
        case .nothing:
            call.refuse(Problem(.notFound))
        }
    }

    /// An address of the table goes first: with `callback: app` a redirect URI is a link to the app and, in a browser, the
    /// ordinary callback.
    private func match(_ request: Request) -> RouteMatch<Route> {
        let match = RouteMatch(request.method, request.target.path, in: Route.table)
        guard case .nothing = match, let app = self.links.app(at: request.target.path) else { return match }
        return RouteMatch(request.method, .returnLink(app: app.id))
    }

    private func handle(_ call: Call, _ route: Route) {
        switch route {
        case .providers:
            call.answer { () async throws(Problem) in try self.listProviders.response(to: call.request) }
        case .createLogin: call.answer { () async throws(Problem) in try await self.createLogin.response(to: call) }
        case .login(let id):
            let isWatched = WatchLogin.isWanted(by: call.request)
            if isWatched { self.watchLogin.begin(call, id) } else { self.pollLogin.begin(call, id) }
        case .openLogin(let token): call.answerWhileThere { await self.openLogin.response(to: call, token) }
        case .callback(let broker): call.answer { await self.takeCallback.response(to: call, broker) }
        case .done(let token): self.showPage.begin(call, token)
        case .doneState(let token): self.tellPageState.begin(call, token)
        case .comeBack(let id):
            call.answer { () async throws(Problem) in try await self.comeBack.response(to: call, id) }
        case .cancelLogin(let id):
            call.answer { () async throws(Problem) in try await self.cancelLogin.response(to: call, id) }
        case .deleteLogin(let id):
            call.answer { () async throws(Problem) in try await self.deleteLogin.response(to: call, id) }
        case .keys: self.send(self.files.assertionKeys, to: call)
        case .discovery: self.send(self.files.discovery, to: call)
        case .clientKeys: self.send(self.files.clientKeys, to: call)
        case .openAPI: self.send(self.files.openAPI, to: call)
        case .problems: self.send(self.problemPages.index, to: call)
        case .problem(let code): self.send(self.problemPages[code], to: call)
        case .appSiteAssociation: self.send(self.linkFiles.appSiteAssociation, to: call)
        case .assetLinks: self.send(self.linkFiles.assetLinks, to: call)
        case .asset(let name): self.send(self.files.assets[name], to: call)
        case .returnLink(let app): call.respond(self.showReturnLink.response(to: call, app))
        }
    }

    private func send(_ file: StaticFile?, to call: Call) {
        guard let file else { return call.refuse(Problem(.notFound)) }
        let response = file.response(to: call.request)
        guard response.status != .preconditionFailed else { return call.refuse(Problem(.preconditionFailed)) }
        call.respond(response)
    }

    /// With what every answer has, and counted.
    func finished(_ response: consuming Response, of reply: Reply) -> Response {
        let isPage = response.fields[.contentType]?.hasPrefix("text/html") ?? false
        self.headers.add(to: &response.fields, for: isPage ? .person : .program)
        response.fields[Self.requestID] = reply.id
        if reply.varies { response.fields.vary(on: .accept) }
        reply.crossOrigin?.add(to: &response.fields)
        self.observe(
            AnsweredRequest(
                id: reply.id, route: reply.route, method: reply.method, status: response.status, client: reply.client,
                duration: reply.startedAt.duration(to: .now)))
        return response
    }
}
