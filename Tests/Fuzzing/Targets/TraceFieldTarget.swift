import Traces

/// `traceparent`, and after a line feed the lines of `tracestate`: what is accepted is passed on with the same meaning,
/// and is short and plain.
enum TraceFieldTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
        let parent = TraceParent(String(decoding: lines.first ?? [], as: UTF8.self))
        if let parent {
            try require(TraceParent(parent.description) == parent, "it reads differently when it is passed on")
            try require(
                Array(parent.description.utf8).dropFirst(2).starts(with: (lines.first ?? []).dropFirst(2).prefix(51)),
                "other ids than came")
        }
        let stateLines = lines.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        let state = stateLines.isEmpty ? nil : TraceState(stateLines)
        if let state {
            let text = state.description
            try require(text.utf8.count <= 512, "a long field")
            try require(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "it is not plain")
            try require(TraceState([text])?.description == text, "it reads differently when it is passed on")
        }
        return parent == nil && state == nil ? .refused : .accepted
    }
}
