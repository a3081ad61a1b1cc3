import Testing

@testable import Traces

/// A span as the collector gets it, read from the message that waits in the queue.
struct ExportedSpan {
    let trace: [UInt8]
    let id: [UInt8]
    /// Empty if there is none.
    let parent: [UInt8]
    let state: String
    let name: String
    let start: UInt64
    let end: UInt64
    let attributes: [String: AttributeList.Value]
    /// The traces that it links to.
    let links: [[UInt8]]
    /// The code of its status; nil without a status.
    let status: UInt64?

    init(_ message: [UInt8]) throws {
        let span = try Message(message)
        self.trace = span.bytes(1)
        self.id = span.bytes(2)
        self.state = span.text(3)
        self.parent = span.bytes(4)
        self.name = span.text(5)
        self.start = span.number(7)
        self.end = span.number(8)
        var attributes: [String: AttributeList.Value] = [:]
        for attribute in try span.messages(9) {
            for value in try attribute.messages(2) { attributes[attribute.text(1)] = value.attribute }
        }
        self.attributes = attributes
        self.links = try span.messages(13).map { $0.bytes(1) }
        self.status = try span.messages(15).first.map { $0.number(3) }
    }
}

extension SpanQueue {
    /// Takes all spans that wait.
    func takeSpans() throws -> [ExportedSpan] { try self.take(atMost: .max).map { try ExportedSpan($0) } }
}

/// A message of Protocol Buffers. A field that is not there has the default value of its type.
private struct Message {
    private let fields: [ProtobufReader.Field]

    init(_ bytes: [UInt8]) throws { self.fields = try #require(ProtobufReader.fields(bytes)) }

    func messages(_ field: Int) throws -> [Message] {
        try self.fields.compactMap { one in
            guard one.number == field, case .bytes(let bytes) = one.value else { return nil }
            return try Message(bytes)
        }
    }

    func bytes(_ field: Int) -> [UInt8] {
        for one in self.fields where one.number == field {
            if case .bytes(let bytes) = one.value { return bytes }
        }
        return []
    }

    func text(_ field: Int) -> String { String(decoding: self.bytes(field), as: UTF8.self) }

    func number(_ field: Int) -> UInt64 {
        for one in self.fields where one.number == field {
            switch one.value {
            case .varint(let number), .fixed64(let number): return number
            case .fixed32(let number): return UInt64(number)
            case .bytes: continue
            }
        }
        return 0
    }

    /// The value of an attribute (AnyValue).
    var attribute: AttributeList.Value? {
        guard let field = self.fields.first else { return nil }
        return switch (field.number, field.value) {
        case (1, .bytes(let bytes)): .text(String(decoding: bytes, as: UTF8.self))
        case (2, .varint(let truth)): .truth(truth != 0)
        case (3, .varint(let number)): .number(Int64(bitPattern: number))
        case (4, .fixed64(let bits)): .fraction(Double(bitPattern: bits))
        default: nil
        }
    }
}
