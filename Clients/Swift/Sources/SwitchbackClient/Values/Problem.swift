import Foundation

/// An error that Switchback reports, as problem details (RFC 9457).
///
/// An error page of a proxy or a hotel is no problem in this sense.
public struct Problem: Hashable, Sendable {
    /// The response's status.
    public let status: Int
    /// What to decide by, such as `unknown_provider`. All codes are in `Public/openapi.yaml`.
    public let code: String
    /// What to do, for developers.
    public let detail: String
    /// The member of the request's body that is meant.
    public let member: String?
    /// How many more codes the user may try.
    public let triesLeft: Int?
    /// The id of the request. Name it when you ask for help.
    public let requestID: String?
    /// What to tell the user if the provider is switched off (`provider_off`), in the language of the request. Plain text.
    public let notice: String?

    init?(_ response: HTTPResponse) {
        // A charset may follow.
        guard response["Content-Type"]?.lowercased().hasPrefix("application/problem+json") == true,
            let json = try? JSONDecoder().decode(JSONValue.self, from: response.body),
            let code = json["code"]?.string
        else { return nil }
        self.status = response.status
        self.code = code
        self.detail = json["detail"]?.string ?? ""
        self.member = json["member"]?.string
        self.triesLeft = json["tries_left"]?.integer
        self.requestID = json["request_id"]?.string
        self.notice = json["notice"]?.string
    }
}
