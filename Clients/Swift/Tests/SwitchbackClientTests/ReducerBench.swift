import Foundation

@testable import SwitchbackClient

/// A reducer with its surroundings: the time, the running request, the next wake, and what the app was told.
struct ReducerBench {
    var reducer: LoginReducer
    var now = MonotonicInstant(seconds: 1000)
    /// Requests that are neither answered nor abandoned.
    var underWay: [Int: HTTPRequest] = [:]
    var wake: MonotonicInstant?
    var told: [LoginState] = []
    var stored: [SavedLogin] = []
    var forgotten: [SavedLogin.ID] = []
    /// How many requests were sent.
    var count = 0

    init(_ record: SavedLogin = Example.record()) { self.reducer = LoginReducer(record, server: Example.server) }

    /// Reports an event, and performs the effects that need no server.
    @discardableResult
    mutating func say(_ event: LoginReducer.Event, jitter: Double = 0) -> [LoginReducer.Effect] {
        switch event {
        case .responded(let number, _), .requestFailed(let number): self.underWay[number] = nil
        case .timerFired: self.wake = nil
        default: break
        }
        let effects = self.reducer.handle(event, at: self.now, jitter: jitter)
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

    /// The running request, as its method and the end of its path.
    var asked: String? {
        self.underWay.values.first.map { request in
            "\(request.method) \(request.url.path.replacingOccurrences(of: "/v1/logins", with: ""))"
                .replacingOccurrences(of: Example.id, with: "ID")
        }
    }

    /// The running request.
    var request: HTTPRequest? { self.underWay.values.first }

    var body: String { String(decoding: self.request?.body ?? Data(), as: UTF8.self) }

    /// Answers the running request.
    @discardableResult
    mutating func answer(_ response: HTTPResponse, jitter: Double = 0) -> [LoginReducer.Effect] {
        guard let number = self.underWay.keys.first else { return [] }
        return self.say(.responded(number, response), jitter: jitter)
    }

    /// Loses the running request.
    mutating func lose(jitter: Double = 0) {
        guard let number = self.underWay.keys.first else { return }
        self.say(.requestFailed(number), jitter: jitter)
    }

    /// Moves the clock to the time of the last `wake`.
    mutating func waitForWake() {
        guard let wake else { return }
        self.now = max(self.now, wake)
        self.say(.timerFired)
    }

    /// The last action that the app was told, if any.
    var action: NextAction? {
        self.told.last?.action
    }
}

extension LoginState {
    /// `paused`, or the action that is next.
    static func word(_ state: LoginState?) -> String {
        switch state?.value {
        case .inProgress(_, let action): action?.kind.code ?? "nothing"
        case .paused: "paused"
        case .finished: "ended"
        case .starting, .wrongCode, .retrying, .failed, nil: "\(String(describing: state))"
        }
    }
}
