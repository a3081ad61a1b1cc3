import Testing

@testable import HTTPServer

/// The Date field (RFC 9110 §5.6.7).
@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (2_524_607_999, "Fri, 31 Dec 2049 23:59:59 GMT"),
        (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ]) func `a date is written in its fixed form`(_ second: Int, _ text: String) {
        #expect(HTTPDate.text(ofSecond: second) == text)
    }
}
