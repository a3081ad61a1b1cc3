import HTTPServer
import HTTPWire

/// The pages that the `type` of a problem links to (RFC 9457 §3.1.1): what each code means and what to do. They are for
/// developers, in English.
struct ProblemPages: Sendable {
    /// Made when somebody first asks for one.
    static let all = ProblemPages()

    /// Lists all codes, each with a link.
    let index: StaticFile
    private let pages: [String: StaticFile]

    private init() {
        self.index = Self.file("Problems", Self.list)
        self.pages = Dictionary(
            uniqueKeysWithValues: Problem.Code.allCases.map { ($0.rawValue, Self.file($0.rawValue, Self.text(of: $0))) }
        )
    }

    /// Nil for a code that this version does not have.
    subscript(_ code: String) -> StaticFile? { self.pages[code] }

    private static var list: String {
        let rows = Problem.Code.allCases.map {
            "<li><a href=\"\(PathPattern.problem.path($0.rawValue))\">\($0.rawValue)</a> (\($0.status.rawValue))</li>"
        }
        return """
            <p>A response that refuses a request is <code>application/problem+json</code> (RFC 9457). Decide by its <code>code</code>.</p>
            <ul>
            \(rows.joined(separator: "\n"))
            </ul>
            """
    }

    private static func text(of code: Problem.Code) -> String {
        let again =
            code.status.isTemporary
            ? "The same request may succeed later. If the response has <code>Retry-After</code>, wait for that many seconds."
            : "The same request will be refused again until something changes."
        return """
            <p>HTTP status: \(code.status.rawValue) \(HTMLText.escaped(code.status.reason))</p>
            <p>\(HTMLText.escaped(code.detail))</p>
            <p>\(again)</p>
            <p><a href="\(PathPattern.problems.path)">All problems</a>, \
            <a href="\(PathPattern.openAPI.path)">the whole API</a></p>
            """
    }

    private static func file(_ title: String, _ text: String) -> StaticFile {
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/assets/switchback.css">
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(text)
            </main>
            </body>
            </html>

            """
        return StaticFile(
            bytes: Array(page.utf8), contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=300")
    }
}

extension Status {
    /// Whether a request that gets this status may succeed later, unchanged.
    fileprivate var isTemporary: Bool {
        switch self {
        case .requestTimeout, .conflict, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable: true
        default: false
        }
    }
}
