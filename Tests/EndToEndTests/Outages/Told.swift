/// What an answer tells, in the few words that stand in docs/outages.md.
import StrictJSON
import Testing

enum Told {
    /// `503 store_unavailable, Retry-After`, `200 pending`, `503 “We cannot go on right now”, Retry-After`, `303 to the broker`.
    static func text(of answer: Answer) -> String {
        let isRefused = answer[.retryAfter] != nil
        if answer.status == 503, answer[.contentType]?.hasPrefix("text/plain") != true {
            #expect(isRefused, "whoever has to wait is told how long: \(answer.text)")
        }
        return "\(answer.status) \(Self.contents(of: answer))\(isRefused ? ", `Retry-After`" : "")"
    }

    private static func contents(of answer: Answer) -> String {
        if let location = answer[.location], answer.status == 303 { return Self.place(location) }
        if answer[.contentType]?.hasPrefix("text/html") == true {
            return "“\(answer.text.firstMatch(of: /<h1>(.*)<\/h1>/)?.1 ?? "")”"
        }
        guard let json = answer.json else { return answer.text.split(separator: "\n").joined(separator: ", ") }
        return "`\(json["code"]?.string ?? Self.state(of: json))`"
    }

    /// `completed`, or with its reason: `failed` `interrupted`.
    static func state(of login: JSON) -> String {
        let reason = login["reason"]?["code"]?.string
        return [login["status"]?.string ?? "", reason].compactMap { $0 }.joined(separator: "` `")
    }

    private static func place(_ location: String) -> String {
        if location.hasSuffix("/done/unknown") { return "to nobody's page" }
        return location.contains("/done/") ? "to its page" : "to the broker"
    }
}
