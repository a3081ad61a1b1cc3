/// Writes messages: the only place where a CRLF is made, and where what belongs to the connection is added.
///
/// The fields Content-Length, Transfer-Encoding, Connection and Date are its own; those of a response are passed over.
package struct MessageWriter: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// A value with a CR, LF, NUL or another control byte would begin another field or message (RFC 9110 §5.5).
        case badFieldValue(FieldName)
        case badStatus(Int)
        case badMethod(Method)
    }

    /// Of the request that is answered.
    let method: Method
    let version: Version
    private let keepsAlive: Bool
    /// The value of the Date field; nil for none.
    private let date: String?

    package init(to method: Method, version: Version = .http11, keepsAlive: Bool = true, date: String? = nil) {
        self.method = method
        self.version = version
        self.keepsAlive = keepsAlive
        self.date = date
    }

    /// For the answer to a request.
    package init(to head: RequestHead, keepsAlive: Bool? = nil, date: String? = nil) {
        self.init(
            to: head.method, version: head.version, keepsAlive: keepsAlive ?? head.keepsAlive, date: date)
    }

    /// Appends the response. After a failure nothing was written.
    package func write(_ response: Response, into output: inout [UInt8]) throws(Failure) {
        try self.writeHead(of: response, .length(response.body.count), &output)
        // RFC 9110 §9.3.2: what HEAD is told is how long the body would be.
        if response.status.allowsBody, self.method != .head { output.append(contentsOf: response.body) }
    }

    /// `100 Continue`, before the body is read (RFC 9110 §15.2.1).
    package static func writeContinue(into output: inout [UInt8]) { output.append("HTTP/1.1 100 Continue\r\n\r\n") }

    func writeHead(of response: Response, _ framing: BodyFraming, _ output: inout [UInt8]) throws(Failure) {
        guard 100...599 ~= response.status.rawValue else { throw .badStatus(response.status.rawValue) }
        let start = output.count
        do throws(Failure) {
            output.append("HTTP/1.1 ")
            output.append(decimal: response.status.rawValue)
            output.append(" ")
            output.append(contentsOf: response.status.reason.utf8)
            output.append("\r\n")
            // RFC 9110 §8.6: never in 1xx and 204; in 304 it would be that of the 200.
            try self.writeOwnFields(response.status.allowsBody ? framing : .none, &output)
            try Self.write(response.fields, &output)
        } catch {
            output.removeSubrange(start...)
            throw error
        }
    }

    private func writeOwnFields(_ framing: BodyFraming, _ output: inout [UInt8]) throws(Failure) {
        if let date { try Self.write(.date, date, &output) }
        switch framing {
        case .none, .untilClose: break
        case .chunked: output.append("Transfer-Encoding: chunked\r\n")
        case .length(let count):
            output.append("Content-Length: ")
            output.append(decimal: count)
            output.append("\r\n")
        }
        switch (self.version, self.keepsAlive) {
        case (_, false): output.append("Connection: close\r\n")
        case (.http10, true): output.append("Connection: keep-alive\r\n")
        case (.http11, true): break
        }
    }

    private static func write(_ fields: Fields, _ output: inout [UInt8]) throws(Failure) {
        for field in fields.all where !Self.isOwn(field.name) { try Self.write(field.name, field.value, &output) }
        output.append("\r\n")
    }

    private static func isOwn(_ name: FieldName) -> Bool {
        name == .contentLength || name == .transferEncoding || name == .connection || name == .date
    }

    private static func write(_ name: FieldName, _ value: String, _ output: inout [UInt8]) throws(Failure) {
        output.append(contentsOf: name.spelling.utf8)
        output.append(": ")
        let start = output.count
        output.append(contentsOf: value.utf8)
        if case .forbidden = ByteSearch.content(of: output.span.extracting(start...)) { throw .badFieldValue(name) }
        output.append("\r\n")
    }
}

// MARK: - Requests

extension MessageWriter {
    /// Appends a request, as test clients send it; its Host is among its fields. After a failure nothing was written.
    package static func write(_ request: Request, into output: inout [UInt8]) throws(Failure) {
        // A target that exists is valid; a method is whatever somebody made it of.
        guard Method(request.method.rawValue.utf8.span) != nil else { throw .badMethod(request.method) }
        let start = output.count
        let line = "\(request.method.rawValue) \(request.target.raw) \(request.version.rawValue)\r\n"
        output.append(contentsOf: line.utf8)
        if !request.body.isEmpty || request.method == .post || request.method == .put {
            output.append("Content-Length: ")
            output.append(decimal: request.body.count)
            output.append("\r\n")
        }
        do throws(Failure) {
            if let option = request.fields[.connection] { try Self.write(.connection, option, &output) }
            try Self.write(request.fields, &output)
        } catch {
            output.removeSubrange(start...)
            throw error
        }
        output.append(contentsOf: request.body)
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { self.append(contentsOf: $0) }
    }

    /// Not negative.
    fileprivate mutating func append(decimal number: Int) {
        if number >= 10 { self.append(decimal: number / 10) }
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
