import Foundation

/// What stands inside a passage: code between backticks, and links.
struct Inline: Sendable {
    /// The texts between backticks.
    private(set) var code: [String] = []
    /// The text without them.
    private(set) var prose = ""

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var prose: [UInt8] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == Self.tick else {
                prose.append(bytes[at])
                at += 1
                continue
            }
            let ticks = Self.ticks(bytes, from: at)
            guard let end = Self.end(bytes, from: at + ticks, ticks: ticks) else {
                at += ticks
                continue
            }
            self.code.append(String(decoding: bytes[(at + ticks)..<end], as: UTF8.self))
            at = end + ticks
        }
        self.prose = String(decoding: prose, as: UTF8.self)
    }

    private static let tick = UInt8(ascii: "`")

    private static func ticks(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] == Self.tick { end += 1 }
        return end - start
    }

    /// Where as many ticks as at the beginning stand again.
    private static func end(_ bytes: [UInt8], from start: Int, ticks: Int) -> Int? {
        var at = start
        while at < bytes.count {
            let found = Self.ticks(bytes, from: at)
            if found == ticks { return at }
            at += max(found, 1)
        }
        return nil
    }
}

extension Inline {
    /// The targets of links and images, `[text](target)`, and of definitions, `[1]: target`.
    var links: [String] {
        var targets = self.prose.components(separatedBy: "](").dropFirst().map(Self.target)
        if self.prose.hasPrefix("["), let colon = self.prose.range(of: "]: ") {
            targets.append(String(self.prose[colon.upperBound...].prefix { $0 != " " }))
        }
        return targets.filter { !$0.isEmpty }
    }

    /// Up to the parenthesis that closes the link, without a title.
    private static func target(_ rest: String) -> String {
        var depth = 0
        let target = rest.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth >= 0 && character != " "
        }
        return String(target).trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
    }
}
