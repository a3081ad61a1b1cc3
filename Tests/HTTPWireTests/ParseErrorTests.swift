import HTTPWire
import Testing

/// Every error has a line in a table that causes it, and a status.
@Suite struct ParseErrorTests {
    @Test func `every error is shown by a line`() {
        let tables = [
            RequestLineTests.refused, TargetTests.refused, FieldLineTests.refused, HostTests.refused,
            BodyFramingTests.refused, ChunkedBodyTests.refused, LimitTests.refused,
        ]
        let shown = Set(tables.joined().map(\.error))
        #expect(ParseError.allCases.filter { !shown.contains($0) } == [])
    }

    @Test(arguments: [
        (ParseError.targetTooLong, 414), (.unknownVersion, 505), (.headTooLarge, 431), (.tooManyFields, 431),
        (.unknownTransferCoding, 501), (.bodyTooLarge, 413), (.badRequestLine, 400), (.badHost, 400),
        (.ambiguousFraming, 400),
    ]) func `every error has its status`(_ error: ParseError, _ status: Int) {
        #expect(error.status.rawValue == status)
    }

    @Test func `every status is an error with a name`() {
        for error in ParseError.allCases {
            #expect(400...599 ~= error.status.rawValue, "\(error)")
            #expect(!error.status.reason.isEmpty, "\(error)")
        }
    }
}
