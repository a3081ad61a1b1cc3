// Reads addresses in the notations of RFC 4291 §2.2, and writes them as RFC 5952 recommends.

extension IPAddress {
    /// Strict: no leading zeros in IPv4, no zone, no brackets, no spaces.
    package init?(_ text: String) {
        if text.utf8.contains(.colon) {
            self.init(v6: text)
        } else {
            self.init(v4: text)
        }
    }

    init?(v4 text: String) {
        guard let bits = Self.v4Bits(text[...]) else { return nil }
        self.init(v4: bits)
    }

    init?(v6 bytes: Span<UInt8>) {
        self.init(v6: String(fieldValue: bytes))
    }

    init?(v6 text: String) {
        guard text.utf8.count <= 45 else { return nil }
        let groups: [UInt16]
        if let gap = Self.gap(in: text) {
            guard let front = Self.groups(text[..<gap.lowerBound], mayEndInV4: false),
                let back = Self.groups(text[gap.upperBound...], mayEndInV4: true), front.count + back.count <= 7
            else { return nil }
            groups = front + Array(repeating: 0, count: 8 - front.count - back.count) + back
        } else {
            guard let all = Self.groups(text[...], mayEndInV4: true), all.count == 8 else { return nil }
            groups = all
        }
        self.init(
            v6: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) }, groups[4...].reduce(0) { $0 << 16 | UInt64($1) })
    }

    /// Returns where `::` is. A second one fails later, because it is not a group.
    private static func gap(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.utf8.index(after: index)
            guard next < text.endIndex else { return nil }
            if text.utf8[index] == .colon, text.utf8[next] == .colon { return index..<text.utf8.index(after: next) }
            index = next
        }
        return nil
    }

    private static func groups(_ text: Substring, mayEndInV4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
            if mayEndInV4, position == parts.count - 1, let bits = Self.v4Bits(part) {
                groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else {
                guard let group = Self.group(part) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// Reads one to four hexadecimal digits.
    private static func group(_ text: Substring) -> UInt16? {
        guard 1...4 ~= text.utf8.count else { return nil }
        var group: UInt16 = 0
        for byte in text.utf8 {
            guard let value = byte.hexValue else { return nil }
            group = group << 4 | UInt16(value)
        }
        return group
    }

    private static func v4Bits(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            // Some readers take `010` for eight, others for ten.
            guard 1...3 ~= part.utf8.count, part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"),
                let byte = Int(digits: part.utf8), byte <= 255
            else { return nil }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }
}

extension IPAddress: CustomStringConvertible {
    /// RFC 5952 §4: lower case, no leading zeros, the first of the longest runs of zeros left out.
    package var description: String {
        if let v4 { return Self.text(v4: v4) }
        let groups = [self.high, self.low].flatMap { Self.groups(of: $0) }
        let texts = groups.map { String($0, radix: 16) }
        guard let run = Self.longestRun(of: groups) else { return texts.joined(separator: ":") }
        return texts[..<run.lowerBound].joined(separator: ":") + "::" + texts[run.upperBound...].joined(separator: ":")
    }

    /// Written in one go, because every new login has an address.
    private static func text(v4 bits: UInt32) -> String {
        String(unsafeUninitializedCapacity: 15) { text in
            var count = 0
            for shift in stride(from: 24, through: 0, by: -8) {
                let byte = UInt8(truncatingIfNeeded: bits >> UInt32(shift))
                if count > 0 { Self.put(UInt8(ascii: "."), in: text, at: &count) }
                if byte >= 100 { Self.put(UInt8(ascii: "0") + byte / 100, in: text, at: &count) }
                if byte >= 10 { Self.put(UInt8(ascii: "0") + byte / 10 % 10, in: text, at: &count) }
                Self.put(UInt8(ascii: "0") + byte % 10, in: text, at: &count)
            }
            return count
        }
    }

    private static func put(_ byte: UInt8, in text: UnsafeMutableBufferPointer<UInt8>, at count: inout Int) {
        text[count] = byte
        count += 1
    }

    private static func groups(of half: UInt64) -> [UInt16] {
        [48, 32, 16, 0].map { (shift: UInt64) in UInt16(truncatingIfNeeded: half >> shift) }
    }

    private static func longestRun(of groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<(index + 1)
            }
        }
        return longest.count > 1 ? longest : nil
    }
}
