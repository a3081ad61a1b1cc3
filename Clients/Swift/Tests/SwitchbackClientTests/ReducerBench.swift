/// A reducer with what its surroundings know: the time, the request under way, the next wake, and what was told.
import Foundation

@testable import SwitchbackClient

struct ReducerBench {
    var reducer: LoginReducer
    var now = Moment(seconds: 1000)
    /// Neither answered nor abandoned.
    var underWay: [Int: HTTPRequest] = [:]
    var wake: Moment?
    var told: [LoginState] = []
    var stored: [OpenLogin] = []
    var forgotten: [OpenLogin.ID] = []
    /// How many requests were sent.
    var count = 0

    init(_ record: OpenLogin = Example.record()) { self.reducer = LoginReducer(record, server: Example.server) }

    /// Says an event, and does what follows as far as it can be done without a server.
    @discardableResult
    mutating func say(_ event: LoginReducer.Event, chance: Double = 0) -> [LoginReducer.Effect] {
        switch event {
        case .answered(let number, _), .unanswered(let number): self.underWay[number] = nil
        case .timeCame: self.wake = nil
        default: break
        }
        let effects = self.reducer.take(event, at: self.now, chance: chance)
        for effect in effects {
            switch effect {
            case .storeFirst(let record), .store(let record): self.stored.append(record)
            case .forget(let id): self.forgotten.append(id)
            case .send(let number, let request):
                self.underWay[number] = request
                self.count += 1
            case .abandon(let number): self.underWay[number] = nil
            case .wake(let moment): self.wake = moment
            case .present(let state): self.told.append(state)
            }
        }
        return effects
    }

    /// The request under way, as a method and the end of its path.
    var asked: String? {
        self.underWay.values.first.map { request in
            "\(request.method) \(request.url.path.replacingOccurrences(of: "/v1/logins", with: ""))"
                .replacingOccurrences(of: Example.id, with: "ID")
        }
    }

    /// What the request under way carries.
    var request: HTTPRequest? { self.underWay.values.first }

    var body: String { String(decoding: self.request?.body ?? Data(), as: UTF8.self) }

    /// Answers the request under way.
    @discardableResult
    mutating func answer(_ response: HTTPResponse, chance: Double = 0) -> [LoginReducer.Effect] {
        guard let number = self.underWay.keys.first else { return [] }
        return self.say(.answered(number, response), chance: chance)
    }

    /// The request under way is lost.
    mutating func lose(chance: Double = 0) {
        guard let number = self.underWay.keys.first else { return }
        self.say(.unanswered(number), chance: chance)
    }

    /// It is as late as was asked for.
    mutating func waitForWake() {
        guard let wake else { return }
        self.now = max(self.now, wake)
        self.say(.timeCame)
    }

    /// What the app was told to do last, if it was.
    var todo: NextAction? {
        guard case .underWay(_, let todo) = self.told.last else { return nil }
        return todo
    }
}
