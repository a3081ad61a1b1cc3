import HTTPWire
import Logins

/// `POST /v1/logins/{id}/return`: the app is in the foreground again, perhaps opened by a link.
final class HandleReturn: RespondingHandler {
    private let flow: LoginFlow
    private let answers: LoginResponses
    private let limits: RequestLimits

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.answers = services.answers
        self.limits = services.limits
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(context.request, id)
        let body = try ReturnBody(context.request)
        let view = try await translatingErrors { () async throws(LoginFlowError) in
            switch body.content {
            case .link(let link):
                try await context.inTurn { () async throws(LoginFlowError) in
                    try await self.flow.handleReturn(
                        login.id, secret: login.secret, link: link, by: context.clientContext(self.limits))
                }
            case .code(let code): try await self.flow.handleReturn(login.id, secret: login.secret, code: code)
            }
        }
        return try await self.answers.response(to: context, .ok, view, unknown: body.unknown)
    }
}

/// The body of `POST /v1/logins/{id}/return`: the link that opened the app, unparsed, or `null` for no link; or the
/// code that the user read on the page.
struct ReturnBody {
    enum Content {
        case link(ReturnLink?)
        case code(String)
    }

    let content: Content
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        // The user has three tries. What cannot be a code takes none of them.
        if let code = try body.readText("code", InputSyntax.isPageCode) {
            guard try body.readText("url", { _ in true }) == nil else { throw body.invalid("url") }
            self.content = .code(code)
        } else {
            guard body.has("url") else { throw body.missing("url") }
            self.content = .link(
                try body.readText("url") { InputSyntax.isText($0, atMost: 8192) }.map { ReturnLink($0) })
        }
        self.unknown = try UnknownMembers(body.unreadNames, in: request)
    }
}

/// A return link, split into its parts.
extension ReturnLink {
    /// Never fails: fields that cannot be decoded are none. The fragment was for the app alone.
    package init(_ text: String) {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let query = Array(bytes[end...].dropFirst())
        self.init(
            text: text, location: String(decoding: bytes[..<end], as: UTF8.self),
            read: { FormBody.read(query, keeping: $0) })
    }
}
