// Requests inside requests (RFC 9112 §11.2): another reader might see one there, but the server never serves it.

extension RawRequest {
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    static let smuggling: [RawRequest] = [
        post("9112 §11.2", "CL.TE", "Content-Length: 6\r\nTransfer-Encoding: chunked", "0\r\n\r\nG", .refused(400)),
        post(
            "9112 §11.2", "CL.TE with a whole request", "Content-Length: 4\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n\(hidden)", .refused(400)),
        post(
            "9112 §11.2", "TE.CL", "Transfer-Encoding: chunked\r\nContent-Length: 4", "5c\r\n\(hidden)0\r\n\r\n",
            .refused(400)),
        post("9112 §11.2", "CL.0", "Content-Length: 0\r\nTransfer-Encoding: chunked", "0\r\n\r\n", .refused(400)),
        post("9112 §11.2", "TE.0", "Transfer-Encoding: chunked\r\nContent-Length: 0", hidden, .refused(400)),
        post(
            "9112 §11.2", "a length beside a coding that nobody knows", "Transfer-Encoding: cow\r\nContent-Length: 5",
            "hello", .refused(400)),
        post(
            "9112 §11.2", "a length beside an empty coding", "Transfer-Encoding:\r\nContent-Length: 5", "hello",
            .refused(400)),
        post(
            "9112 §11.2", "a length beside identity", "Transfer-Encoding: identity\r\nContent-Length: 5", "hello",
            .refused(400)),
        post(
            "9112 §11.2", "two lengths around a coding",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "TE.TE with a coding that nobody knows",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow", "5c\r\n\(hidden)0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "TE.TE with x before it", "Transfer-Encoding: xchunked\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n", .refused(501)),
        post(
            "9112 §11.2", "TE.TE with a blank before the colon",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding : cow", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding with a blank before the colon",
            "Content-Length: 5\r\nTransfer-Encoding : chunked", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding with a tab for the colon's blank",
            "Content-Length: 5\r\nTransfer-Encoding\t: chunked", "0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "a length and a folded coding", "Content-Length: 5\r\nTransfer-Encoding:\r\n\tchunked",
            "0\r\n\r\n", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding behind a bare CR",
            "Content-Length: 5\r\nX: y\rTransfer-Encoding: chunked", "hello", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding behind a bare LF",
            "Content-Length: 5\r\nX: y\nTransfer-Encoding: chunked", "hello", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding behind a NUL", "Content-Length: 5\r\nX: y\0Transfer-Encoding: chunked",
            "hello", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding that begins with a blank line",
            "Content-Length: 5\r\n Transfer-Encoding: chunked", "hello", .refused(400)),
        post(
            "9112 §11.2", "a length and a coding in Latin 1", "Content-Length: 5\r\nTransfer-Encoding: chun\u{E6}ked",
            "hello", .refused(400)),
        post(
            "9112 §11.2", "an underscore makes it another field", "Content-Length: 5\r\nTransfer_Encoding: chunked",
            "hello", .taken("POST / hello")),
        post(
            "9112 §11.2", "an underscore makes it another length", "Content_Length: 50\r\nContent-Length: 5", "hello",
            .taken("POST / hello")),
        post(
            "9112 §11.2", "a coding named by Connection", "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked",
            "1\r\na\r\n0\r\n\r\n", .taken("POST / a")),
        post(
            "9112 §11.2", "a length named by Connection", "Connection: Content-Length\r\nContent-Length: 5", "hello",
            .taken("POST / hello")),
        post(
            "9112 §11.2", "a length of zero, and what follows is the next request", "Content-Length: 0", hidden,
            .taken("POST /", "GET /hidden")),
        post(
            "9112 §11.2", "no length, and what follows is the next request", "X: y", hidden,
            .taken("POST /", "GET /hidden")),
        post(
            "9112 §11.2", "no length, and what follows is a form", "Content-Type: application/x-www-form-urlencoded",
            "a=b&c=d\r\n", .refused(400, after: "POST /")),
        post(
            "9112 §11.2", "a request within the body", "Content-Length: 33", hidden,
            .taken(#"POST / GET /hidden HTTP/1.1\13\10Host: a\13\10\13\10"#)),
        post(
            "9112 §11.2", "a request that begins within the body", "Content-Length: 6", hidden,
            .refused(400, after: "POST / GET /h")),
        chunks(
            "9112 §11.2", "a request within a chunk", "21\r\n\(hidden)\r\n0\r\n\r\n",
            .taken(#"POST / GET /hidden HTTP/1.1\13\10Host: a\13\10\13\10"#)),
        chunks("9112 §11.2", "a request as a trailer", "0\r\n\(hidden)", .refused(400)),
        chunks(
            "9112 §11.2", "an extension that ends in a bare LF and a size", "5;\n5\r\nhello\r\n0\r\n\r\n", .refused(400)
        ),
        chunks("9112 §11.2", "a size that ends in CR and another byte", "5\rXhello\r\n0\r\n\r\n", .refused(400)),
        chunks("9112 §11.2", "a body that ends in CR LF CR", "0\r\n\r", .refused(400)),
        RawRequest("9112 §11.2", "a line end in the target", "GET /a\r\nX: HTTP/1.1\r\nHost: a\r\n\r\n", .refused(400)),
        RawRequest(
            "9112 §11.2", "an escaped line end in the target stays escaped",
            "GET /a%0d%0aX:%20y HTTP/1.1\r\nHost: a\r\n\r\n", .taken("GET /a%0d%0aX:%20y")),
        RawRequest(
            "9112 §11.2", "a request line as a field", "GET / HTTP/1.1\r\nHost: a\r\nGET /hidden HTTP/1.1\r\n\r\n",
            .refused(400)),
        RawRequest(
            "9112 §11.2", "a request line folded into a field",
            "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n GET /hidden HTTP/1.1\r\n\r\n", .refused(400)),
        RawRequest(
            "9112 §11.2", "two requests, the second doubtful",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            .refused(400, after: "GET /")),
        RawRequest(
            "9112 §11.2", "two Hosts, the first with a blank before it",
            "GET / HTTP/1.1\r\n Host: b\r\nHost: a\r\n\r\n", .refused(400)),
        RawRequest(
            "9112 §11.1", "a response in a request", "GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            .refused(400, after: "GET /?a=b")),
        RawRequest(
            "9112 §9.3", "nothing behind a request that said close",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n\(hidden)", .last("GET /")),
        RawRequest(
            "9112 §9.3", "nothing behind HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n\(hidden)", .last("GET /")),
    ]
}
