import Base
import EventLoop
import HTTPServer
import HTTPWire
import Links
import Logins
import Sessions
import Synchronization

/// Answers apps and browsers: finds the route and calls its handler.
package final class PublicHandler: RequestHandler {
    private let flow: LoginFlow
    private let proxy: TrustedProxy
    private let finisher: ResponseFinisher
    private let pages: Pages
    private let files: PublicFiles
    /// Nil if no contact is configured.
    private let securityText: StaticFile?
    private let links: AppLinks
    private let linkFiles: LinkFiles
    private let listProviders: ListProviders
    private let createLogin: CreateLogin
    private let pollLogin: PollLogin
    private let watchLogin: WatchLogin
    private let handleReturn: HandleReturn
    private let cancelLogin: CancelLogin
    private let deleteLogin: DeleteLogin
    private let redirectToBroker: RedirectToBroker
    private let handleCallback: HandleCallback
    private let showPage: ShowPage
    private let pollPageState: PollPageState
    private let showReturnLink: ShowReturnLink
    /// Nil if no app has sessions.
    private let sessions: SessionEndpoints?
    private let longPolls: LongPolls
    private let rates: RequestLimits.Rates
    private let limits: RequestLimits

    /// It takes over from `former` what clients have used of their limits, whether requests may wait, and the trusted
    /// proxies.
    package init(
        _ settings: PublicSettings, flow: LoginFlow, sessions: SessionFlow? = nil, pages: Pages, files: PublicFiles,
        now: @escaping @Sendable () -> Timestamp, observe: @escaping @Sendable (CompletedRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        observeLimit: @escaping @Sendable (RequestLimit) -> Void = { _ in },
        after former: PublicHandler? = nil
    ) {
        let formerLimits = former.flatMap { $0.rates == settings.rates ? $0.limits : nil }
        let limits = formerLimits ?? RequestLimits(settings.rates, observe: observeLimit)
        self.rates = settings.rates
        self.limits = limits
        self.longPolls = former?.longPolls ?? LongPolls()
        let answers = LoginResponses(
            LoginJSON(polling: settings.polling), assertions: settings.assertions, longPolls: self.longPolls,
            limits: limits,
            now: now, delivered: flow.noteDelivery)
        // Read only at the start.
        self.proxy = former?.proxy ?? settings.proxy
        self.finisher = ResponseFinisher(
            publicURL: settings.publicURL, crossOrigin: CrossOrigin(origins: settings.origins), pages: pages,
            makeNonce: sessions.map { $0.makeNonce },
            observe: observe, observeRefused: observeRefused)
        self.pages = pages
        self.files = files
        self.securityText = settings.security?.file(publicURL: settings.publicURL)
        self.links = settings.links
        self.linkFiles = LinkFiles(settings.links)
        self.listProviders = ListProviders(
            settings.providers, settings.apps, defaultApp: settings.defaultApp, publicURL: settings.publicURL)
        let keys = AppKeys(keys: settings.apps.mapValues(\.key))
        self.createLogin = CreateLogin(
            flow: flow, answers: answers, limits: limits, keys: keys, defaultApp: settings.defaultApp)
        self.pollLogin = PollLogin(flow: flow, answers: answers, longPolls: self.longPolls, keys: keys)
        self.watchLogin = WatchLogin(
            flow: flow, answers: answers, longPolls: self.longPolls, keys: keys,
            rhythm: settings.eventRhythm)
        self.handleReturn = HandleReturn(flow: flow, answers: answers, limits: limits)
        self.cancelLogin = CancelLogin(flow: flow, answers: answers)
        self.deleteLogin = DeleteLogin(flow: flow)
        self.redirectToBroker = RedirectToBroker(flow: flow, pages: pages, limits: limits)
        self.handleCallback = HandleCallback(flow: flow, pages: pages, limits: limits)
        self.showPage = ShowPage(flow: flow, pages: pages, longPolls: self.longPolls)
        self.pollPageState = PollPageState(flow: flow, limits: limits, longPolls: self.longPolls, now: now)
        self.showReturnLink = ShowReturnLink(
            links: settings.links, pages: pages, publicURL: settings.publicURL)
        self.sessions = sessions.map {
            SessionEndpoints(
                $0, logins: flow, publicURL: settings.publicURL, levels: settings.sessionLevels,
                permitted: settings.sessionPermissions, keys: keys, limits: limits, now: now)
        }
        self.flow = flow
    }

    /// Lets no request wait from now on. Wake the waiting ones afterwards: they get the present state.
    package func stopLongPolls() { self.longPolls.stop(held: self.flow.waitingCount) }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        self.handle(request, from: self.proxy.client(of: request.fields, from: responder.peer), .connection(responder))
    }

    package func response(to refusal: ServerRefusal) -> Response { self.finisher.response(to: refusal) }

    /// Handles a request that came through no connection. Call it on the target's loop.
    package func handle(_ request: Request, from client: IPAddress, _ target: any ResponseTarget) {
        self.handle(request, from: client, .other(target))
    }

    private func handle(_ request: Request, from client: IPAddress, _ target: ReplyTarget) {
        let match = self.match(request)
        let context = RequestContext(
            request, Reply(to: request, as: match, from: client, by: self.finisher, on: target))
        switch match {
        case .route(let route):
            self.handle(context, route)
        case .options(let allowed):
            context.respond(Response(.noContent, fields: [.allow: allowed.list], body: []))
        case .wrongMethod(let allowed):
            context.refuse(Problem(allowed: allowed))
        case .nothing:
            context.refuse(Problem(.notFound))
        }
    }

    /// The table goes first: with `callback: app` a redirect URI is a link to the app, but in a browser it is the
    /// ordinary callback.
    private func match(_ request: Request) -> RouteMatch<Route> {
        let match = RouteMatch(request.method, request.target.path, in: Route.table)
        guard case .nothing = match, let app = self.links.app(at: request.target.path) else { return match }
        return RouteMatch(request.method, .returnLink(app: app.id))
    }

    private func handle(_ context: RequestContext, _ route: Route) {
        switch route {
        case .providers:
            context.respondAsync { () async throws(Problem) in try self.listProviders.response(to: context.request) }
        case .createLogin:
            context.respondAsync { () async throws(Problem) in try await self.createLogin.respond(to: context) }
        case .login(let id):
            let isWatched = WatchLogin.isWanted(by: context.request)
            if isWatched { self.watchLogin.begin(context, id) } else { self.pollLogin.begin(context, id) }
        case .openLogin(let token):
            context.respondWhileConnected { await self.redirectToBroker.respond(to: context, token) }
        case .callback(let broker): context.respondAsync { await self.handleCallback.respond(to: context, broker) }
        case .done(let token): self.showPage.begin(context, token)
        case .doneState(let token): self.pollPageState.begin(context, token)
        case .handleReturn(let id):
            context.respondAsync { () async throws(Problem) in try await self.handleReturn.respond(to: context, id) }
        case .cancelLogin(let id):
            context.respondAsync { () async throws(Problem) in try await self.cancelLogin.respond(to: context, id) }
        case .deleteLogin(let id):
            context.respondAsync { () async throws(Problem) in try await self.deleteLogin.respond(to: context, id) }
        case .session(.metadata): self.send(self.sessions?.metadata, to: context)
        case .session(.keys): self.send(self.files.accessKeys, to: context)
        case .session(let route):
            guard let sessions else { return context.refuse(Problem(.notFound)) }
            sessions.respond(to: context, route)
        case .keys: self.send(self.files.assertionKeys, to: context)
        case .discovery: self.send(self.files.discovery, to: context)
        case .clientKeys: self.send(self.files.clientKeys, to: context)
        case .openAPI: self.send(self.files.openAPI, to: context)
        case .openAPIForApps: self.send(self.files.openAPIForApps, to: context)
        case .problems: self.send(ProblemPages.all.index, to: context)
        case .problem(let code): self.send(ProblemPages.all[code], to: context)
        case .appSiteAssociation: self.send(self.linkFiles.appSiteAssociation, to: context)
        case .assetLinks: self.send(self.linkFiles.assetLinks, to: context)
        case .asset(let name): self.send(self.files.assets[name], to: context)
        case .favicon: self.send(self.files.assets["favicon.svg"], to: context)
        case .securityText: self.send(self.securityText, to: context)
        case .robots: self.send(self.files.robots, to: context)
        case .home: context.respond(self.pages.response(PageView(.notice(.home)), languages: context.languages))
        case .returnLink(let app): context.respond(self.showReturnLink.response(to: context, app))
        }
    }

    private func send(_ file: StaticFile?, to context: RequestContext) {
        guard let file else { return context.refuse(Problem(.notFound)) }
        let response = file.response(to: context.request)
        guard response.status != .preconditionFailed else { return context.refuse(Problem(.preconditionFailed)) }
        context.respond(response)
    }
}

/// Answers with the handler of the current configuration. A request keeps the handler that it began with.
package final class CurrentHandler: RequestHandler {
    private let handler: Mutex<PublicHandler>

    package init(_ handler: PublicHandler) { self.handler = Mutex(handler) }

    package var current: PublicHandler { self.handler.withLock { $0 } }

    package func replace(with handler: PublicHandler) { self.handler.withLock { $0 = handler } }

    package func response(to refusal: ServerRefusal) -> Response { self.current.response(to: refusal) }

    package func handle(_ request: Request, _ responder: ResponseHandle) { self.current.handle(request, responder) }
}
