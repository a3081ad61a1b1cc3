import Base
import Testing

@testable import KeyFiles

/// Phases of keys depend only on time. Every order that loses logins is refused, with advice on what to do.
@Suite struct KeyScheduleTests {
    static let start = Timestamp(seconds: 1_795_356_000)
    static let day = Duration.seconds(86_400)

    /// A key that was made `made` hours and becomes active `active` hours after the start.
    static func key(_ name: String, made: Double? = nil, active: Double? = nil, _ slots: Set<String> = ["a"])
        -> KeySchedule.Key
    {
        KeySchedule.Key(name, KeyTimes(created: made.map(Self.hours), active: active.map(Self.hours)), slots: slots)
    }

    static func hours(_ hours: Double) -> Timestamp { Self.start + .seconds(Int(hours * 3600)) }

    static func schedule(_ use: KeyUse, _ keys: [KeySchedule.Key], at hours: Double) -> KeySchedule {
        KeySchedule(
            use, keys, retention: use.retention(loginLifetime: .seconds(600), resultLifetime: .seconds(600)),
            now: Self.hours(hours))
    }

    // MARK: - A whole rotation

    @Test(arguments: [[0, 1], [1, 0]]) func `a rotation goes through its phases, whatever the order`(_ places: [Int]) {
        let keys = [Self.key("old"), Self.key("new", made: 0, active: 24)]
        let listed = places.map { keys[$0] }
        for (hours, phases, first) in [
            (0.0, ["old": "active", "new": "published"], "old"), (23.9, ["old": "active", "new": "published"], "old"),
            (24, ["old": "retired", "new": "active"], "new"), (900, ["old": "retired", "new": "active"], "new"),
        ] {
            let schedule = Self.schedule(.assertion, listed, at: hours)
            let found = schedule.keys.indices.map { (schedule.keys[$0].name, schedule.phase($0).rawValue) }
            #expect(Dictionary(uniqueKeysWithValues: found) == phases)
            #expect(schedule.keys[schedule.order[0]].name == first)
            #expect(schedule.problems == [])
            #expect(schedule.nextChange == (hours < 24 ? Self.hours(24) : nil))
        }
    }

    @Test func `keys of other kinds are independent`() {
        let keys = [
            Self.key("ec", ["ES256"]), Self.key("rsa", ["RS256", "PS256"]),
            Self.key("rsa-2", made: 0, active: 24, ["RS256", "PS256"]),
        ]
        let schedule = Self.schedule(.signing, keys, at: 25)
        #expect(schedule.problems == [])
        #expect(schedule.order.map { keys[$0].name } == ["ec", "rsa-2", "rsa"])
        #expect((0..<3).map { schedule.phase($0) } == [.active, .retired, .active])
    }

    // MARK: - Wrong orders

    struct Wrong: Sendable {
        let what: String
        let use: KeyUse
        let keys: [KeySchedule.Key]
        let hours: Double
        let problem: String
    }

    static let wrong = [
        Wrong(
            what: "two keys, and nobody says which follows", use: .server, keys: [key("old"), key("new")], hours: 1,
            problem: "new: does not say when it becomes active"),
        Wrong(
            what: "used by the server that has it before the others know it", use: .server,
            keys: [key("old"), key("new", made: 1, active: 1)], hours: 1.1,
            problem: "new: becomes active before every server"),
        Wrong(
            what: "published a minute ago", use: .assertion, keys: [key("old"), key("new", made: 1, active: 1.02)],
            hours: 1.02, problem: "must say 2026-11-23T15:00:00Z or later"),
        Wrong(
            what: "active in an hour, while caches keep sets for a day", use: .signing,
            keys: [key("old"), key("new", made: 0, active: 1)], hours: 0,
            problem: "new: becomes active before every server"),
        Wrong(
            what: "no time of making", use: .server, keys: [key("old"), key("new", active: 5)], hours: 6,
            problem: "new: says when it becomes active but not when it was made"),
        Wrong(
            what: "the old one gone before the new one is active", use: .server,
            keys: [key("new", made: 0, active: 24)], hours: 0.5, problem: "no other key is active until then"),
        Wrong(
            what: "the old one gone while logins of it live", use: .server, keys: [key("new", made: 0, active: 24)],
            hours: 47, problem: "new: the key before it is needed until"),
        Wrong(
            what: "the old one gone while assertions of it live", use: .assertion,
            keys: [key("new", made: 0, active: 24)], hours: 24.5, problem: "for another 30 min"),
        Wrong(
            what: "the old one gone while access tokens of it live", use: .access,
            keys: [key("new", made: 0, active: 24)], hours: 24.5, problem: "for another 30 min"),
        Wrong(
            what: "the old one gone before the sweep had a day", use: .session,
            keys: [key("new", made: 0, active: 24)], hours: 47, problem: "for another 1 h"),
        Wrong(
            what: "the old one gone while brokers encrypt to it", use: .decryption,
            keys: [key("new", made: 0, active: 24)], hours: 43, problem: "new: the key before it is needed until"),
    ]

