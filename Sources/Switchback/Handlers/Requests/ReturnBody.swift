/// The body of `POST /v1/logins/{id}/return`: the link that opened the app, unread, or `null` for none.
import HTTPWire

struct ReturnBody {
    let link: String?

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        guard body.has("url") else { throw body.missing("url") }
        self.link = try body.text("url") { Form.isText($0, atMost: 8192) }
        try body.end()
    }
}
