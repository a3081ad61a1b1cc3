import Base
import HTTPWire
import Logins

/// The link that an app sends us: split as a browser would, so that its beginning says where it leads.
enum LinkTarget {
    private static let redirectURI = "https://app.example/return"

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let text = String(validating: input, as: UTF8.self) else { return .refused }
        let link = ReturnLink(text)
        try require(identical(link.text, text), "another link than came")
        try self.checkParts(of: link)
        // `LoginFlow` compares it in the same way.
        guard identical(link.location, self.redirectURI) else { return .refused }
        try require(input.starts(with: self.redirectURI.utf8), "a broker's answer at another place")
        let next = input.dropFirst(self.redirectURI.utf8.count).first
        try require(next.map { "?#".utf8.contains($0) } != false, "a broker's answer below the place")
        return .accepted
    }

    /// The text is the location, its query and its fragment, and nothing else.
    private static func checkParts(of link: ReturnLink) throws(Violation) {
        let text = Array(link.text.utf8)
        let location = Array(link.location.utf8)
        try require(text.starts(with: location), "a location that is not in the link")
        try require(!location.contains { "?#".utf8.contains($0) }, "more than a location")
        let rest = text.dropFirst(location.count)
        try require(rest.first.map { "?#".utf8.contains($0) } != false, "a location that was cut off")
        let query = rest.first == UInt8(ascii: "?") ? rest.dropFirst().prefix { $0 != UInt8(ascii: "#") } : []
        try require(
            link.parameters(for: nil) == FormInput.received(query, keeping: ReturnLink.names),
            "not the query's parameters")
    }
}
