import Base

/// The field `tracestate` (W3C Trace Context §3.3): what other systems on the way have to say about the trace. We pass
/// it on and add nothing.
package struct TraceState: Equatable, Sendable, CustomStringConvertible {
    private static let mostMembers = 32
    /// The most characters that we pass on. A field of this length must be passed on (§3.3.1.5).
    static let longest = 512
    /// Members that are longer are the first to be left out.
    private static let longMember = 128

    private let members: [Member]

    private struct Member: Equatable {
        let text: String
        let key: String
    }

    package var isEmpty: Bool { self.members.isEmpty }

    /// Returns nil if a member is malformed, a key stands twice or there are more than 32 of them: then none counts.
    /// `values` are the field's lines in their order.
    package init?(_ values: [String]) {
        var members: [Member] = []
        for part in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            // Space and tab may stand around a member.
            let text = part.trimmingBlanks
            guard !text.isEmpty else { continue }
            guard let member = Self.member(text), members.count < Self.mostMembers,
                !members.contains(where: { $0.key == member.key })
            else { return nil }
            members.append(member)
        }
        self.members = members
    }

    /// The field's value: whole members, as many as fit.
    package var description: String {
        var members = self.members
        while Self.length(members) > Self.longest,
            let index = members.lastIndex(where: { $0.text.utf8.count > Self.longMember })
        {
            members.remove(at: index)
        }
        while Self.length(members) > Self.longest { members.removeLast() }
        return members.map(\.text).joined(separator: ",")
    }

    private static func length(_ members: [Member]) -> Int {
        members.reduce(members.count - 1) { $0 + $1.text.utf8.count }
    }

    private static func member(_ text: Substring) -> Member? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let (key, value) = (text[..<equals], text[text.index(after: equals)...])
        guard Self.isKey(key), Self.isValue(value) else { return nil }
        return Member(text: String(text), key: String(key))
    }

    /// A name, or a tenant, `@` and a system (§3.3.1.3.1).
    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return Self.isName(parts[0], atMost: 256, beginsWithLetter: true)
        case 2:
            return Self.isName(parts[0], atMost: 241, beginsWithLetter: false)
                && Self.isName(parts[1], atMost: 14, beginsWithLetter: true)
        default: return false
        }
    }

    private static func isName(_ text: Substring, atMost limit: Int, beginsWithLetter: Bool) -> Bool {
        guard 1...limit ~= text.utf8.count, let first = text.utf8.first else { return false }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        guard isLetter || (isDigit && !beginsWithLetter) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    /// Printable ASCII without comma and equals sign, and no space at the end (§3.3.1.3.2).
    private static func isValue(_ text: Substring) -> Bool {
        guard 1...256 ~= text.utf8.count, text.utf8.last != UInt8(ascii: " ") else { return false }
        return text.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=")
        }
    }
}
