/// `POST /v1/logins/{id}/return`: the app is in the foreground again, perhaps opened by a link.
import HTTPWire
import Logins

struct ComeBack: Sendable {
    let flow: LoginFlow
    let answers: LoginAnswers
    let limits: RequestLimits

    func response(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(context.request, id)
        let body = try ReturnBody(context.request)
        let view = try await answering { () async throws(LoginFlowError) in
            switch body.shown {
            case .link(let link):
                try await context.inTurn { () async throws(LoginFlowError) in
                    try await self.flow.comeBack(
                        login.id, secret: login.secret, link: link, by: context.caller(self.limits))
                }
            case .code(let code): try await self.flow.comeBack(login.id, secret: login.secret, code: code)
            }
        }
        return await self.answers.response(.ok, view, unknown: body.unknown)
    }
}

/// The body of `POST /v1/logins/{id}/return`: the link that opened the app, unparsed, or `null` for no link; or the
/// code that the user read on the page.
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

/// A return link, split into its parts.
extension ReturnLink {
    /// Never fails: a link with a malformed query has no parameters. The fragment was for the app alone.
    package init(_ text: String) {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let query = Array(bytes[end...].dropFirst())
        self.init(
            text: text, location: String(decoding: bytes[..<end], as: UTF8.self),
            parameters: try? FormBody.parse(query))
    }
}
