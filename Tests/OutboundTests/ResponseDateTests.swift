import Base
import Outbound
import Testing

/// RFC 9110 §6.6.1, RFC 9111 §5.1: the server's time, as far as its response tells.
@Suite struct ResponseDateTests {
    static let rows: [(date: String?, age: String?, seconds: Int?)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", nil, 784_111_777),
        ("Sun Nov  6 08:49:37 1994", nil, 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "10", 784_111_787),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "-10", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "soon", 784_111_777),
        // We believe no age above a year.
        ("Sun, 06 Nov 1994 08:49:37 GMT", "9223372036854775807", 784_111_777 + 31_536_000),
        (nil, "10", nil),
        ("", nil, nil),
        ("now", nil, nil),
        ("Sun, 99 Nov 1994 08:49:37 GMT", nil, nil),
    ]

    @Test(arguments: rows) func `the date is read with its age`(_ date: String?, _ age: String?, _ seconds: Int?) {
        let fields = [("date", date), ("age", age)].compactMap { name, value in value.map { Parameter(name, $0) } }
        #expect(OutboundResponse(status: 200, fields: fields).date == seconds)
    }

    /// Whatever these mean, no sum of them traps.
    @Test(arguments: [
        "Fri, 31 Dec 2147483647 23:59:59 -2359", "Fri, 31 Dec 99999 23:59:59 GMT", "Thu, 1 Jan 1 0:0:0 +1400",
    ])
    func `the sum of any year does not trap`(_ date: String) {
        let fields = [Parameter("date", date), Parameter("age", "9223372036854775807")]
        let read = OutboundResponse(status: 200, fields: fields).date
        #expect(read.map { $0 >= 0 && $0 < 1 << 60 } ?? true)
    }
}
