import Base
import Cryptography
import HTTPWire

/// The page that sends an authorization response by a form: automatically if scripts run, and otherwise by a button
/// (OAuth 2.0 Form Post Response Mode §2).
struct AuthorizationResponsePage: Sendable {
    private static let once = "document.forms[0].submit()"
    /// Sends the second form when the first has its response, which loads in the frame.
    private static let twice = """
        const [first,second]=document.forms;\
        document.querySelector("iframe").addEventListener("load",()=>second.submit());\
        first.submit()
        """

    private let answer: SandboxAuthorizationResponse

    init(_ answer: SandboxAuthorizationResponse) { self.answer = answer }

    var response: Response {
        let script = self.answer.isSentTwice ? Self.twice : Self.once
        let targets = self.answer.address.formTargets
        return PageResponse(
            title: "Back to the app", body: self.body(script), formTargets: targets,
            frameSources: self.answer.isSentTwice ? targets : [],
            scriptHash: Base64.encode(Digest.sha256.hash(Array(script.utf8)))
        ).response
    }

    private func body(_ script: String) -> Markup {
        let forms: Markup =
            if self.answer.isSentTwice {
                """
                <iframe name="first" title="The first response"></iframe>
                \(self.form("Send the first response", target: " target=\"first\""))
                \(self.form("Send the second response"))
                """
            } else {
                self.form("Continue")
            }
        return """
            <p class="badge">Sandbox</p>
            <h1>Back to the app</h1>
            \(forms)
            <script>\(Markup(text: script))</script>
            """
    }

    private func form(_ label: String, target: Markup = "") -> Markup {
        let inputs = (self.ownQuery + self.answer.parameters).map { field -> Markup in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        let method = self.answer.address.mode.isForm ? "post" : "get"
        return """
            <form method="\(method)" action="\(self.action)"\(target)>
            \(inputs)<button class="approve">\(label)</button>
            </form>
            """
    }

    /// A form sent by GET loses the query of its action, so these parameters must be among its fields.
    private var ownQuery: [Parameter] {
        let uri = self.answer.address.redirectURI
        guard !self.answer.address.mode.isForm, let mark = uri.firstIndex(of: "?") else { return [] }
        let query = (try? FormBody.parse(String(uri[uri.index(after: mark)...]))) ?? []
        return query
    }

    private var action: String {
        let uri = self.answer.address.redirectURI
        guard !self.answer.address.mode.isForm else { return uri }
        return String(uri.prefix { $0 != "?" })
    }
}
