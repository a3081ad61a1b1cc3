/// `GET /v1/logins/{id}` with `Accept: text/event-stream`: how the login stands, and each change of it, until it is final.
import Base
import HTTPWire
import Logins

struct WatchLogin: Sendable {
    /// No stream lasts longer than this; the reader asks again and misses nothing.
    private static let longest = Duration.seconds(900)

    let flow: LoginFlow
    let answers: LoginAnswers
    let limits: RequestLimits
    let holds: Holds
    let keys: AppKeys
    /// Between two comments.
    let rhythm: Duration

    static func isWanted(by request: Request) -> Bool {
        MediaRange.prefers(
            ServerSentEvent.contentType, to: "application/json", in: request.fields.all(.accept))
    }

    /// On the request's loop.
    func begin(_ context: RequestContext, _ id: String) {
        do throws(Problem) {
            let login = try LoginAccess(context.request, id)
            let events = EventStream(context, rhythm: self.rhythm)
            HeldRequest.begin(context, login.id, in: .poll, of: self.flow, self.holds, atMost: Self.longest) { look in
                await self.look(at: login, for: events, isTimeLeft: look.isTimeLeft, context)
            }
        } catch {
            context.refuse(error)
        }
    }

    private func look(
        at login: LoginAccess, for events: EventStream, isTimeLeft: Bool, _ context: RequestContext
    ) async -> HeldRequest.Found {
        let view: LoginView
        let reader: Reader
        do throws(Problem) {
            view = try await answering { () async throws(LoginFlowError) in
                try await self.flow.view(login.id, secret: login.secret)
            }
            // The first event comes at once.
            if !events.hasBegun, self.holds.areAllowed {
                try self.limits.takePoll(of: login.id, at: context.loop.elapsed)
            }
            guard let known = self.keys.reader(showing: login.appKey, of: view.app) else {
                throw Problem(.appKeyRefused)
            }
            reader = known
        } catch {
            // In the middle of a stream nothing can be refused any more; who asks again is told.
            if events.hasBegun { events.end() } else { context.refuse(error) }
            return .answered
        }
        let isNews = events.version != view.version
        if !events.hasBegun, !isNews, view.status.isFinal {
            // WHATWG HTML §9.2.3: a reader that is told 204 does not ask again.
            context.respond(Response(.noContent, fields: [.cacheControl: "no-store"]))
            return .answered
        }
        events.begin(retry: self.answers.interval * 1000)
        guard !context.isHead else { return .answered }
        if isNews { events.send(view.version, await self.answers.body(view, for: reader)) }
        guard isTimeLeft, !view.status.isFinal else {
            // Where many are sent away at once, they do not come back at once.
            events.end(retry: self.holds.areAllowed ? nil : self.holds.pauseForClients)
            return .answered
        }
        return .nothing(version: view.version, change: view.expiresAt - self.answers.now())
    }
}
