import Base
import StrictJSON

/// Google's list of attestation certificates that no longer count, read from a file that the operator keeps up to date.
package struct StatusList: Sendable {
    package enum Status: Sendable {
        case revoked
        case suspended
    }

    /// How the age of the file counts.
    package enum Age: Sendable {
        case fresh
        /// Older than a day.
        case old
        /// Older than a week, or from the future, so that nobody knows how old it is.
        case tooOld
    }

    private static let day = Duration.seconds(86_400)
    private static let week = Duration.seconds(7 * 86_400)
    /// The clock of a file server may be ahead by so much.
    private static let clockSkew = Duration.seconds(60)
    private static let limits = JSON.Limits(byteCount: 1 << 24, depth: 8)

    private let entries: [String: Status]
    /// When the file was written.
    package let writtenAt: Timestamp

    package var count: Int { self.entries.count }

    /// The form is `{"entries": {serial number in hexadecimal: {"status": "REVOKED" or "SUSPENDED", …}}}`.
    package init(parsing bytes: [UInt8], writtenAt: Timestamp) throws(FileError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes, limits: Self.limits)
        } catch {
            throw FileError("is not JSON (\(error.rawValue))")
        }
        guard let members = json["entries"]?.object else { throw FileError("has no object \"entries\"") }
        // Google's list is never empty. A list that is would clear every certificate.
        guard !members.isEmpty else {
            throw FileError("has no entries, and Google's list has many: download it again")
        }
        var entries: [String: Status] = [:]
        entries.reserveCapacity(members.count)
        for (name, value) in members {
            guard let number = Self.number(name), let word = value["status"]?.string else {
                throw FileError("has an entry that is not a hexadecimal serial number with a status")
            }
            // A word that Google may add later does not mean that the certificate is good.
            entries[number] = word == "SUSPENDED" ? .suspended : .revoked
        }
        self.entries = entries
        self.writtenAt = writtenAt
    }

    /// `serialNumber` is in lower case, without leading zeros.
    package func status(of serialNumber: String) -> Status? { self.entries[serialNumber] }

    package func age(at time: Timestamp) -> Age {
        let age = time - self.writtenAt
        guard age >= .zero - Self.clockSkew, age <= Self.week else { return .tooOld }
        return age > Self.day ? .old : .fresh
    }

    private static func number(_ text: String) -> String? {
        guard !text.isEmpty,
            text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") || Self.isLetter($0) })
        else { return nil }
        let digits = text.lowercased().drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
