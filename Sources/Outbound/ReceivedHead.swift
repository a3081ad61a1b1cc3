import Base

/// Reads the head of a response: collects its field lines, and drops interim responses (1xx) before it and trailers
/// after it.
struct ReceivedHead {
    private(set) var fields: [Parameter] = []
    private var isInterim = false
    /// libcurl accepts a head that ends with the connection; we do not.
    private(set) var isComplete = false

    /// Takes one line as it came, with its line end.
    mutating func take(_ line: some BidirectionalCollection<UInt8>) {
        guard !self.isComplete else { return }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            self.fields = []
            // RFC 9110 §15.2: any number of interim responses may come before the response.
            self.isInterim = text.split(separator: " ", maxSplits: 1).dropFirst().first?.hasPrefix("1") ?? false
        } else if text.allSatisfy(\.isNewline) {
            self.isComplete = !self.isInterim
        } else if let colon = text.firstIndex(of: ":") {
            let value = Self.trimmed(text[text.index(after: colon)...])
            self.fields.append(Parameter(text[..<colon].lowercased(), value))
        }
    }

    /// How the body is encoded.
    var coding: ContentCoding {
        ContentCoding(self.fields.filter { $0.name == "content-encoding" }.map(\.value))
    }

    /// `Content-Length`, if it is there. libcurl has checked that it is a number.
    var length: Int? { self.fields.last { $0.name == "content-length" }.flatMap { Int($0.value) } }

    private static func trimmed(_ value: Substring) -> String {
        let start = value.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