    @Test(arguments: Self.wrong) func `a wrong order is refused`(_ row: Wrong) {
        let problems = Self.schedule(row.use, row.keys, at: row.hours).problems
        #expect(problems.count == 1, "\(row.what): \(problems)")
        #expect(problems.allSatisfy { $0.contains(row.problem) }, "\(row.what): \(problems)")
    }

    /// The same list is allowed once the refused step is.
    @Test func `the old key may be removed after its time`() {
        let new = [Self.key("new", made: 0, active: 24)]
        let end = 24 + 24.0 + 1200.0 / 3600
        #expect(Self.schedule(.server, new, at: end - 0.01).problems.count == 1)
        #expect(Self.schedule(.server, new, at: end).problems == [])
    }

    // MARK: - Reloads

    struct Reload: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: [KeySchedule.Key]
        let after: [KeySchedule.Key]
        let hours: Double
        let problem: String?

        init(
            _ what: String, _ before: [KeySchedule.Key], _ after: [KeySchedule.Key], at hours: Double,
            _ problem: String? = nil
        ) {
            (self.testDescription, self.before, self.after) = (what, before, after)
            (self.hours, self.problem) = (hours, problem)
        }
    }

    static let (old, new) = (key("old"), key("new", made: 0, active: 24))

    static let reloads = [
        Reload("the first key of a list", [], [old], at: 0),
        Reload("a key is published", [old], [old, new], at: 1),
        Reload("a key becomes active", [old, new], [old, new], at: 24),
        Reload("a retired key goes", [old, new], [new], at: 50),
        Reload("the active key is exchanged for another", [old], [key("other")], at: 0, "old: is in use and must stay"),
        Reload(
            "the active key goes before the next is used", [old, new], [new], at: 23, "old: is in use and must stay"),
        Reload("the last key of a list goes", [old], [], at: 0, "old: is in use and must stay"),
        Reload("a key comes after its time", [old], [old, new], at: 25, "new: is new to this server"),
    ]

    @Test(arguments: Self.reloads) func `a reload that would lose logins is refused`(_ row: Reload) {
        let before = Self.schedule(.server, row.before, at: row.hours)
        let problems = Self.schedule(.server, row.after, at: row.hours).problems(after: before)
        #expect(problems.count == (row.problem == nil ? 0 : 1), "\(problems)")
        #expect(problems.allSatisfy { $0.contains(row.problem ?? "") }, "\(problems)")
    }

    // MARK: - The command

    @Test func `the command makes each step only at its time`() {
        func rotation(_ keys: [KeySchedule.Key], at hours: Double) -> KeyRotation {
            KeyRotation(Self.schedule(.assertion, keys, at: hours))
        }
        func step(_ keys: [KeySchedule.Key], at hours: Double) -> KeyRotation.Step { rotation(keys, at: hours).next() }
        let (old, new) = (Self.key("old"), Self.key("new", made: 0, active: 24))
        #expect(step([old], at: 0) == .publish(after: "old", active: Self.hours(24)))
        for (hours, words) in [(0.1, "23 h 54 min"), (24.5, "30 min")] {
            guard case .wait(let reason) = step([old, new], at: hours) else {
                Issue.record("not refused at \(hours)")
                continue
            }
            #expect(rotation([old, new], at: hours).text(of: reason).contains(words))
        }
        #expect(step([old, new], at: 25) == .remove(["old"]))
        #expect(step([new], at: 25) == .publish(after: "new", active: Self.hours(49)))
    }

    // MARK: - Sessions

    struct Sealed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [KeySchedule.Key]
        let hours: Double
        let counts: [String: Int]?
        let status: [String]
        let step: String

        init(
            _ what: String, _ keys: [KeySchedule.Key], at hours: Double, _ counts: [String: Int]?, _ status: [String],
            _ step: String
        ) {
            (self.testDescription, self.keys, self.hours, self.counts) = (what, keys, hours, counts)
            (self.status, self.step) = (status, step)
        }
    }

    static let sealed = [
        Sealed("nobody knows", [old], at: 1, nil, ["  active     old"], "publish"),
        Sealed("one session", [old], at: 1, ["old": 1], ["  active     old; seals 1 session"], "publish"),
        Sealed(
            "the new one does not seal yet", [old, new], at: 1, ["old": 7],
            [
                "  active     old; seals 7 sessions",
                "  published  new  active at 2026-11-23T14:00:00Z, in 23 h; seals 0 sessions",
            ], "wait"),
        Sealed(
            "the sweep is not done, and the time is not over", [old, new], at: 25, ["old": 2, "new": 5],
            [
                "  retired    old  needed until 2026-11-24T14:00:00Z, for another 23 h; seals 2 sessions",
                "  active     new  since 2026-11-23T14:00:00Z; seals 5 sessions",
            ], "wait"),
        Sealed(
            "the time is over, but the sweep is not done", [old, new], at: 49, ["old": 1, "new": 6],
            [
                "  retired    old  still needed; seals 1 session",
                "  active     new  since 2026-11-23T14:00:00Z; seals 6 sessions",
            ], "wait"),
        Sealed(
            "all is sealed again", [old, new], at: 49, ["new": 7],
            [
                "  retired    old  may be removed; seals 0 sessions",
                "  active     new  since 2026-11-23T14:00:00Z; seals 7 sessions",
            ], "remove"),
        Sealed(
            "the time is over, and nobody knows", [old, new], at: 49, nil,
            ["  retired    old  may be removed", "  active     new  since 2026-11-23T14:00:00Z"], "remove"),
        Sealed(
            "a key was removed too early", [new], at: 49, ["new": 7, "old": 3, "older": 1],
            [
                "  active     new  since 2026-11-23T14:00:00Z; seals 7 sessions",
                "  missing    the key of 4 sessions: list it again, or their users have to log in again",
            ], "publish"),
    ]

    @Test(arguments: Self.sealed) func `a session key is needed while it seals sessions`(_ row: Sealed) {
        let rotation = KeyRotation(Self.schedule(.session, row.keys, at: row.hours), sealed: row.counts)
        #expect(rotation.status == "keys.session:\n" + row.status.map { $0 + "\n" }.joined())
        let step =
            switch rotation.next() {
            case .publish: "publish"
            case .wait: "wait"
            case .remove: "remove"
            case .choose: "choose"
            }
        #expect(step == row.step)
    }

    @Test func `only session keys report sealed sessions`() {
        let rotation = KeyRotation(Self.schedule(.server, [Self.old], at: 1), sealed: ["old": 9, "new": 9])
        #expect(rotation.status == "server_keys:\n  active     old\n")
        #expect(KeyRotation(Self.schedule(.session, [], at: 1), sealed: [:]).status == "keys.session: none\n")
    }

    // MARK: - Files

    @Test func `the times of a key stand before it`() throws {
        let times = KeyTimes(created: Self.start, active: Self.start + Self.day)
        for kind in KeyGenerator.Kind.allCases {
            let file = try KeyGenerator.file(kind, rsaBits: 2048, times: times)
            #expect(try KeyTimes(file) == times)
            switch kind {
            case .server: #expect(try ServerKeyFile.key(in: file).count == 32)
            case .session: #expect(try SessionKeyFile.key(in: file).count == 32)
            case .person: #expect(try PersonKeyFile.key(in: file).count == 32)
            case .es256, .es384, .es512, .rs256, .ed25519: _ = try SigningKeyFile.key(in: file)
            }
        }
        #expect(try KeyTimes(try KeyGenerator.file(.server)) == KeyTimes())
        for text in ["soon", "2026-02-31T00:00:00Z", "2026-11-22", "2026-11-22T14:00:00+01:00"] {
            #expect(throws: FileError.self) { try KeyTimes(Array("# active: \(text)\n".utf8)) }
        }
    }
}
