import Foundation

@testable import SwitchbackClient

/// Plays a case with the reducer of a session, and finds where the two differ.
struct SessionCasePlayer {
    private typealias FormatError = BehaviourCase.FormatError

    private let context: CaseContext
    private let words: SessionCaseWords
    private var reducer: SessionReducer
    private var now = MonotonicInstant(seconds: 1000)
    private var date = Date(timeIntervalSince1970: 1_800_000_000)
    private var jitter = 0.0
    private var device: CaseDevice
    private var numbers: [Int] = []
    private var underWay: Int?
    private var timer: MonotonicInstant?
    private var stored: SavedSession
    private var callers = 0
    private var proofs = 0
    private var sentProofs: [String] = []

    private init(_ row: BehaviourCase) throws {
        self.context = row.context
        self.words = try SessionCaseWords(row.context)
        self.stored = try self.words.record(row.saved)
        self.device = CaseDevice(key: self.stored.key)
        self.reducer = SessionReducer(self.stored, server: row.context.server, app: row.context["app"].string ?? "")
    }

    /// Returns where the case and the reducer differ.
    static func differences(_ row: BehaviourCase) throws -> [String] {
        var player = try SessionCasePlayer(row)
        var differences: [String] = []
        for (index, step) in row.steps.enumerated() {
            let (expected, actual) = try player.play(step)
            if expected != actual {
                differences.append("step \(index + 1): expected \(expected.text), but it does \(actual.text)")
            }
        }
        return differences
    }

    // MARK: - A step

    private mutating func play(_ step: JSONValue) throws -> (expected: JSONValue, actual: JSONValue) {
        let first = try self.event(step)
        try self.device.change(step["device"])
        self.jitter = step["jitter"]?.double ?? 0
        var (events, actual): ([SessionReducer.Event], [JSONValue]) = ([first].compactMap { $0 }, [])
        if step["event"] == .string("device_done") { events = self.device.waiting.map { [$0] } ?? [] }
        while !events.isEmpty {
            self.proofs += 1
            let moment = SessionReducer.Moment(
                instant: self.now, date: self.date, proofID: "p\(self.proofs)", jitter: self.jitter)
            for effect in self.reducer.handle(events.removeFirst(), at: moment) {
                if let event = self.device.perform(effect) { events.append(event) }
                if let word = try self.perform(effect) { actual.append(word) }
            }
        }
        let expected = try (step["effects"]?.array ?? []).map { effect in
            guard effect["call"] != nil else { return effect }
            try effect.check(["call", "headers", "body", "timeout_ms", "proof", "path"])
            return try self.context.call(effect)
        }
        return (.array(Self.ordered(expected)), .array(Self.ordered(actual)))
    }

    /// A state must be there before the answers behind it. Among other effects its place is free.
    private static func ordered(_ effects: [JSONValue]) -> [JSONValue] {
        var (states, ordered): ([JSONValue], [JSONValue]) = ([], [])
        for effect in effects {
            if effect["show"] != nil {
                states.append(effect)
                continue
            }
            if effect["answer"] != nil {
                ordered += states
                states = []
            }
            ordered.append(effect)
        }
        return ordered + states
    }

    private static let members: [String: Set<String>] = [
        "prepare": ["key_name"], "begin": ["key", "nonce", "attestation"], "token": ["fresh"], "unlock": ["pins"],
        "set_pin": ["pin", "old"], "pins_lost": ["purpose"], "biometrics": ["pin"], "end": ["id"],
        "response": ["response", "to"], "no_response": ["to"],
    ]

