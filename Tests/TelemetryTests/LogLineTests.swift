import Base
import Logging
import Synchronization
import Telemetry
import Testing

/// Log lines, byte for byte.
@Suite struct LogLineTests {
    /// Collects the written lines.
    final class Written: Sendable {
        private let mutex = Mutex<[String]>([])
        var lines: [String] { self.mutex.withLock { $0 } }
        func write(_ bytes: [UInt8]) { self.mutex.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    }

    static func line(_ shape: LineLogHandler.Shape, _ event: Logger.Message, _ metadata: Logger.Metadata) -> String {
        let written = Written()
        let logger = Logger(label: "test") { _ in
            LineLogHandler(shape, now: { Timestamp(milliseconds: 1_795_264_496_789) }, write: written.write)
        }
        logger.info(event, metadata: metadata)
        return written.lines.joined(separator: "|")
    }

    static let full: Logger.Metadata = [
        "zebra": "z", "trace_id": "t", "broker_error": "access_denied", "duration_ms": .stringConvertible(1234),
        "reason": "user_cancelled", "status": "cancelled", "platform": "ios", "provider": "mitid", "app": "shop",
        "reference": "K7QX-2M4P", "login": "abc", "request_id": "r-1", "alpha": "a",
    ]

    @Test func `the fields stand in their order`() {
        #expect(
            Self.line(.json, "login_ended", Self.full)
                == #"{"time":"2026-11-21T12:34:56.789Z","level":"info","event":"login_ended","request_id":"r-1","#
                + #""login":"abc","reference":"K7QX-2M4P","app":"shop","provider":"mitid","platform":"ios","#
                + #""status":"cancelled","reason":"user_cancelled","duration_ms":1234,"broker_error":"access_denied","#
                + #""trace_id":"t","alpha":"a","zebra":"z"}"# + "\n")
        #expect(
            Self.line(.text, "login_ended", Self.full)
                == "2026-11-21T12:34:56.789Z info login_ended request_id=r-1 login=abc reference=K7QX-2M4P app=shop "
                + "provider=mitid platform=ios status=cancelled reason=user_cancelled duration_ms=1234 "
                + "broker_error=access_denied trace_id=t alpha=a zebra=z\n")
    }

    /// A value, as text and as JSON.
    static let values: [(Logger.Metadata.Value, text: String, json: String)] = [
        ("plain", "plain", #""plain""#),
        ("", #""""#, #""""#),
        ("two words", #""two words""#, #""two words""#),
        ("a\nlevel=error", #""a\u000alevel=error""#, #""a\nlevel=error""#),
        ("a\u{1b}[31m", #""a\u001b[31m""#, #""a\u001b[31m""#),
        ("\u{9b}31m", #""\u009b31m""#, #""\u009b31m""#),
        ("a\u{202e}b", #""a\u202eb""#, #""a\u202eb""#),
        ("a\u{2028}b", #""a\u2028b""#, #""a\u2028b""#),
        ("say \"hi\"\\", #""say \"hi\"\\""#, #""say \"hi\"\\""#),
        ("a=b", #""a=b""#, #""a=b""#),
        ("Søren", #""Søren""#, #""Søren""#),
        (.stringConvertible(7), "7", "7"),
        (.stringConvertible(1.5), "1.5", "1.5"),
        (.stringConvertible(true), "true", "true"),
        (.stringConvertible(Secret("hunter2")), #""‹secret›""#, #""‹secret›""#),
        (["a", "b"], #""[\"a\", \"b\"]""#, #"["a","b"]"#),
    ]

    @Test(arguments: Self.values) func `a value stays on its line`(
        _ value: Logger.Metadata.Value, _ text: String, _ json: String
    ) {
        #expect(Self.line(.text, "e", ["k": value]) == "2026-11-21T12:34:56.789Z info e k=\(text)\n")
        #expect(
            Self.line(.json, "e", ["k": value])
                == #"{"time":"2026-11-21T12:34:56.789Z","level":"info","event":"e","k":\#(json)}"# + "\n")
    }

    @Test func `metadata cannot have the names that every line has`() {
        let line = Self.line(.json, "e", ["level": "debug", "time": "never"])
        #expect(
            line
                == #"{"time":"2026-11-21T12:34:56.789Z","level":"info","event":"e","level_":"debug","time_":"never"}"#
                + "\n")
    }

    @Test func `the nearest metadata wins, and levels are obeyed`() {
        let written = Written()
        var logger = Logger(label: "test") { _ in
            LineLogHandler(.text, level: .notice, now: { Timestamp(milliseconds: 0) }, write: written.write)
        }
        logger[metadataKey: "app"] = "shop"
        logger.info("dropped")
        logger.notice("kept", metadata: ["app": "other"])
        logger.error("kept_too")
        #expect(
            written.lines == [
                "1970-01-01T00:00:00.000Z notice kept app=other\n",
                "1970-01-01T00:00:00.000Z error kept_too app=shop\n",
            ])
    }

    /// RFC 3339 §5.6, and the days at which calendars go wrong.
    static let times: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (4_107_456_000_000, "2100-02-28T00:00:00.000Z"), (1_798_761_599_001, "2026-12-31T23:59:59.001Z"),
        (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: Self.times) func `a time is written in its fixed form`(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [Int64.min, .max]) func `no time traps`(_ milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339.hasSuffix("Z"))
    }
}
