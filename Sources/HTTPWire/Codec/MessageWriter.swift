/// Writes messages. Only this code writes a CRLF and adds the fields of the connection.
///
/// It writes the fields Content-Length, Transfer-Encoding, Connection and Date itself, and ignores those of a response.
package struct MessageWriter: Sendable {
    /// The method of the request that this responds to.
    private let method: Method
    private let version: Version
    private let keepsAlive: Bool
    /// The value of the Date field; empty for none.
    private let date: String

    package init(to method: Method, version: Version = .http11, keepsAlive: Bool = true, date: String? = nil) {
        self.method = method
        self.version = version
        self.keepsAlive = keepsAlive
        self.date = date ?? ""
    }

    /// Writes the response to a request.
    package init(to head: RequestHead, keepsAlive: Bool? = nil, date: String? = nil) {
        self.init(
            to: head.method, version: head.version, keepsAlive: keepsAlive ?? head.keepsAlive, date: date)
    }

    /// Appends the response. Writes nothing if it throws.
    package func write(_ response: Response, into output: inout [UInt8]) throws(WriteError) {
        try self.writeHead(of: response, .length(response.body.count), &output)
        // A response to HEAD gives the length of the body, but no body (RFC 9110 §9.3.2).
        if response.status.allowsBody, self.method != .head { output.append(contentsOf: response.body) }
    }

    /// Writes `100 Continue`, before the body is read (RFC 9110 §15.2.1).
    package static func writeContinue(into output: inout [UInt8]) { output.append("HTTP/1.1 100 Continue\r\n\r\n") }

    private func writeHead(of response: Response, _ framing: BodyFraming, _ output: inout [UInt8]) throws(WriteError) {
        guard 100...599 ~= response.status.rawValue else { throw .badStatus(response.status.rawValue) }
        try Self.check(.date, self.date)
        let reason = response.status.reason
        let count = reason.utf8.count + self.date.utf8.count + (try Self.room(for: response.fields))
        output.append(addingCapacity: Self.roomForOwn + count) { room in
            room.append("HTTP/1.1 ")
            room.append(decimal: response.status.rawValue)
            room.append(" ")
            room.append(reason.utf8.span)
            room.append("\r\n")
            // Never write the length in 1xx and 204; in 304 it would be that of the 200 (RFC 9110 §8.6).
            self.writeOwnFields(response.status.allowsBody ? framing : .none, &room)
            Self.write(response.fields, &room)
        }
    }

    private func writeOwnFields(_ framing: BodyFraming, _ room: inout OutputSpan<UInt8>) {
        if !self.date.isEmpty { Self.write(.date, self.date, &room) }
        switch framing {
        case .none, .untilClose: break
        case .chunked: room.append("Transfer-Encoding: chunked\r\n")
        case .length(let count):
            room.append("Content-Length: ")
            room.append(decimal: count)
            room.append("\r\n")
        }
        switch (self.version, self.keepsAlive) {
        case (_, false): room.append("Connection: close\r\n")
        case (.http10, true): room.append("Connection: keep-alive\r\n")
        case (.http11, true): break
        }
    }
}

// MARK: - Fields

extension MessageWriter {
    /// More bytes than the first line and the writer's own fields take, apart from their texts.
    private static let roomForOwn = 160

    /// Returns the most bytes that the fields take. Throws before anything is written if one cannot be written.
    private static func room(for fields: Fields) throws(WriteError) -> Int {
        let fields = fields.all.span
        var count = 2
        for index in fields.indices where !fields[index].name.isWriters {
            try Self.check(fields[index].name, fields[index].value)
            count += fields[index].name.spelling.utf8.count + fields[index].value.utf8.count + 4
        }
        return count
    }

    private static func check(_ name: FieldName, _ value: String) throws(WriteError) {
        if case .forbidden = ByteScan.content(of: value.utf8.span) { throw .badFieldValue(name) }
    }

    private static func write(_ fields: Fields, _ room: inout OutputSpan<UInt8>) {
        let fields = fields.all.span
        for index in fields.indices where !fields[index].name.isWriters {
            Self.write(fields[index].name, fields[index].value, &room)
        }
        room.append("\r\n")
    }

    private static func write(_ name: FieldName, _ value: String, _ room: inout OutputSpan<UInt8>) {
        room.append(name.spelling.utf8.span)
        room.append(": ")
        room.append(value.utf8.span)
        room.append("\r\n")
    }
}

// MARK: - Requests

extension MessageWriter {
    /// Appends a request, as test clients send it. Its Host is among its fields. Writes nothing if it throws.
    package static func write(_ request: Request, into output: inout [UInt8]) throws(WriteError) {
        // An existing target is valid, but a method may have been made from any text.
        guard Method(request.method.rawValue.utf8.span) != nil else { throw .badMethod(request.method) }
        let option = request.fields[.connection]
        if let option { try Self.check(.connection, option) }
        let fields = try Self.room(for: request.fields)
        let line = "\(request.method.rawValue) \(request.target.raw) \(request.version.rawValue)\r\n"
        let count = line.utf8.count + (option?.utf8.count ?? 0) + fields
        output.append(addingCapacity: Self.roomForOwn + count) { room in
            room.append(line.utf8.span)
            if !request.body.isEmpty || request.method == .post || request.method == .put {
                room.append("Content-Length: ")
                room.append(decimal: request.body.count)
                room.append("\r\n")
            }
            if let option { Self.write(.connection, option, &room) }
            Self.write(request.fields, &room)
        }
        output.append(contentsOf: request.body)
    }
}

// MARK: - Responses in parts

/// The length of such a response is unknown when it begins. It is sent in chunks (RFC 9112 §7.1), or to HTTP/1.0 until
/// the connection ends.
extension MessageWriter {
    /// Appends the head. `writePart` adds the body, and `writeEnd` ends it. An HTTP/1.0 connection must not be kept
    /// alive. Writes nothing if it throws.
    package func writeHead(of response: Response, into output: inout [UInt8]) throws(WriteError) {
        try self.writeHead(of: response, self.version == .http11 ? .chunked : .untilClose, &output)
    }

    /// Ignores an empty part, because an empty chunk would be the end.
    package func writePart(_ part: [UInt8], into output: inout [UInt8]) {
        guard !part.isEmpty else { return }
        guard self.version == .http11 else { return output.append(contentsOf: part) }
        output.append(hexadecimal: part.count)
        output.append("\r\n")
        output.append(contentsOf: part)
        output.append("\r\n")
    }

    package func writeEnd(into output: inout [UInt8]) {
        if self.version == .http11 { output.append("0\r\n\r\n") }
    }
}

/// Why a message cannot be written. This is the caller's error.
package enum WriteError: Error, Equatable, Sendable {
    /// A value with a CR, LF, NUL or another control byte could begin another field or message (RFC 9110 §5.5).
    case badFieldValue(FieldName)
    case badStatus(Int)
    case badMethod(Method)
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { self.append(contentsOf: $0) }
    }

    /// The number must not be negative.
    fileprivate mutating func append(hexadecimal number: Int) {
        if number >= 16 { self.append(hexadecimal: number / 16) }
        let digit = UInt8(truncatingIfNeeded: number % 16)
        self.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
}
