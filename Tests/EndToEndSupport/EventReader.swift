import Foundation
import HTTPWire
import ResponseParsing
import StrictJSON
import TestSupport

/// Reads an event stream over a real socket as it arrives.
package final class EventReader: Sendable {
    /// The head of the response.
    package let head = Mailbox<ResponseHead>()
    /// The text between two empty lines; at the end `end` or `cut off`.
    package let blocks = Mailbox<String>()
    private let descriptor: Int32

    package init(_ app: PhoneApp, port: UInt16, lastEventID: String? = nil, version: String = "HTTP/1.1") throws {
        let id = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let text = """
            GET /v1/logins/\(app.id ?? "none") \(version)\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(app.secret)\r
            Accept: text/event-stream\r
            Accept-Encoding: gzip\r
            Connection: close\r
            \(id)\r

            """
        let descriptor = try TestClient.connect(port: port)
        self.descriptor = descriptor
        try TestClient.write(Array(text.utf8), to: descriptor)
        Thread.detachNewThread {
            let isWhole = (try? self.read(descriptor)) ?? false
            close(descriptor)
            self.blocks.put(isWhole ? "end" : "cut off")
        }
    }

    /// Closes the connection in the middle of the stream.
    package func leave() { shutdown(self.descriptor, Int32(SHUT_RDWR)) }

    /// Returns all states until the end, such as `1 pending`.
    package func states() async -> [String] {
        var states: [String] = []
        while let block = await self.blocks.next(), block != "end", block != "cut off" {
            if let state = Self.state(block) { states.append(state) }
        }
        return states
    }

    /// Returns the next state, or nil at the end.
    package func state() async -> String? {
        while let block = await self.blocks.next(), block != "end", block != "cut off" {
            if let state = Self.state(block) { return state }
        }
        return nil
    }

    package static func state(_ block: String) -> String? {
        let lines = block.split(separator: "\n")
        guard lines.count == 2, lines[0].hasPrefix("id: "), lines[1].hasPrefix("data: "),
            let json = try? JSON(parsing: Array(lines[1].dropFirst(6).utf8))
        else { return nil }
        return "\(lines[0].dropFirst(4)) \(json["status"]?.string ?? "")"
    }

    /// Returns true when the response was complete.
    private func read(_ descriptor: Int32) throws -> Bool {
        var parser = ResponseParser()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var text = ""
        while true {
            switch try parser.next() {
            case .head(let head): self.head.put(head)
            case .body(let bytes):
                text += String(decoding: bytes, as: UTF8.self)
                while let end = text.range(of: "\n\n") {
                    self.blocks.put(String(text[..<end.lowerBound]))
                    text = String(text[end.upperBound...])
                }
            case .end: return true
            case .needsBytes:
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else {
                    parser.finish()
                    return try count == 0 && parser.next() == .end
                }
                parser.feed(Array(buffer[..<count]))
            }
        }
    }
}
