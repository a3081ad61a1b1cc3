import Base
import Cryptography
import HTTPServer

/// How an app looks on the pages: its colours and logos, served as files whose names are hashes of what they contain,
/// and a link to its support.
package struct AppLook: Equatable, Sendable {
    /// A file that never changes, because another content has another name.
    package struct File: Equatable, Sendable {
        let name: String
        let bytes: [UInt8]

        /// `ending` is the usual one of the type, such as `svg`.
        package init(_ stem: String, _ bytes: [UInt8], ending: String) {
            self.name = "\(stem)-\(Base64URL.encode(Digest.sha256.hash(bytes).prefix(16))).\(ending)"
            self.bytes = bytes
        }

        var path: String { PathPattern.asset.path(self.name) }
    }

    /// The colours of one scheme, as CSS: the button, the text on it, the line around it, links and signs.
    package struct Colors: Equatable, Sendable {
        let button, ink, edge, link, mark: String

        package init(button: String, ink: String, edge: String, link: String, mark: String) {
            self.button = button
            self.ink = ink
            self.edge = edge
            self.link = link
            self.mark = mark
        }
    }

    /// Sets what differs from the usual look. Nil if nothing does.
    let style: File?
    let font: File?
    let logo: File?
    let logoDark: File?
    /// The icon of the browser's tab.
    let icon: File?
    let supportURL: String?
    /// Whether the app's name stands below its logo.
    package var showsName = true

    /// The colours are those of light pages and of dark ones, and the radius is in pixels.
    package init(
        light: Colors? = nil, dark: Colors? = nil, radius: Int? = nil, font: File? = nil, logo: File? = nil,
        logoDark: File? = nil, icon: File? = nil, supportURL: String? = nil
    ) {
        // Each one only in its own scheme: colours for light pages would be unreadable on dark ones.
        var rules = [("light", light), ("dark", dark)].compactMap { scheme, colors in
            colors.map { "@media (prefers-color-scheme: \(scheme)) { :root { \($0.css) } }\n" }
        }
        if let radius { rules.append(":root { --radius: \(radius)px; }\n") }
        if let font {
            // The text is there before the font is, in a font of the phone.
            rules.append(
                "@font-face { font-family: App; src: url(\"\(font.path)\") format(\"woff2\"); "
                    + "font-weight: 100 900; font-display: swap; }\n:root { --font: App, system-ui, sans-serif; }\n")
        }
        self.style = rules.isEmpty ? nil : File("look", Array(rules.joined().utf8), ending: "css")
        self.font = font
        self.logo = logo
        self.logoDark = logoDark
        self.icon = icon
        self.supportURL = supportURL
    }

    var files: [File] { [self.style, self.font, self.logo, self.logoDark, self.icon].compactMap { $0 } }
}

extension AppLook.Colors {
    fileprivate var css: String {
        "--button: \(self.button); --button-ink: \(self.ink); --button-edge: \(self.edge); --link: \(self.link); "
            + "--mark: \(self.mark);"
    }
}
