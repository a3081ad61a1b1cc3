import Foundation

@testable import SwitchbackClient

/// Plays a case with the reducer of a login, and finds where the two differ.
struct LoginCasePlayer {
    private typealias FormatError = BehaviourCase.FormatError

    private let context: CaseContext
    private var reducer: LoginReducer
    private var now = MonotonicInstant(seconds: 1000)
    /// The numbers of the calls that were sent since the process started, and the one that is neither answered nor
    /// aborted.
    private var numbers: [Int] = []
    private var underWay: Int?
    private var timer: MonotonicInstant?
    private var stored: SavedLogin
    private var create: Data?

    private init(_ row: BehaviourCase) throws {
        self.context = row.context
        self.stored = try Self.record(row.saved, row.context)
        self.reducer = LoginReducer(self.stored, server: row.context.server)
    }

    /// Returns where the case and the reducer differ.
    static func differences(_ row: BehaviourCase) throws -> [String] {
        var player = try LoginCasePlayer(row)
        var differences: [String] = []
        for (index, step) in row.steps.enumerated() {
            let (expected, actual) = try player.play(step)
            if expected != actual {
                differences.append("step \(index + 1): expected \(expected.text), but it does \(actual.text)")
            }
        }
        return differences
    }

    // MARK: - The store

    private static let savedMembers = [
        "login", "return_prefixes", "reference", "acknowledged", "cancelling", "opened", "links",
    ]

    private static func record(_ saved: JSONValue?, _ context: CaseContext) throws -> SavedLogin {
        try saved?.check(Set(Self.savedMembers))
        guard let secret = PollSecret(context.secret) else { throw FormatError("given.json has no poll_secret") }
        var request = try JSONDecoder().decode(NewLogin.self, from: context["request"].data)
        request.replaces = context["request"]["replaces"]?.string.flatMap { PollSecret($0) }
        var record = SavedLogin(request, secret: secret, startedAt: Date(timeIntervalSince1970: 1_800_000_000))
        record.login = saved?["login"]?.string
        record.returnPrefixes = saved?["return_prefixes"]?.strings ?? []
        record.reference = saved?["reference"]?.string
        record.isAcknowledged = saved?["acknowledged"]?.bool ?? false
        record.isCancelling = saved?["cancelling"]?.bool ?? false
        record.opened = saved?["opened"]?.strings ?? []
        record.links = saved?["links"]?.strings ?? []
        return record
    }

    /// Returns what differs from the record that was stored before.
    private mutating func changes(_ record: SavedLogin) -> JSONValue {
        let (old, new) = (Self.word(self.stored), Self.word(record))
        self.stored = record
        return .object(new.filter { old[$0.key] != $0.value })
    }

    private static func word(_ record: SavedLogin) -> [String: JSONValue] {
        [
            "login": record.login.map(JSONValue.string) ?? .null, "return_prefixes": record.returnPrefixes.json,
            "reference": record.reference.map(JSONValue.string) ?? .null,
            "acknowledged": .bool(record.isAcknowledged), "cancelling": .bool(record.isCancelling),
            "opened": record.opened.json, "links": record.links.json,
            // These never change, so no case names them.
            "poll_secret": .string(record.secret.exposed), "id": .string(record.id.uuidString),
        ]
    }

    // MARK: - A step

    private mutating func play(_ step: JSONValue) throws -> (expected: JSONValue, actual: JSONValue) {
        let event = try self.event(step)
        let expected = step["effects"]?.array ?? []
        let effects = self.reducer.handle(event, at: self.now, jitter: step["jitter"]?.double ?? 0)
        let actual = effects.map { self.perform($0) }
        var expectedEffects: [JSONValue] = []
        for (index, effect) in expected.enumerated() {
            expectedEffects.append(try self.completed(effect, actual.indices.contains(index) ? actual[index] : .null))
        }
        return (.array(expectedEffects), .array(actual))
    }

