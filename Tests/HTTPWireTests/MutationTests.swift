import HTTPWire
import TestSupport
import Testing

/// Requests with random errors, the same in every run: nothing traps, and splitting them changes nothing.
@Suite struct MutationTests {
    private static let seeds: [[UInt8]] = {
        let tables = [
            RequestLineTests.taken, TargetTests.taken, FieldLineTests.taken, HostTests.taken, BodyFramingTests.taken,
            ChunkedBodyTests.taken,
        ]
        let refused = [BodyFramingTests.refused, ChunkedBodyTests.refused]
        return tables.joined().map(\.bytes) + refused.joined().map(\.bytes).filter { $0.count < 500 }
    }()

    /// Bytes that have broken other parsers.
    private static let sharp: [[UInt8]] = [
        "\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", "\u{00}", "\u{7F}", "\u{FF}", "%", "0\r\n\r\n", ";", "\"", ",",
        "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "HTTP/1.0", "99999999999999999999",
        "fffffffffffffff", "GET / HTTP/1.1\r\n", "[::1]", "http://",
    ].map { Array(latin1: $0) }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: if place < bytes.count { bytes[place] = UInt8.random(in: .min ... .max, using: &random) }
        case 1: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 2: if place < bytes.count { bytes.remove(at: place) }
        case 3: bytes.insert(contentsOf: Self.sharp.randomElement(using: &random) ?? [], at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<9, using: &random)))
        default:
            let end = min(bytes.count, place + Int.random(in: 0..<40, using: &random))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
    }

    @Test(arguments: TestTier.few(Array(1...8), oneOf: 4)) func `splitting a request changes nothing`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var limits = RequestParser.Limits()
        limits.head = 300
        limits.body = 60
        limits.fields = 8
        limits.target = 60
        var errors: Set<ParseError> = []
        for round in 0..<400 {
            var bytes = Self.seeds.randomElement(using: &random) ?? []
            if Bool.random(using: &random) { bytes += Self.seeds.randomElement(using: &random) ?? [] }
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
            let whole = Transcript(bytes, limits: limits)
            if let error = whole.error { errors.insert(error) }
            for size in [1, 2, Int.random(in: 3...40, using: &random)] {
                let cut = Transcript(bytes, piecesOf: size, limits: limits)
                #expect(cut == whole, "round \(round), pieces of \(size): \(bytes)")
            }
        }
        #expect(errors.count > 10, "the mutations reach most refusals, and not only \(errors)")
    }

    /// An accepted head obeys the rules that a proxy in front of us relies on.
    @Test(arguments: 11...14) func `an accepted head obeys the rules that proxies rely on`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1500 {
            var bytes = Self.seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, &random) }
            for message in Transcript(bytes).messages {
                let fields = message.head.fields
                let lengths = fields.all(.contentLength).count
                #expect(lengths + fields.all(.transferEncoding).count <= 1, "\(bytes)")
                #expect(fields.all(.host).count == 1 || message.head.version == .http10, "\(bytes)")
                let controls = fields.contains { field in
                    field.value.unicodeScalars.contains { ($0.value < 32 && $0 != "\t") || $0.value == 127 }
                }
                #expect(!controls, "\(bytes)")
                guard message.isWhole, case .length(let length) = message.head.framing else { continue }
                #expect(message.body.count == length, "\(bytes)")
            }
        }
    }

    /// Does the same with field values, where the only check is that their readers end.
    @Test(arguments: 21...22) func `no field value traps its reader`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = [
            "wait=25, return=minimal", "W/\"3\", \"x\"", "da-DK,da;q=0.9,*;q=0.1", "gzip;q=0.5, *;q=0",
            "application/json; charset=\"utf-8\"", "for=\"[2001:db8::1]:47\";proto=https", "1.2.3.4, [::1]:80",
            "a=b; c=\"d\"", "a=b%20c&d=+e", "::ffff:10.0.0.1/104", "2001:db8::/32",
        ].map { Array($0.utf8) }
        for _ in 0..<5000 {
            var bytes = values.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &random) { Self.mutate(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = Preference.wait(in: [text])
            _ = EntityTag.List([text])
            _ = LanguageRange.list([text])
            _ = ContentCoding.gzip.isAccepted(in: [text])
            _ = MediaType(text)
            _ = ForwardedAddress.forwarded([text])
            _ = ForwardedAddress.xForwardedFor([text])
            _ = IPAddress.Network(text)
            if let address = IPAddress(text) { #expect(IPAddress(address.description) == address, "\(text)") }
            if let fields = try? FormBody.parse(bytes) {
                let again = (try? FormBody.parse(FormBody.encode(fields))) ?? []
                #expect(again == fields, "\(text)")
            }
        }
    }
}