    private mutating func event(_ step: JSONValue) throws -> SessionReducer.Event? {
        guard let name = step["event"]?.string else { throw FormatError("a step has no event: \(step.text)") }
        let common: Set<String> = ["event", "after_ms", "wall_clock_ms", "jitter", "device", "effects"]
        try step.check(common.union(Self.members[name] ?? []))
        let passed = (step["after_ms"]?.double ?? 0) / 1000
        self.now = self.now + passed
        self.date += passed + (step["wall_clock_ms"]?.double ?? 0) / 1000
        switch name {
        case "start": return .started
        case "killed":
            let data = try JSONEncoder().encode(self.stored)
            self.stored = try JSONDecoder().decode(SavedSession.self, from: data)
            self.reducer = SessionReducer(
                self.stored, server: self.context.server, app: self.context["app"].string ?? "")
            self.now = MonotonicInstant(seconds: 50)
            (self.numbers, self.underWay, self.timer) = ([], nil, nil)
            return .started
        case "device_done": return nil
        case "response":
            guard let json = step["response"] else { throw FormatError("no response: \(step.text)") }
            return .responded(try self.number(step), try self.context.response(json))
        case "no_response": return .requestFailed(try self.number(step))
        case "timer":
            guard let timer else { throw FormatError("no timer is set: \(step.text)") }
            self.now = max(self.now, timer)
            self.timer = nil
            return .timerFired
        case "lock": return .lockWanted
        case "key_gone": return .keyGone
        case "pins_lost":
            guard let purpose = step["purpose"]?.string.flatMap(WrappingPurpose.init(rawValue:)) else {
                throw FormatError("no purpose: \(step.text)")
            }
            return .pinsLost(purpose)
        case "biometrics": return .biometricsChanged(try self.words.pin(step["pin"]).pin)
        default:
            self.callers += 1
            return try self.question(name, step, of: self.callers)
        }
    }

    /// What the app wants, and waits for.
    private func question(_ name: String, _ step: JSONValue, of caller: SessionCaller) throws -> SessionReducer.Event {
        switch name {
        case "prepare": return .keyWanted(caller, name: step["key_name"]?.string ?? "")
        case "begin":
            guard let secret = PollSecret(self.context.secret) else { throw FormatError("no poll_secret") }
            let key = try step["key"].map { try self.words.key($0) } ?? self.reducer.record.key
            let attestation = step["attestation"]?.string.map {
                KeyAttestation(object: Data($0.utf8), keyID: Data($0.utf8))
            }
            return .beginWanted(
                caller, secret, thumbprint: key?.thumbprint, nonce: step["nonce"]?.string, attestation: attestation)
        case "token": return .tokenWanted(caller, isNew: step["fresh"]?.bool ?? false)
        case "unlock": return .unlockWanted(caller, try (step["pins"]?.array ?? []).map { try self.words.pin($0) })
        case "set_pin":
            return .pinChosen(
                caller, try self.words.pin(step["pin"]), old: try step["old"].map { try self.words.pin($0) })
        case "list": return .listWanted(caller)
        case "end": return .endWanted(caller, step["id"]?.string ?? "")
        case "sign_out": return .signOutWanted(caller)
        default: throw FormatError("unknown event \(name)")
        }
    }

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

    /// Returns nil for what the device does by itself, and the cases leave out.
    private mutating func perform(_ effect: SessionReducer.Effect) throws -> JSONValue? {
        switch effect {
        case .storeFirst(_, let record): return .object(["must_store": self.changes(record)])
        case .store(let record): return .object(["store": self.changes(record)])
        case .findKey(_, let name, let mayMake):
            return .object(["find_key": .string(name), "may_make": .bool(mayMake)])
        case .removeKeys(let name): return .object(["remove_keys": .string(name)])
        case .sign: return nil
        case .send(let number, let request):
            self.numbers.append(number)
            guard self.underWay == nil else { return .string("a second call: \(request)") }
            self.underWay = number
            let session = self.stored.session?.id ?? ""
            return self.words.call(request, of: session, at: self.date, after: &self.sentProofs)
        case .abandon(let number):
            // What the device does may be aborted too.
            guard number == self.underWay else { return .object(["abort": .string("device")]) }
            self.underWay = nil
            return .object(["abort": .bool(true)])
        case .wake(let moment):
            self.timer = moment
            return .object(["timer_ms": .milliseconds(moment.seconds - self.now.seconds)])
        case .complete(let caller, let reply): return self.words.answer(caller, reply)
        case .present(let state): return state.word
        }
    }

    /// Returns what differs from the record that was stored before.
    private mutating func changes(_ record: SavedSession) -> JSONValue {
        let (old, new) = (self.words.word(self.stored), self.words.word(record))
        if self.device.storageWorks { self.stored = record }
        return .object(new.filter { old[$0.key] != $0.value })
    }
}
