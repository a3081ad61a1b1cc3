import HTTPWire

/// A page of the sandbox as an HTTP response, with a matching content security policy.
struct PageResponse: Sendable {
    var status = Status.ok
    let title: String
    let body: Markup
    /// The class of its style; empty for the usual one.
    var look = ""
    /// Where its forms may lead, and the redirects after them.
    var formTargets: [String] = []
    var frameSources: [String] = []
    /// The hash of its script, if it has one (CSP 3 §2.3.1).
    var scriptHash: String?
    /// Whether it loads a script from its own origin, which may send requests there.
    var hasOwnScript = false
    /// The URL that a page without script loads next, and the seconds until then.
    var refresh: (seconds: Int, url: String)?

    var response: Response {
        let page: Markup = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(self.title)</title>
            <link rel="stylesheet" href="/sandbox.css">\(self.refreshMarkup)
            </head>
            <body\(self.look.isEmpty ? "" : " class=\"\(self.look)\"" as Markup)>
            <main>
            \(self.body)
            </main>
            </body>
            </html>

            """
        return Response(
            self.status,
            fields: [
                .contentType: "text/html; charset=utf-8",
                .cacheControl: "no-store",
                .contentSecurityPolicy: self.policy,
                .referrerPolicy: "no-referrer",
                .xContentTypeOptions: "nosniff",
            ],
            body: Array(page.text.utf8))
    }

    private var refreshMarkup: Markup {
        guard let refresh else { return "" }
        return """

            <noscript><meta http-equiv="refresh" content="\(String(refresh.seconds)); url=\(refresh.url)"></noscript>
            """
    }

    private var policy: String {
        var directives = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        let targets = self.formTargets.isEmpty ? ["'none'"] : self.formTargets
        directives.append("form-action " + targets.joined(separator: " "))
        if !self.frameSources.isEmpty { directives.append("frame-src " + self.frameSources.joined(separator: " ")) }
        if self.hasOwnScript { directives += ["script-src 'self'", "connect-src 'self'"] }
        if let scriptHash { directives.append("script-src 'sha256-\(scriptHash)'") }
        return directives.joined(separator: "; ")
    }
}

/// The page that the user sees when a request is so wrong that the client cannot be told.
struct ErrorPage: Sendable {
    var status = Status.badRequest
    let code: String
    let description: String
    /// Where the user goes on, if that is at this host.
    var link: (path: String, label: String)? = nil

    var response: Response {
        let link: Markup = self.link.map { "<p><a class=\"button\" href=\"\($0.path)\">\($0.label)</a></p>" } ?? ""
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>This request cannot be processed</h1>
            <p>\(self.description)</p>
            <p><code>\(self.code)</code></p>
            \(link)
            """
        return PageResponse(status: self.status, title: "Refused", body: body).response
    }
}

/// The last page of a login: the broker has responded, or never will.
struct FinalPage: Sendable {
    let title: String
    let text: String
    /// A link that leads away, which the user has to press.
    var link: (url: String, label: String)? = nil

    static let silence = Self(
        title: "No response", text: "You have approved, and the broker does not tell the relying party, as you chose.")

    var response: Response {
        let link: Markup = self.link.map { "<p><a class=\"button\" href=\"\($0.url)\">\($0.label)</a></p>" } ?? ""
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>\(self.title)</h1>
            <p>\(self.text)</p>
            \(link)
            """
        return PageResponse(title: self.title, body: body).response
    }
}
