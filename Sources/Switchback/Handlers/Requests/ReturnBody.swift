/// The body of `POST /v1/logins/{id}/return`: the link that opened the app, unread, or `null` for none.
import HTTPWire
import Logins

struct ReturnBody {
    let link: ReturnLink?

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        guard body.has("url") else { throw body.missing("url") }
        self.link = try body.text("url") { Form.isText($0, atMost: 8192) }.map { ReturnLink($0) }
        try body.end()
    }
}