    private mutating func event(_ step: JSONValue) throws -> LoginReducer.Event {
        guard let name = step["event"]?.string else { throw FormatError("a step has no event: \(step.text)") }
        let own: Set<String> =
            switch name {
            case "link": ["link"]
            case "code": ["code"]
            case "response": ["response", "to"]
            case "no_response": ["to"]
            case "killed": ["in_foreground"]
            default: []
            }
        try step.check(own.union(["event", "after_ms", "jitter", "effects"]))
        self.now = self.now + (step["after_ms"]?.double ?? 0) / 1000
        switch name {
        case "start": return .started
        case "killed":
            // The new process has only what was stored, and another clock.
            let data = try JSONEncoder().encode(self.stored)
            self.stored = try JSONDecoder().decode(SavedLogin.self, from: data)
            self.reducer = LoginReducer(
                self.stored, server: self.context.server, isInForeground: step["in_foreground"]?.bool ?? true)
            self.now = MonotonicInstant(seconds: 50)
            (self.numbers, self.underWay, self.timer) = ([], nil, nil)
            return .resumed
        case "store_failed": return .storeFailed
        case "response":
            guard let json = step["response"] else { throw FormatError("no response: \(step.text)") }
            return .responded(try self.number(step), try self.context.response(json))
        case "no_response": return .requestFailed(try self.number(step))
        case "timer":
            guard let timer else { throw FormatError("no timer is set: \(step.text)") }
            self.now = max(self.now, timer)
            self.timer = nil
            return .timerFired
        default: return try Self.simpleEvent(name, step)
        }
    }

    private static func simpleEvent(_ name: String, _ step: JSONValue) throws -> LoginReducer.Event {
        switch name {
        case "link":
            guard let link = step["link"]?.string else { throw FormatError("no link: \(step.text)") }
            return .linkOpened(link)
        case "code":
            guard let code = step["code"]?.string else { throw FormatError("no code: \(step.text)") }
            return .codeEntered(code)
        case "foreground": return .enteredForeground
        case "background": return .enteredBackground
        case "surface_closed": return .browserClosed
        case "cancel": return .cancelled
        case "open_again": return .reopenRequested
        case "refresh": return .refreshRequested
        case "acknowledge": return .acknowledged
        case "abandon": return .abandoned
        default: throw FormatError("unknown event \(name)")
        }
    }

    /// The number of the call that is answered: the one under way, or the one that the step names.
    private mutating func number(_ step: JSONValue) throws -> Int {
        if let index = step["to"]?.integer {
            guard self.numbers.indices.contains(index - 1) else { throw FormatError("no call \(index)") }
            return self.numbers[index - 1]
        }
        guard let underWay else { throw FormatError("no call is under way: \(step.text)") }
        self.underWay = nil
        return underWay
    }

    // MARK: - Effects

    private mutating func perform(_ effect: LoginReducer.Effect) -> JSONValue {
        switch effect {
        case .storeFirst(let record): return .object(["must_store": self.changes(record)])
        case .store(let record): return .object(["store": self.changes(record)])
        case .forget(let id):
            return id == self.stored.id ? .object(["forget": .bool(true)]) : .string("forgets another login")
        case .send(let number, let request):
            guard self.underWay == nil else { return .string("a second call: \(request)") }
            if request.method == "POST", request.url.path == "/v1/logins" {
                if let create, create != request.body { return .string("a repeated create has other bytes") }
                self.create = request.body
            }
            self.numbers.append(number)
            self.underWay = number
            return request.word
        case .abandon(let number):
            defer { self.underWay = nil }
            return number == self.underWay ? .object(["abort": .bool(true)]) : .string("aborts another call")
        case .wake(let moment):
            self.timer = moment
            return .object(["timer_ms": .milliseconds(moment.seconds - self.now.seconds)])
        case .present(let state): return state.word(at: self.now)
        }
    }

    /// Fills in what the case leaves open: the call's usual members, and members of the login that it does not name.
    private func completed(_ effect: JSONValue, _ actual: JSONValue) throws -> JSONValue {
        if effect["call"] != nil {
            try effect.check(["call", "headers", "body", "timeout_ms"])
            return try self.context.call(effect)
        }
        try effect.check([
            "must_store", "store", "forget", "abort", "timer_ms", "show", "do", "because", "tries_left", "reference",
            "login",
        ])
        guard effect["show"] != nil else { return effect }
        var members = effect.members
        if let login = actual["login"] {
            switch effect["login"] {
            case nil: members["login"] = login
            case .object(let part)?: members["login"] = .object(login.members.merging(part) { $1 })
            default: break
            }
        }
        return .object(members)
    }

}
