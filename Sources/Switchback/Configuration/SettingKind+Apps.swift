/// The grammar of what Apple and Google call an app.
extension SettingKind {
    /// The prefix is the team's, ten letters and digits; a bundle id has letters, digits, hyphens and dots.
    static func isAppleAppID(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let team = labels.first, team.utf8.count == 10 else { return false }
        return team.utf8.allSatisfy { Self.isUpper($0) || Self.isDigit($0) }
            && labels.dropFirst().allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2D }
            }
    }

    /// Two segments or more, each begins with a letter and has letters, digits and underscores.
    static func isAndroidPackage(_ text: String) -> Bool {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        return segments.count > 1
            && segments.allSatisfy { segment in
                segment.utf8.first.map(Self.isLetter) ?? false
                    && segment.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x5F }
            }
    }

    /// Digital Asset Links compares them as texts, so small letters would fit no app.
    static func isFingerprint(_ text: String) -> Bool {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count == 32
            && pairs.allSatisfy { pair in
                pair.utf8.count == 2 && pair.utf8.allSatisfy { Self.isDigit($0) || (0x41...0x46).contains($0) }
            }
    }

    /// A scheme (RFC 3986 §3.1), a colon, and printable ASCII.
    static func isProbeLink(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), SettingKind.word.accepts(text) else { return false }
        let scheme = text[..<colon].utf8
        return scheme.first.map(Self.isLetter) ?? false
            && scheme.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { Self.isLower(byte | 0x20) }
}
