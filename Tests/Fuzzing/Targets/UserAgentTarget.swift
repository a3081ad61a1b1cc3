import Logins

/// `User-Agent` of a create: what is kept goes into the log and a metric, so it is short and plain, and as it came.
enum UserAgentTarget {
    private static let longest = 275

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let text = String(decoding: input, as: UTF8.self)
        let agent = UserAgent([text])
        try require(UserAgent([text, text]) == .other, "two fields are read")
        guard case .library(let library) = agent else {
            try require(agent == .other && agent.description == "other", "a field is taken for none")
            return .refused
        }
        try require(Array(agent.description.utf8) == input, "other words than came")
        try require(input.count <= self.longest, "a long line of the log")
        let labels = [library.name, library.version, library.appVersion]
        try require(labels.allSatisfy { (1...32).contains($0.utf8.count) }, "a label of another length")
        try require(input.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "it is not plain")
        return .accepted
    }
}
