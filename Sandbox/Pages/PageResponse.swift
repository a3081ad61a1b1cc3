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
