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
    private let services: PublicServices
    private let proxy: TrustedProxy
    private let routes: [Endpoint<PreparedRoute>]
    private let returnLinks: PreparedRoute
    /// Finishes the responses to requests for no route.
    private let finisher: ResponseFinisher

    /// Some things are read only at the start, or are counted over a change of the configuration. The new handler takes
    /// these from `former`: the trusted proxies, the long polls, and the counts of limits that have not changed.
    package init(
        _ settings: PublicSettings, flow: LoginFlow, sessions: SessionFlow? = nil, pages: Pages, files: PublicFiles,
        now: @escaping @Sendable () -> Timestamp, observe: @escaping @Sendable (CompletedRequest) -> Void,
        observeRefused: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
        observeLimit: @escaping @Sendable (RequestLimit, AddressClass?) -> Void = { _, _ in },
        tracer: RequestTracer? = nil, audit: AuditDesk? = nil,
        after former: PublicHandler? = nil
    ) {
        let formerLimits = former.flatMap { $0.services.settings.rates == settings.rates ? $0.services.limits : nil }
        let services = PublicServices(
            settings, logins: flow, sessions: sessions, pages: pages, files: files,
            limits: formerLimits ?? RequestLimits(settings.rates, observe: observeLimit),
            longPolls: former?.services.longPolls ?? LongPolls(), audit: audit, now: now)
        let common = CommonFields(
            publicURL: settings.publicURL, crossOrigin: CrossOrigin(origins: settings.origins), pages: pages,
            makeNonce: sessions.map { $0.makeNonce }, tracer: tracer, observe: observe, observeRefused: observeRefused)
        self.services = services
        self.proxy = former?.proxy ?? settings.proxy
        self.finisher = ResponseFinisher(.none, common)
        self.routes = PublicRoutes.table.map {
            Endpoint($0.method, $0.pattern, PreparedRoute($0.target, services, common))
        }
        self.returnLinks = PreparedRoute(PublicRoutes.returnLink, services, common)
    }

    /// Lets no request wait from now on. Wake the waiting ones afterwards: they get the present state.
    package func stopLongPolls() { self.services.longPolls.stop(held: self.services.logins.waitingCount) }

    package func response(to refusal: ServerRefusal) -> Response { self.finisher.response(to: refusal) }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        let client = self.proxy.client(of: request.fields, from: responder.peer)
        self.answer(request, from: client, through: .connection(responder))
    }

    /// Handles a request that came through no connection. Call it on the target's loop.
    package func handleUnconnected(_ request: Request, from client: IPAddress, _ target: any ResponseTarget) {
        self.answer(request, from: client, through: .other(target))
    }

    private func answer(_ request: Request, from client: IPAddress, through target: ReplyTarget) {
        func context(_ finisher: ResponseFinisher) -> RequestContext {
            RequestContext(request, Reply(to: request, from: client, by: finisher, on: target))
        }
        switch self.match(request) {
        case .route(let route, let parameter):
            let context = context(route.finisher)
            guard let handler = route.handler else { return context.refuse(Problem(.notFound)) }
            handler.begin(context, parameter)
        case .options(let allowed):
            context(self.finisher).respond(Response(.noContent, fields: [.allow: allowed.list], body: []))
        case .wrongMethod(let allowed):
            context(self.finisher).refuse(Problem(allowed: allowed))
        case .nothing:
            context(self.finisher).refuse(Problem(.notFound))
        }
    }

    /// The table goes first: with `callback: app` a redirect URI is a link to the app, but in a browser it is the
    /// ordinary callback.
    private func match(_ request: Request) -> RouteMatch<PreparedRoute> {
        let match = RouteMatch(request.method, request.target.path, in: self.routes)
        guard case .nothing = match, let app = self.services.settings.links.app(at: request.target.path) else {
            return match
        }
        return RouteMatch(request.method, self.returnLinks, parameter: app.id)
    }
}

/// A route of one configuration, with its handler.
///
/// It is a class, so that a lookup copies nothing of it.
private final class PreparedRoute: Sendable {
    /// Nil if this configuration has nothing there.
    let handler: (any RouteHandler)?
    let finisher: ResponseFinisher

    init(_ route: PublicRoute, _ services: PublicServices, _ common: CommonFields) {
        self.handler = route.makeHandler(services)
        self.finisher = ResponseFinisher(route.label, common)
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
