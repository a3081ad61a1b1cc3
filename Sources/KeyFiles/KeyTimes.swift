import Base

/// When a key was made, and when it becomes active. Two lines before the key in its file say so:
///
///     # created: 2026-11-22T14:00:00Z
///     # active: 2026-11-23T14:00:00Z
///
/// The times are in the file, so every server that has the key has its times too. RFC 7468 §2 allows text before a PEM
/// block.
package struct KeyTimes: Equatable, Sendable {
    package let created: Timestamp?
    /// Nil for the first key of a list, which was always active.
    package let active: Timestamp?

    package init(created: Timestamp? = nil, active: Timestamp? = nil) {
        self.created = created
        self.active = active
    }

    /// Reads the lines before the key.
    package init(_ file: [UInt8]) throws(FileError) {
        var times: [Substring: Timestamp] = [:]
        for line in String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard line.hasPrefix("#") else { break }
            let parts = line.dropFirst().split(separator: ":", maxSplits: 1).map { $0.trimmingBlanks }
            guard parts.count == 2, ["created", "active"].contains(parts[0]) else { continue }
            guard let time = Timestamp(wholeSecondRFC3339: String(parts[1])) else {
                throw FileError("has a line `\(parts[0])` without a time such as 2026-11-22T14:00:00Z")
            }
            times[parts[0]] = time
        }
        self.init(created: times["created"], active: times["active"])
    }

    /// The lines before the key in its file.
    var lines: String {
        let lines = [("created", self.created), ("active", self.active)]
        return lines.compactMap { name, time in time.map { "# \(name): \($0.wholeSecondRFC3339)\n" } }.joined()
    }
}

extension Duration {
    /// `1 d 3 h`, `23 h 50 min`, `14 min`: two units, rounded up to a minute.
    var roughText: String {
        let minutes = max(1, (self.components.seconds + 59) / 60)
        let units = [("d", minutes / 1440), ("h", minutes / 60 % 24), ("min", minutes % 60)].drop { $0.1 == 0 }
        return units.prefix(2).filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: " ")
    }
}
