/// `GET /v1/logins/{id}`: how the login stands, now or as soon as there is something new.
import Base
import HTTPWire
import Logins

/// A class, so that each poll that is held refers to it and has no copy.
final class PollLogin: Sendable {
    private let flow: LoginFlow
    private let answers: LoginAnswers
    private let limits: RequestLimits
    private let holds: Holds
    private let keys: AppKeys

    init(flow: LoginFlow, answers: LoginAnswers, limits: RequestLimits, holds: Holds, keys: AppKeys) {
        self.keys = keys
        self.flow = flow
        self.answers = answers
        self.limits = limits
        self.holds = holds
    }

    /// On the call's loop. A poll that waits is answered later.
    func begin(_ call: Call, _ id: String) {
        do throws(Problem) {
            let login = try LoginAccess(call.request, id)
            let question = PollQuestion(
                known: EntityTag.List(call.request.fields.all(.ifNoneMatch)),
                wait: self.answers.wait(preferredBy: call.request))
            guard let wait = question.wait else {
                call.answer { () async throws(Problem) in
                    let view = try await self.view(login)
                    // Counted only for who has the secret, so that nobody can use up the polls of others.
                    try self.limits.takePoll(of: login.id, at: call.loop.elapsed)
                    guard let reader = self.keys.reader(showing: login.appKey, of: view.app) else {
                        throw Problem(.appKeyRefused)
                    }
                    if let response = await self.response(view, to: question, isTimeLeft: false, for: reader) {
                        return response
                    }
                    return await self.answers.response(.ok, view, for: reader)
                }
                return
            }
            let reply = call.reply
            HeldRequest.begin(call, login.id, in: .poll, of: self.flow, self.holds, atMost: .seconds(wait)) { look in
                await self.look(at: login, for: question, look, reply)
            }
        } catch {
            call.refuse(error)
        }
    }

    nonisolated(nonsending) private func look(
        at login: LoginAccess, for question: PollQuestion, _ progress: HeldRequest.Progress, _ reply: Reply
    ) async -> HeldRequest.Found {
        do throws(Problem) {
            let view = try await self.view(login)
            let reader = self.keys.reader(showing: login.appKey, of: view.app)
            let isTimeLeft = progress.isTimeLeft
            let isHeld = question.answer(version: view.version, isFinal: view.status.isFinal, isTimeLeft: isTimeLeft)
            guard isHeld != .hold || reader == nil else {
                return .nothing(version: view.version, change: view.expiresAt - self.answers.now())
            }
            // Before the answer is made, which may cost a signature. While we stop all of them are answered at once.
            if !progress.wasHeld, self.holds.areAllowed {
                try self.limits.takePoll(of: login.id, at: reply.loop.elapsed)
            }
            guard let reader else { throw Problem(.appKeyRefused) }
            guard let response = await self.response(view, to: question, isTimeLeft: isTimeLeft, for: reader) else {
                return .answered
            }
            reply.respond(response)
        } catch {
            reply.refuse(error)
        }
        return .answered
    }

    nonisolated(nonsending) private func view(_ login: LoginAccess) async throws(Problem) -> LoginView {
        try await answering { () async throws(Refusal) in try await self.flow.view(login.id, secret: login.secret) }
    }

    /// Nil when the poll is to be held.
    nonisolated(nonsending) private func response(
        _ view: LoginView, to question: PollQuestion, isTimeLeft: Bool, for reader: Reader
    ) async -> Response? {
        switch question.answer(version: view.version, isFinal: view.status.isFinal, isTimeLeft: isTimeLeft) {
        case .login: await self.answers.response(.ok, view, waited: question.wait, for: reader)
        case .notModified: self.answers.notModified(view, waited: question.wait)
        case .hold: nil
        }
    }
}
