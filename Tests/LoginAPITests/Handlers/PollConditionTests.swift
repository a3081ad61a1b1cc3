import HTTPWire
import Testing

@testable import LoginAPI

/// Tests the response to a poll, for every mix of validator, wait and state (RFC 7240, RFC 9110 §13.1.2).
@Suite struct PollConditionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let known: String?
        let waits: Bool
        let isFinal: Bool
        let isTimeLeft: Bool
        let answer: PollCondition.Outcome

        init(_ known: String?, waits: Bool, final isFinal: Bool, left: Bool, _ answer: PollCondition.Outcome) {
            self.known = known
            self.waits = waits
            self.isFinal = isFinal
            self.isTimeLeft = left
            self.answer = answer
        }

        var testDescription: String {
            "\(self.known ?? "no tag") waits:\(self.waits) final:\(self.isFinal) left:\(self.isTimeLeft)"
        }
    }

    /// The login is at version 3.
    @Test(arguments: [
        Row(nil, waits: false, final: false, left: false, .login),
        Row(nil, waits: false, final: true, left: false, .login),
        Row(nil, waits: true, final: false, left: true, .hold),
        Row(nil, waits: true, final: false, left: false, .login),
        Row(nil, waits: true, final: true, left: true, .login),
        Row("W/\"3\"", waits: false, final: false, left: false, .notModified),
        Row("W/\"3\"", waits: false, final: true, left: false, .notModified),
        Row("W/\"3\"", waits: true, final: false, left: true, .hold),
        Row("W/\"3\"", waits: true, final: false, left: false, .notModified),
        // Nothing more can change.
        Row("W/\"3\"", waits: true, final: true, left: true, .notModified),
        Row("\"3\"", waits: true, final: false, left: true, .hold),
        Row("W/\"1\", W/\"3\"", waits: true, final: false, left: true, .hold),
        Row("*", waits: false, final: false, left: false, .notModified),
        Row("W/\"2\"", waits: false, final: false, left: false, .login),
        Row("W/\"2\"", waits: true, final: false, left: true, .login),
        Row("W/\"2\"", waits: true, final: true, left: true, .login),
        Row("W/\"4\"", waits: true, final: false, left: true, .login),
        // As Apache, nginx, Jetty and Caddy pass our tag on after they have compressed the response.
        Row("W/\"3-gzip\"", waits: true, final: false, left: true, .hold),
        Row("\"3-gzip\"", waits: true, final: false, left: true, .hold),
        Row("W/\"3--gzip\"", waits: true, final: false, left: true, .hold),
        Row("\"3;gzip\"", waits: true, final: false, left: true, .hold),
        Row("\"3-br\"", waits: true, final: false, left: false, .notModified),
        Row("\"3-zstd\"", waits: false, final: false, left: false, .notModified),
        Row("\"1-gzip\", \"3-gzip\"", waits: true, final: false, left: true, .hold),
        Row("\"x\", W/\"3-gzip\"", waits: true, final: false, left: true, .hold),
        Row("\"2-gzip\"", waits: true, final: false, left: true, .login),
        Row("\"33-gzip\"", waits: true, final: false, left: true, .login),
        Row("\"4--gzip\"", waits: true, final: false, left: true, .login),
        // We do not write tags this way. `LongPollTests` shows that they do not spin.
        Row("\"3-gzip-gzip\"", waits: true, final: false, left: true, .login),
        Row("\"-3\"", waits: true, final: false, left: true, .login),
        Row("\"99999999999999999999\"", waits: true, final: false, left: true, .login),
        Row("W/\"03\"", waits: true, final: false, left: true, .login),
        Row("W/\"+3\"", waits: true, final: false, left: true, .login),
        Row("W/\"x\"", waits: true, final: false, left: true, .login),
        // Malformed, so something on the way has changed it.
        Row("3", waits: true, final: false, left: true, .login),
        Row("\"3 \"", waits: true, final: false, left: true, .login),
        Row("w/\"3\"", waits: true, final: false, left: true, .login),
        Row("W/\"3\", bad", waits: true, final: false, left: true, .login),
        Row("3", waits: false, final: false, left: false, .login),
    ]) func `the condition decides whether a poll waits`(_ row: Row) {
        let question = PollCondition(ifNoneMatch: row.known.map { [$0] } ?? [], wait: row.waits ? 25 : nil)
        #expect(question.outcome(version: 3, isFinal: row.isFinal, isTimeLeft: row.isTimeLeft) == row.answer)
    }

    @Test(
        arguments: [
            (nil, false), ("*", false), ("W/\"3\"", false), ("\"7-gzip\"", false), ("\"x\", \"7\"", false),
            ("7", true), ("'7'", true), ("\"7", true), ("\"7\", x", true),
            ("W/\"x\"", true), ("\"3-gzip-gzip\"", true), ("\"03\"", true), ("\"\"", true), ("\"a\", \"b\"", true),
            ("\"99999999999999999999\"", true), ("W/\"-3\"", true), ("\"3:gzip\"", true), ("\"3-gzip9\"", true),
        ] as [(String?, Bool)]) func `an unreadable validator is known as one`(_ tag: String?, _ isUnreadable: Bool)
    {
        #expect(PollCondition(ifNoneMatch: tag.map { [$0] } ?? [], wait: 25).isUnreadable == isUnreadable)
    }

    @Test(
        arguments: [
            (nil, nil), ("wait=10", 10), ("wait=25", 25), ("wait=26", 25), ("wait=86400", 25),
            ("respond-async, wait=5", 5),
            ("wait=0", nil), ("wait=-1", nil), ("wait=x", nil), ("wait", nil), ("wait=99999999999999999999", 25),
            ("return=minimal", nil), ("WAIT=7", 7),
        ] as [(String?, Int?)]) func `the wait has an upper limit`(_ prefer: String?, _ wait: Int?) throws
    {
        let answers = LoginResponses(
            LoginJSON(polling: LoginJSON.Polling()), assertions: nil, longPolls: LongPolls(), limits: RequestLimits(),
            now: ManualClock().now, delivered: { _ in })
        var fields: Fields = [:]
        if let prefer { fields[.prefer] = prefer }
        let request = Request(head: RequestHead(.get, try #require(Target("/")), fields: fields))
        #expect(answers.wait(preferredBy: request) == wait)
    }
}
