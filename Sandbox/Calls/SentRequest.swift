import Base
import HTTPWire

/// A request as it was sent, with its secrets. Only the visitor whose login it belongs to gets it, as a command for a
/// shell.
struct SentRequest: Sendable {
    /// The command's own fields, and those that say nothing about the call.
    private static let fields: Set<String> = [
        "accept", "accept-language", "authorization", "content-type", "cookie", "dpop", "if-none-match", "origin",
        "prefer",
    ]
    /// In bytes. No request of a login is longer.
    private static let limit = 64 * 1024

    let method: String
    let url: String
    let fields: [Parameter]
    let body: [UInt8]

    /// Nil for a request that is too long to be kept.
    init?(_ request: Request) {
        guard request.body.count <= Self.limit else { return nil }
        self.init(
            method: request.method.rawValue, url: "http://\(request.fields[.host] ?? "")\(request.target.raw)",
            fields: request.fields.map { Parameter($0.name.description, $0.value) }, body: request.body)
    }

    init(method: String, url: String, fields: [Parameter], body: [UInt8]) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// A command that sends the same request.
    var curl: String {
        var words = ["curl -i"]
        if self.method != "GET" { words.append("-X \(self.method)") }
        words.append(Shell.quoted(self.url))
        // Without it, curl would read brackets and braces as a pattern.
        if self.url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        for field in self.fields where Self.fields.contains(field.name.lowercased()) {
            // A field without a value ends with a semicolon, or curl would leave it out.
            let text = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            words.append("-H " + Shell.quoted(text))
        }
        // `-d` would read a file after an @.
        if !self.body.isEmpty {
            words.append("--data-raw " + Shell.quoted(String(decoding: self.body, as: UTF8.self)))
        }
        return words.joined(separator: " ")
    }
}

/// Text for a POSIX shell.
package enum Shell {
    /// Returns a text as one word, in which the shell expands nothing.
    package static func quoted(_ text: String) -> String {
        // By scalars: a quote and a combining mark after it are one character.
        "'\(text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined())'"
    }

    /// Returns a text as a comment, line by line.
    static func comment(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "# \($0)\n" }.joined()
    }
}
