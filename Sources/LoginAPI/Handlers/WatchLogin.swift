import Base
import HTTPWire
import Logins

/// `GET /v1/logins/{id}`: the login once, or a stream of its states, as the request accepts.
struct PollOrWatchLogin: RouteHandler {
    private let poll: PollLogin
    private let watch: WatchLogin

    init(_ services: PublicServices) {
        self.poll = PollLogin(services)
        self.watch = WatchLogin(services)
    }

    func begin(_ context: RequestContext, _ id: String) {
        guard WatchLogin.isWanted(by: context.request) else { return self.poll.begin(context, id) }
        self.watch.begin(context, id)
    }
}

/// `GET /v1/logins/{id}` with `Accept: text/event-stream`: the state of the login, and each change until it is final.
struct WatchLogin: RouteHandler, LongPollHandler {
    /// No stream lasts longer. The reader reconnects and misses nothing.
    private static let longest = Duration.seconds(900)

    let flow: LoginFlow
    private let answers: LoginResponses
    let longPolls: LongPolls
    private let keys: AppKeys
    /// The time between two comments.
    private let rhythm: Duration

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.answers = services.answers
        self.longPolls = services.longPolls
        self.keys = services.keys
        self.rhythm = services.settings.eventRhythm
    }

    fileprivate static func isWanted(by request: Request) -> Bool {
        MediaRange.prefers(
            ServerSentEvent.contentType, to: "application/json", in: request.fields.all(.accept))
    }

    func begin(_ context: RequestContext, _ id: String) {
        do throws(Problem) {
            let login = try LoginAccess(context.request, id)
            let events = EventStream(context, rhythm: self.rhythm)
            LongPoll.begin(
                context, atMost: Self.longest,
                WatchedLogin(handler: self, access: login, events: events, context: context))
        } catch {
            context.refuse(error)
        }
    }

    nonisolated(nonsending) fileprivate func look(
        at login: LoginAccess, for events: EventStream, isTimeLeft: Bool, _ context: RequestContext
    ) async -> LongPollResult {
        let view: LoginView
        let news: [UInt8]?
        do throws(Problem) {
            view = try await translatingErrors { () async throws(LoginFlowError) in
                try await self.flow.loadView(login.id, secret: login.secret)
            }
            // We count the stream as a poll, because the first event is sent at once.
            if !events.hasBegun, self.longPolls.areAllowed {
                try self.answers.count(view, on: context.loop)
            }
            guard let kind = self.keys.reader(showing: login.appKey, of: view.app) else {
                throw Problem(.appKeyRefused)
            }
            if !events.hasBegun, events.version == view.version, view.status.isFinal {
                // WHATWG HTML §9.2.3: a reader that gets 204 does not reconnect.
                context.respond(Response(.noContent, fields: [.cacheControl: "no-store"]))
                return .answered
            }
            let isNews = events.version != view.version && !context.isHead
            news = isNews ? try await self.answers.body(view, for: kind) : nil
        } catch {
            // We cannot refuse a stream that has begun. The client learns the reason when it reconnects.
            if events.hasBegun { events.end() } else { context.refuse(error) }
            return .answered
        }
        events.begin(retry: self.answers.interval * 1000)
        guard !context.isHead else { return .answered }
        if let news { events.send(view.version, news) }
        guard isTimeLeft, !view.status.isFinal else {
            // When the server ends many streams at once, their readers must not all reconnect at once.
            events.end(retry: self.longPolls.areAllowed ? nil : self.longPolls.pauseForClients)
            return .answered
        }
        return .nothing(version: view.version, change: view.expiresAt - self.answers.now())
    }
}

/// A stream between two events.
private struct WatchedLogin: LongPollQuestion {
    static let place = LoginFlow.WaitTarget.poll

    let handler: WatchLogin
    let access: LoginAccess
    let events: EventStream
    let context: RequestContext

    var login: LoginID { self.access.id }

    nonisolated(nonsending) func look(_ progress: LongPollProgress, _ reply: Reply) async -> LongPollResult {
        await self.handler.look(at: self.access, for: self.events, isTimeLeft: progress.isTimeLeft, self.context)
    }
}
