/// The body of `POST /v1/logins/{id}/return`: the link that opened the app, unread, or `null` for none; or the code that a
/// person has read on the page.
import HTTPWire
import Logins

struct ReturnBody {
    enum Shown {
        case link(ReturnLink?)
        case code(String)
    }

    let shown: Shown
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        if let code = try body.text("code", { Form.isText($0, atMost: 32) }) {
            guard try body.text("url", { _ in true }) == nil else { throw body.invalid("url") }
            self.shown = .code(code)
        } else {
            guard body.has("url") else { throw body.missing("url") }
            self.shown = .link(try body.text("url") { Form.isText($0, atMost: 8192) }.map { ReturnLink($0) })
        }
        var unknown = UnknownMembers(in: request)
        try unknown.take(body.left)
        self.unknown = unknown
    }
}
