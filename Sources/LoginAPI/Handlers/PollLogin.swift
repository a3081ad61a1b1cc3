import Base
import HTTPWire
import Logins

/// `GET /v1/logins/{id}`: the state of the login, now or as soon as it changes.
///
/// It is a class, so that each long poll holds a reference and not a copy.
final class PollLogin: RouteHandler, LongPollHandler {
    let flow: LoginFlow
    private let answers: LoginResponses
    let longPolls: LongPolls
    private let keys: AppKeys

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.answers = services.answers
        self.longPolls = services.longPolls
        self.keys = services.keys
    }

    /// A long poll gets its response later.
    func begin(_ context: RequestContext, _ id: String) {
        do throws(Problem) {
            let login = try LoginAccess(context.request, id)
            let question = PollCondition(
                ifNoneMatch: context.request.fields.all(.ifNoneMatch),
                // Without content there is nothing to wait for.
                wait: context.isHead ? nil : self.answers.wait(preferredBy: context.request))
            guard let wait = question.wait else {
                let isHead = context.isHead
                context.respondAsync { () async throws(Problem) in
                    let view = try await self.loadView(login)
                    // We count only polls with the right secret, so that no one can use up the polls of another login.
                    try self.answers.count(view, on: context.loop)
                    guard let reader = self.keys.reader(showing: login.appKey, of: view.app) else {
                        throw Problem(.appKeyRefused)
                    }
                    if let response = try await self.response(
                        view, to: question, isTimeLeft: false, for: reader, isHead: isHead)
                    {
                        return response
                    }
                    return try await self.answers.response(.ok, view, for: reader, isHead: isHead)
                }
                return
            }
            LongPoll.begin(
                context, atMost: .seconds(wait), HeldPoll(handler: self, access: login, condition: question))
        } catch {
            context.refuse(error)
        }
    }

    nonisolated(nonsending) fileprivate func look(
        at login: LoginAccess, for question: PollCondition, _ progress: LongPollProgress, _ reply: Reply
    ) async -> LongPollResult {
        do throws(Problem) {
            let view = try await self.loadView(login)
            let reader = self.keys.reader(showing: login.appKey, of: view.app)
            let isTimeLeft = progress.isTimeLeft
            let heldResult = LongPollResult.nothing(version: view.version, change: view.expiresAt - self.answers.now())
            let outcome = question.outcome(version: view.version, isFinal: view.status.isFinal, isTimeLeft: isTimeLeft)
            guard outcome != .hold || reader == nil else { return heldResult }
            let mayHold = question.isUnreadable && isTimeLeft && !view.status.isFinal && reader != nil
            if mayHold, progress.hasSeen(view.version) { return heldResult }
            // Before we make the response, which may cost a signature. While the server stops, all polls are answered
            // at once.
            if !progress.hasWaited, self.longPolls.areAllowed {
                do throws(Problem) {
                    try self.answers.count(view, on: reply.loop)
                } catch {
                    // A client whose validators never reach us unchanged would ask again and again.
                    guard mayHold else { throw error }
                    return heldResult
                }
            }
            guard let reader else { throw Problem(.appKeyRefused) }
            guard let response = try await self.response(view, to: question, isTimeLeft: isTimeLeft, for: reader)
            else {
                return .answered
            }
            reply.respond(response)
        } catch {
            reply.refuse(error)
        }
        return .answered
    }

    nonisolated(nonsending) private func loadView(_ login: LoginAccess) async throws(Problem) -> LoginView {
        try await translatingErrors { () async throws(LoginFlowError) in
            try await self.flow.loadView(login.id, secret: login.secret)
        }
    }

    /// Returns nil if the poll must wait.
    nonisolated(nonsending) private func response(
        _ view: LoginView, to question: PollCondition, isTimeLeft: Bool, for reader: ClientKind, isHead: Bool = false
    ) async throws(Problem) -> Response? {
        switch question.outcome(version: view.version, isFinal: view.status.isFinal, isTimeLeft: isTimeLeft) {
        case .login:
            try await self.answers.response(.ok, view, waited: question.wait, for: reader, isHead: isHead)
        case .notModified: self.answers.notModified(view, waited: question.wait)
        case .hold: nil
        }
    }
}

/// A poll that waits.
private struct HeldPoll: LongPollQuestion {
    static let place = LoginFlow.WaitTarget.poll

    let handler: PollLogin
    let access: LoginAccess
    let condition: PollCondition

    var login: LoginID { self.access.id }

    nonisolated(nonsending) func look(_ progress: LongPollProgress, _ reply: Reply) async -> LongPollResult {
        await self.handler.look(at: self.access, for: self.condition, progress, reply)
    }
}

/// What one poll asks: the version that it has, and how long it waits for another one (RFC 7240, RFC 9110 §13.1.2).
struct PollCondition: Equatable, Sendable {
    /// The version that the client has; nil if it sends no validator.
    private var validator: Validator?
    /// No wider than the longest wait needs, because thousands of polls may wait.
    private let seconds: Int16?

    init(tags: EntityTag.List? = nil, wait: Int? = nil) {
        self.validator = tags.map { Validator($0) }
        self.seconds = wait.map { Int16(clamping: $0) }
    }

    /// A validator that is malformed was sent by somebody who has some version.
    init(ifNoneMatch values: [String], wait: Int?) {
        self.init(tags: EntityTag.List(values), wait: wait)
        if self.validator == nil, !values.isEmpty { self.validator = .unreadable }
    }

    /// The most seconds that it waits; nil if it does not wait.
    var wait: Int? { self.seconds.map { Int($0) } }

    /// Whether it names a version in a way that we cannot read, because something on the way has changed it.
    var isUnreadable: Bool { self.validator == .unreadable }

    private enum Validator: Equatable {
        /// One tag of ours, as nearly always. Thousands of polls may wait, and a number needs no memory of its own.
        case version(Int)
        case versions([Int])
        case any
        case unreadable

        init(_ list: EntityTag.List) {
            switch list {
            case .any: self = .any
            case .tags(let tags):
                let versions = tags.compactMap(\.version)
                switch versions.count {
                case 0: self = .unreadable
                case 1: self = .version(versions[0])
                default: self = .versions(versions)
                }
            }
        }

        func matches(_ version: Int) -> Bool {
            switch self {
            case .version(let knownVersion): knownVersion == version
            case .versions(let knownVersions): knownVersions.contains(version)
            case .any: true
            case .unreadable: false
            }
        }
    }

    enum Outcome: Equatable, Sendable {
        /// 200 with the login.
        case login
        /// 304.
        case notModified
        /// Not yet: look again when the login may have changed.
        case hold
    }

    /// Decides the response. `isTimeLeft` is false once the poll has waited for as long as it may.
    func outcome(version: Int, isFinal: Bool, isTimeLeft: Bool) -> Outcome {
        let isKnown = self.validator.map { $0.matches(version) }
        let mayHold = self.seconds != nil && isTimeLeft && !isFinal
        switch isKnown {
        case false?: return .login
        case true?: return mayHold ? .hold : .notModified
        case nil: return mayHold ? .hold : .login
        }
    }
}
