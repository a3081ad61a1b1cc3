import TestSupport
import Testing

@testable import Logins

/// The form of the client libraries is read, and of any other text nothing is kept.
@Suite struct UserAgentTests {
    static let kotlin = "switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2)"

    typealias Library = (text: String, parts: [String])

    static let libraries: [Library] = [
        (kotlin, ["kotlin", "1.2.0", "android", "15", "com.example.shop", "4.2"]),
        (
            "switchback-swift/0.1.0-beta.1+7 (ios 17.5.0; com.example.Shop-2 v4.2_rc)",
            ["swift", "0.1.0-beta.1+7", "ios", "17.5.0", "com.example.Shop-2", "v4.2_rc"]
        ),
        ("switchback-react-native/2 (iOS 26; a b)", ["react-native", "2", "iOS", "26", "a", "b"]),
        (text(), parts()),
        (text(name: 16), parts(name: 16)), (text(version: 32), parts(version: 32)),
        (text(system: 16), parts(system: 16)), (text(systemVersion: 32), parts(systemVersion: 32)),
        (text(app: 128), parts(app: 128)), (text(appVersion: 32), parts(appVersion: 32)),
    ]

    /// A part of each length.
    static func parts(
        name: Int = 1, version: Int = 1, system: Int = 1, systemVersion: Int = 1, app: Int = 1, appVersion: Int = 1
    ) -> [String] {
        [name, version, system, systemVersion, app, appVersion].map { String(repeating: "7", count: $0) }
    }

    static func text(
        name: Int = 1, version: Int = 1, system: Int = 1, systemVersion: Int = 1, app: Int = 1, appVersion: Int = 1
    ) -> String {
        self.text(
            of: self.parts(
                name: name, version: version, system: system, systemVersion: systemVersion, app: app,
                appVersion: appVersion))
    }

    static func text(of parts: [String]) -> String {
        "switchback-\(parts[0])/\(parts[1]) (\(parts[2]) \(parts[3]); \(parts[4]) \(parts[5]))"
    }

    @Test(arguments: libraries) func `the form of the libraries is read`(_ row: Library) throws {
        let agent = UserAgent([row.text])
        guard case .library(let library) = agent else {
            Issue.record("\(agent)")
            return
        }
        #expect(
            row.parts == [
                library.name, library.version, library.system, library.systemVersion, library.app, library.appVersion,
            ])
        #expect(agent.description == row.text)
    }

    static let others: [[String]] = [
        [""], [" "], ["curl/7.88.1"], ["okhttp/4.12.0"], ["Switchback"],
        ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"],
        // Two fields, and two in one.
        [kotlin, kotlin], ["\(kotlin), \(kotlin)"], ["\(kotlin) okhttp/4.12.0"], ["okhttp/4.12.0 \(kotlin)"],
        // Parts that are missing.
        ["switchback-kotlin/1.2.0"], ["switchback-kotlin/1.2.0 (android 15)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop)"],
        ["switchback-kotlin (android 15; com.example.shop 4.2)"],
        ["switchback-/1.2.0 (android 15; com.example.shop 4.2)"],
        ["switchback-kotlin/ (android 15; com.example.shop 4.2)"],
        ["kotlin/1.2.0 (android 15; com.example.shop 4.2)"],
        // Another case, other marks, and blanks.
        ["Switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2)"], [" \(kotlin)"], ["\(kotlin) "],
        ["switchback-kotlin/1.2.0(android 15; com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0  (android 15; com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15;com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15, com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android\t15; com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2"],
        // Characters that no part has, also such as look like others.
        ["switchback-kotlin/1.2.0 (android 15; Anne Andersen 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2 beta)"],
        ["switchback-kotlin/1.2.0 (android 15; anne@example.com 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4\"2)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2\n)"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2\u{0})"],
        ["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2\u{301})"],
        ["switchback-\u{212A}otlin/1.2.0 (android 15; com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android １５; com.example.shop 4.2)"],
        ["switchback-kotlin/-1.2.0 (android 15; com.example.shop 4.2)"],
        ["switchback-kotlin/1.2.0 (android 15; .com.example.shop 4.2)"],
        // Parts that are too long.
        [text(name: 17)], [text(version: 33)], [text(system: 17)], [text(systemVersion: 33)], [text(app: 129)],
        [text(appVersion: 33)], [String(repeating: kotlin, count: 100)],
    ]

    @Test(arguments: others) func `any other text is not kept`(_ values: [String]) {
        #expect(UserAgent(values) == .other)
        #expect(UserAgent(values).description == "other")
    }

    @Test func `a request without the field says nothing`() {
        #expect(UserAgent([]) == .missing)
        #expect(UserAgent([]).description == "none")
    }

    // MARK: - Properties

    private static let characters = Array("abcxyzABCXYZ0189.-_+")

    private static func word(atMost limit: Int, _ random: inout SplitMix64) -> String {
        let first = Self.characters.dropLast(4).randomElement(using: &random) ?? "a"
        let rest = (1..<Int.random(in: 1...limit, using: &random)).map { _ in
            Self.characters.randomElement(using: &random) ?? "a"
        }
        return String([first] + rest)
    }

    private static let limits = [16, 32, 16, 32, 128, 32]

    @Test(arguments: 1...4) func `every word within its limit is read`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let text = Self.text(of: Self.limits.map { Self.word(atMost: $0, &random) })
            #expect(UserAgent([text]).description == text)
        }
    }

    /// Bytes that end words, or that a log or a label has to escape.
    private static let sharp: [UInt8] = Array("/ (;)\"\\\n\r\t=,{}".utf8) + [0, 0x1B, 0x7F, 0xC3, 0xE2, 0xFF]

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        guard place < bytes.count else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Self.sharp.randomElement(using: &random) ?? 0, at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
        }
    }

    /// Whatever comes, the words of the log are those that came, in plain characters.
    @Test(arguments: 11...14) func `what is kept is plain and short`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (readCount, otherCount) = (0, 0)
        for _ in 0..<2000 {
            var bytes = Array(Self.kotlin.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) { Self.mutate(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            let agent = UserAgent([text])
            guard agent != .other else {
                otherCount += 1
                continue
            }
            readCount += 1
            let line = Array(agent.description.utf8)
            #expect(line == Array(text.utf8))
            #expect(line.count <= 275)
            #expect(line.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "\(text)")
        }
        #expect(readCount > 100 && otherCount > 100, "the mutations reach both, and not only \(readCount)")
    }
}
