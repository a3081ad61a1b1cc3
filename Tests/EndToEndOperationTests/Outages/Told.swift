import EndToEndSupport
import StrictJSON
import Testing

/// Describes a response in the few words of docs/explanation/outages.md.
enum Told {
    /// Returns, for example, `200 pending`, `303 to the broker`, `503 store_unavailable, Retry-After` or
    /// `503 “We cannot continue right now”, Retry-After`.
    static func text(of answer: Answer) -> String {
        let isRefused = answer[.retryAfter] != nil
        if answer.status == 503, answer[.contentType]?.hasPrefix("text/plain") != true {
            #expect(isRefused, "a 503 must say how long to wait: \(answer.text)")
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

    /// Returns the status, with its reason if it has one: `completed`, or `failed` `interrupted`.
    static func state(of login: JSON) -> String {
        let reason = login["reason"]?["code"]?.string
        return [login["status"]?.string ?? "", reason].compactMap { $0 }.joined(separator: "` `")
    }

    private static func place(_ location: String) -> String {
        if location.hasSuffix("/done/unknown") { return "to nobody's page" }
        return location.contains("/done/") ? "to its page" : "to the broker"
    }
}
