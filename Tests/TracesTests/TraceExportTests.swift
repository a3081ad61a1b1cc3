import Testing
import Tracing

@testable import Traces

/// An export is a message of OTLP, byte for byte. That a foreign decoder reads the same is tested end to end.
@Suite struct TraceExportTests {
    private static let source = TraceExport.Source(service: "s", version: "1", instance: "i")

    private func span() throws -> SpanRecord {
        var span = SpanRecord("n", .client, id: try #require(SpanID(3)), under: SpanID(4), at: 5)
        span.end = 6
        return span
    }

    private func request(_ span: SpanRecord) throws -> [UInt8] {
        let place = SpanPlace(trace: try #require(TraceID(high: 1, low: 2)), parent: SpanID(7))
        return TraceExport.request([TraceExport.message(span, in: place)], from: Self.source)
    }

    private func fields(_ bytes: [UInt8], at path: Int...) throws -> [ProtobufReader.Field] {
        var fields = try #require(ProtobufReader.fields(bytes))
        for number in path {
            guard case .bytes(let message) = fields.first(where: { $0.number == number })?.value else { return [] }
            fields = try #require(ProtobufReader.fields(message))
        }
        return fields
    }

    @Test func `a span has its ids and times and its kind`() throws {
        let body = try self.request(try self.span())
        let fields = try self.fields(body, at: 1, 2, 2)
        #expect(
            fields == [
                .init(
                    number: 1,
                    value: .bytes([UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 7) + [2])),
                .init(number: 2, value: .bytes([0, 0, 0, 0, 0, 0, 0, 3])),
                .init(number: 4, value: .bytes([0, 0, 0, 0, 0, 0, 0, 4])),
                .init(number: 5, value: .bytes(Array("n".utf8))),
                .init(number: 6, value: .varint(3)),
                .init(number: 7, value: .fixed64(5)),
                .init(number: 8, value: .fixed64(6)),
            ])
    }

    @Test(arguments: [
        (AttributeList.Value.text("a"), [UInt8]([0x0A, 1, 0x61])), (.text(""), [0x0A, 0]), (.truth(true), [0x10, 1]),
        (.truth(false), [0x10, 0]), (.number(0), [0x18, 0]), (.number(300), [0x18, 0xAC, 0x02]),
        (.number(-1), [0x18] + [UInt8](repeating: 0xFF, count: 9) + [1]),
        (.fraction(0), [0x21] + [UInt8](repeating: 0, count: 8)),
    ]) func `an attribute keeps its type and its value`(_ value: AttributeList.Value, _ expected: [UInt8]) throws {
        var span = try self.span()
        span.attributes["k"] = value
        let body = try self.request(span)
        let attribute = try self.fields(body, at: 1, 2, 2, 9)
        #expect(attribute == [.init(number: 1, value: .bytes([0x6B])), .init(number: 2, value: .bytes(expected))])
    }

    @Test func `a long text is cut off`() throws {
        var span = try self.span()
        span.attributes["k"] = .text(String(repeating: "x", count: 1000))
        let body = try self.request(span)
        let value = try self.fields(body, at: 1, 2, 2, 9, 2)
        #expect(value == [.init(number: 1, value: .bytes([UInt8](repeating: 0x78, count: TraceExport.longestText)))])
    }

    @Test(arguments: [
        ([UInt8]([]), 0), ([0x0A, 0], 0), ([0x0A, 2, 8, 7], 7), ([0x0A, 7, 8, 7, 0x12, 3, 0x61, 0x62, 0x63], 7),
        // Cut off, no message, and a number below zero.
        ([0x0A, 9, 8, 7], 0), ([0xFF], 0), ([0x0A, 11, 8] + [UInt8](repeating: 0xFF, count: 9) + [1], 0),
    ]) func `the response says how many spans were refused`(_ body: [UInt8], _ expected: Int) {
        #expect(TraceExport.refusedCount(in: body) == expected)
    }

    @Test(arguments: [
        [0x08], [0x0A, 1], [0x09, 1, 2], [0x0D, 1, 2, 3], [0x00, 1], [0x0B], [0x0C], [0x0F],
        [0x08] + [UInt8](repeating: 0xFF, count: 10), [0x08] + [UInt8](repeating: 0x80, count: 9) + [2],
    ]) func `what is cut off or malformed is no message`(_ bytes: [UInt8]) {
        #expect(ProtobufReader.fields(bytes) == nil)
    }
}
