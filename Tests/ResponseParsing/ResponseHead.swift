@testable import HTTPWire

/// A response without its body, as a client reads it.
package struct ResponseHead: Equatable, Sendable {
    package let status: Status
    package let version: Version
    package let fields: Fields
    package let framing: BodyFraming

    init(_ line: StatusLine, _ fields: Fields, to method: Method, limits: MessageLimits) throws(ParseError) {
        self.status = line.status
        self.version = line.version
        self.fields = fields
        self.framing = try BodyFraming(
            fields, version: line.version, status: line.status, to: method, limit: limits.body)
    }

    /// Whether another response may follow on the connection (RFC 9112 §9.3).
    package var keepsAlive: Bool {
        self.framing != .untilClose && self.version.keepsAlive(self.fields)
    }
}

/// `HTTP-version SP status-code SP [reason-phrase]` (RFC 9112 §4).
struct StatusLine: Sendable {
    let version: Version
    let status: Status

    init(_ line: Span<UInt8>) throws(ResponseParseError) {
        guard line.count >= 13, line[8] == .space, line[12] == .space else { throw .badStatusLine }
        do throws(ParseError) {
            self.version = try Version(line.extracting(0..<8))
        } catch {
            throw error == .badRequestLine ? .badStatusLine : .malformed(error)
        }
        var code = 0
        for index in 9..<12 {
            guard line[index].isDigit else { throw .badStatusLine }
            code = code * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard 100...599 ~= code else { throw .badStatusLine }
        if case .forbidden = ByteScan.content(of: line.extracting(13...)) { throw .badStatusLine }
        self.status = Status(rawValue: code)
    }
}

extension BodyFraming {
    /// Returns the framing of the response to a request of this method.
    init(_ fields: Fields, version: Version, status: Status, to method: Method, limit: Int) throws(ParseError) {
        let statedFraming = try Self.stated(fields, version: version, limit: limit)
        guard status.allowsBody, method != .head else {
            self = .none
            return
        }
        self = statedFraming ?? .untilClose
    }
}
