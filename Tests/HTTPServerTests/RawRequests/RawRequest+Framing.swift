// Where a body ends (RFC 9112 §6): by length, and by codings.

extension RawRequest {
    static let length: [RawRequest] = [
        post("9112 §6.2", "a length", "Content-Length: 5", "hello", .taken("POST / hello")),
        post("9112 §6.2", "a length of zero", "Content-Length: 0", "", .taken("POST /")),
        post("9112 §6.3", "no length is no body", "X: y", "", .taken("POST /")),
        post("9110 §8.6", "leading zeros", "Content-Length: 0005", "hello", .taken("POST / hello")),
        post("9110 §8.6", "blanks around it", "Content-Length: \t5 ", "hello", .taken("POST / hello")),
        post("9112 §6.2", "a body of line ends", "Content-Length: 4", "\r\n\r\n", .taken(#"POST / \13\10\13\10"#)),
        post("9112 §6.2", "a body of zeros", "Content-Length: 3", "\0\0\0", .taken(#"POST / \0\0\0"#)),
        post("9112 §6.2", "a line end behind the body", "Content-Length: 2", "hi\r\n", .taken("POST / hi")),
        post(
            "9112 §6.2", "two line ends behind the body", "Content-Length: 2", "hi\r\n\r\n",
            .refused(400, after: "POST / hi")),
        post("9112 §6.2", "more than its length", "Content-Length: 2", "hi\0", .refused(400, after: "POST / hi")),
        post("9112 §6.3", "two that differ", "Content-Length: 5\r\nContent-Length: 6", "hello!", .refused(400)),
        post("9112 §6.3", "two that are equal", "Content-Length: 5\r\nContent-Length: 5", "hello", .refused(400)),
        post("9112 §6.3", "two in either case", "Content-Length: 5\r\ncontent-length: 0", "hello", .refused(400)),
        post("9112 §6.3", "a list of equal ones", "Content-Length: 5, 5", "hello", .refused(400)),
        post("9112 §6.3", "a list of different ones", "Content-Length: 5,6", "hello", .refused(400)),
        post("9110 §8.6", "empty", "Content-Length:", "", .refused(400)),
        post("9110 §8.6", "blanks", "Content-Length:   ", "", .refused(400)),
        post("9110 §8.6", "a plus sign", "Content-Length: +5", "hello", .refused(400)),
        post("9110 §8.6", "a minus sign", "Content-Length: -5", "hello", .refused(400)),
        post("9110 §8.6", "minus zero", "Content-Length: -0", "", .refused(400)),
        post("9110 §8.6", "hexadecimal", "Content-Length: 0x5", "hello", .refused(400)),
        post("9110 §8.6", "hexadecimal digits", "Content-Length: a", "hello", .refused(400)),
        post("9110 §8.6", "octal with a letter", "Content-Length: 0o5", "hello", .refused(400)),
        post("9110 §8.6", "a point", "Content-Length: 5.0", "hello", .refused(400)),
        post("9110 §8.6", "an exponent", "Content-Length: 5e0", "hello", .refused(400)),
        post("9110 §8.6", "a blank within", "Content-Length: 1 0", "hello", .refused(400)),
        post("9110 §8.6", "an underscore", "Content-Length: 1_0", "hello", .refused(400)),
        post("9110 §8.6", "a quoted one", "Content-Length: \"5\"", "hello", .refused(400)),
        post("9110 §8.6", "digits of another script", "Content-Length: \u{D9}\u{A5}", "hello", .refused(400)),
        post("9110 §8.6", "a semicolon", "Content-Length: 5;", "hello", .refused(400)),
        post("9110 §8.6", "a NUL behind it", "Content-Length: 5\0", "hello", .refused(400)),
        post("9110 §8.6", "a vertical tab before it", "Content-Length: \u{0B}5", "hello", .refused(400)),
        post("9110 §15.5.14", "one byte too many", "Content-Length: 1001", "", .refused(413)),
        post("9110 §15.5.14", "2^32", "Content-Length: 4294967296", "", .refused(413)),
        post("9110 §15.5.14", "2^63", "Content-Length: 9223372036854775808", "", .refused(413)),
        post(
            "9110 §15.5.14", "2^64 and 5, which is 5 to whoever overflows", "Content-Length: 18446744073709551621",
            "hello", .refused(413)),
        post(
            "9110 §15.5.14", "a hundred digits", "Content-Length: " + String(repeating: "9", count: 100), "",
            .refused(413)),
        RawRequest(
            "9112 §6.2", "in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", .last("POST / hello")),
        get(
            "9112 §2.2", "line ends behind the body of a GET", "Content-Length: 2\r\n\r\nhi\r\n",
            .refused(400, after: "GET / hi")),
        RawRequest(
            "9110 §9.3.1", "a GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
            .taken("GET / hi")),
    ]

    static let codings: [RawRequest] = [
        chunks("9112 §7.1", "chunked", "5\r\nhello\r\n0\r\n\r\n", .taken("POST / hello")),
        post("9112 §7", "chunked in capitals", "TRANSFER-ENCODING: CHUNKED", "0\r\n\r\n", .taken("POST /")),
        post("9112 §7", "a blank behind it", "Transfer-Encoding: chunked ", "0\r\n\r\n", .taken("POST /")),
        post("9112 §7", "a tab before it", "Transfer-Encoding:\tchunked", "0\r\n\r\n", .taken("POST /")),
        RawRequest(
            "9112 §7.1", "of a GET",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", .taken("GET / a")),
        post(
            "9112 §6.1", "the sign for kelvin, which equals a K to whoever compares as people do",
            "Transfer-Encoding: chun\u{E2}\u{84}\u{AA}ed", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §6.1", "an accent on the comma", "Transfer-Encoding: gzip,\u{CC}\u{81}chunked", "0\r\n\r\n",
            .refused(400)),
        post("9112 §6.1", "twice in one field", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §6.1", "twice in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n",
            .refused(400)),
        post("9112 §6.3", "not last", "Transfer-Encoding: chunked, gzip", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §6.3", "not last, in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
            "0\r\n\r\n", .refused(400)),
        post("9112 §6.3", "identity behind it", "Transfer-Encoding: chunked, identity", "0\r\n\r\n", .refused(400)),
        post("9112 §6.3", "identity", "Transfer-Encoding: identity", "", .refused(400)),
        post("9112 §6.3", "gzip alone", "Transfer-Encoding: gzip", "", .refused(400)),
        post("9112 §6.3", "a coding that nobody knows", "Transfer-Encoding: cow", "", .refused(400)),
        post("9112 §6.1", "gzip, then chunked", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", .refused(501)),
        post(
            "9112 §6.1", "gzip, then chunked, in two fields", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n", .refused(501)),
        post("9112 §6.1", "identity, then chunked", "Transfer-Encoding: identity, chunked", "0\r\n\r\n", .refused(501)),
        post(
            "9112 §6.1", "a coding that nobody knows, then chunked", "Transfer-Encoding: cow, chunked", "0\r\n\r\n",
            .refused(501)),
        post("9112 §6.1", "empty", "Transfer-Encoding:", "", .refused(400)),
        post("9112 §6.1", "a comma", "Transfer-Encoding: ,", "", .refused(400)),
        post("9112 §6.1", "a comma behind it", "Transfer-Encoding: chunked,", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a comma before it", "Transfer-Encoding: , chunked", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a parameter", "Transfer-Encoding: chunked;q=1", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "quoted", "Transfer-Encoding: \"chunked\"", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "in single quotes", "Transfer-Encoding: 'chunked'", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a letter too many", "Transfer-Encoding: xchunked", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a letter missing", "Transfer-Encoding: chunke", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "two words", "Transfer-Encoding: chunked chunked", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a vertical tab before it", "Transfer-Encoding: \u{0B}chunked", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a NUL behind it", "Transfer-Encoding: chunked\0", "0\r\n\r\n", .refused(400)),
        post("9112 §6.1", "a no-break space before it", "Transfer-Encoding: \u{A0}chunked", "0\r\n\r\n", .refused(400)),
        post("9112 §5.2", "folded", "Transfer-Encoding:\r\n chunked", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §5.1", "a blank before the colon of a coding", "Transfer-Encoding : chunked", "0\r\n\r\n",
            .refused(400)),
        RawRequest(
            "9112 §6.1", "in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .refused(400)),
        RawRequest(
            "9112 §6.1", "in HTTP/1.0 that stays",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .refused(400)),
        post(
            "9110 §10.1.4", "TE names what answers may have", "TE: trailers\r\nContent-Length: 2", "hi",
            .taken("POST / hi")),
    ]
}
