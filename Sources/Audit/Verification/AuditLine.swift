import Base
import StrictJSON

/// One line of an audit as it was read, untrusted.
struct AuditLine: Sendable {
    /// A longer line is no record.
    static let byteLimit = 64 * 1024
    /// No chain has as many records.
    private static let numberLimit = 1 << 48

    let chain: String
    let number: Int
    let time: Timestamp
    let event: String
    let previous: String?
    /// The hash of the line.
    let hash: String
    let members: JSON.Object

    /// Returns nil if the line is no record.
    init?(_ line: [UInt8]) {
        guard line.count <= Self.byteLimit, let members = (try? JSON(parsing: line))?.object,
            let chain = members["chain"]?.string,
            let number = members["number"]?.integer, (1..<Self.numberLimit).contains(number),
            let time = members["time"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let event = members["event"]?.string, let previous = members["previous"]
        else { return nil }
        guard previous.isNull || previous.string != nil else { return nil }
        self.chain = chain
        self.number = number
        self.time = time
        self.event = event
        self.previous = previous.string
        self.hash = AuditChain.hash(line)
        self.members = members
    }

    /// Where the records of the file ended when the server started.
    var after: AuditTail? {
        guard let after = self.members["after"], let chain = after["chain"]?.string,
            let number = after["number"]?.integer, let hash = after["hash"]?.string
        else { return nil }
        return AuditTail(chain: chain, number: number, hash: hash, torn: after["torn"]?.string)
    }

    var closing: AuditEvent.Closing? {
        self.members["closes"]?.string.flatMap { AuditEvent.Closing(rawValue: $0) }
    }
}

extension Timestamp {
    /// Reads a time as records have it, `2026-03-01T12:00:00.250Z`. Nil for any other text.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[19] == UInt8(ascii: "."),
            let whole = Timestamp(wholeSecondRFC3339: String(decoding: bytes[..<19], as: UTF8.self) + "Z"),
            let milliseconds = Int64(String(decoding: bytes[20..<23], as: UTF8.self))
        else { return nil }
        self = whole + .milliseconds(milliseconds)
        guard self.rfc3339 == text else { return nil }
    }
}
