import Base
import Logins

/// One HTML file with the pages of an app: every kind, in every language, light and dark. It loads nothing and runs no
/// script: its policy counts for the pages inside it too.
package struct PagePreview: Sendable {
    /// How every preview begins, to tell it from other files.
    package static let mark = "<!DOCTYPE html>\n<!-- switchback pages preview -->"

    private static let size = (width: 390, height: 844)
    private static let scale = 0.5

    private let pages: Pages
    /// Each asset's path, and the same content as a URL of its own, on light pages and on dark ones.
    private let assets: [(path: String, light: String, dark: String)]
    private let title: String

    /// The preview of an app and of one of its e-IDs, by its names.
    package init(
        _ folder: PublicFolder, app: AppProfile, provider: [String: String], settings: PageSettings
    ) throws(OperatorError) {
        var settings = settings
        settings.allowsDraftLanguages = true
        self.pages = try Pages(
            folder, apps: [PageView.sampleApp: app], providers: [PageView.sampleProvider: provider], settings: settings)
        self.title = "Pages of \(app.names.name(in: "en") ?? "an app")"
        var files = app.look.files.map { ($0.name, $0.bytes) }
        for name in folder.names(in: "assets") { files.append((name, try folder.bytes(of: "assets/\(name)"))) }
        self.assets = files.map { name, bytes in
            let type = PublicFiles.contentType(of: name)?.prefix { $0 != ";" } ?? "application/octet-stream"
            guard type == "text/css" else {
                let url = Self.url(type, bytes)
                return (PathPattern.asset.path(name), url, url)
            }
            var style = String(decoding: bytes, as: UTF8.self)
            if let font = app.look.font { style = style.replacing(font.path, with: Self.url("font/woff2", font.bytes)) }
            return (
                PathPattern.asset.path(name), Self.url(type, Array(Self.fixed(style, dark: false).utf8)),
                Self.url(type, Array(Self.fixed(style, dark: true).utf8))
            )
        }
    }

    private static func url(_ type: Substring, _ bytes: [UInt8]) -> String {
        "data:\(type);base64,\(Base64.encode(bytes))"
    }

    /// Browsers do not let a page choose the scheme of another page inside it, so each copy has one scheme only.
    private static func fixed(_ text: String, dark: Bool) -> String {
        let (always, never) = ("(min-width: 0px)", "(max-width: 0px)")
        return text.replacing("(prefers-color-scheme: dark)", with: dark ? always : never)
            .replacing("(prefers-color-scheme: light)", with: dark ? never : always)
            .replacing("color-scheme: light dark", with: "color-scheme: \(dark ? "dark" : "light")")
            .replacing("content=\"light dark\"", with: "content=\"\(dark ? "dark" : "light")\"")
    }

    package var html: String {
        let languages = self.pages.strings.languages.values.sorted { $0.tag < $1.tag }
        let links = languages.map { "<a href=\"#\($0.tag)\">\($0.tag)</a>" }.joined(separator: " ")
        return """
            \(Self.mark)
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; frame-src 'self'">
            <title>\(HTMLText.escaped(self.title))</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(HTMLText.escaped(self.title))</h1>
            <p>Each page as on a phone, light and dark. Above it: its state, and its text in <code>strings</code>.</p>
            <nav>\(links)</nav>
            \(languages.map(self.section).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static var style: String {
        let width = Int(Double(Self.size.width) * Self.scale)
        let height = Int(Double(Self.size.height) * Self.scale)
        return """
            body { margin: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; background: #e6e6e6; color: #1c1c1c; }
            section { display: flex; flex-wrap: wrap; gap: 1.5rem; }
            h2 { flex-basis: 100%; margin: 2rem 0 0; }
            figure { margin: 0; content-visibility: auto; contain-intrinsic-size: \(2 * width + 10)px \(height + 30)px; }
            figcaption { font: .8125rem/1.5 ui-monospace, monospace; }
            span { display: inline-block; width: \(width)px; height: \(height)px; overflow: hidden; border: 1px solid #8a8a8a; }
            iframe { width: \(Self.size.width)px; height: \(Self.size.height)px; border: 0; transform: scale(\(Self.scale)); transform-origin: 0 0; }
            """
    }

    private func section(_ language: PageLanguage) -> String {
        let review: String =
            switch language.review {
            case .draft: "a draft"
            case .reviewed(let name): "reviewed by \(name)"
            }
        var seenPages: Set<String> = []
        // Several reasons have the same page.
        let figures = PageView.samples.compactMap { view -> String? in
            let page = String(decoding: self.pages.html(view, in: language, isWatched: false), as: UTF8.self)
            guard seenPages.insert(page).inserted else { return nil }
            let name = "\(view.state)\(view.isOnWeb ? " (web)" : ""): \(PageText.text(of: view).rawValue)"
            return """
                <figure><figcaption>\(name)</figcaption>
                \(self.frame(page, "\(name), \(language.tag), light", dark: false))
                \(self.frame(page, "\(name), \(language.tag), dark", dark: true))
                </figure>
                """
        }
        return """
            <section id="\(language.tag)" lang="en">
            <h2>\(language.tag): \(HTMLText.escaped(review))</h2>
            \(figures.joined(separator: "\n"))
            </section>
            """
    }

    private func frame(_ page: String, _ title: String, dark: Bool) -> String {
        let whole = self.assets.reduce(Self.fixed(page, dark: dark)) {
            $0.replacing("\"\($1.path)\"", with: "\"\(dark ? $1.dark : $1.light)\"")
        }
        return
            "<span><iframe loading=\"lazy\" title=\"\(title)\" srcdoc=\"\(HTMLText.escaped(whole))\"></iframe></span>"
    }
}
