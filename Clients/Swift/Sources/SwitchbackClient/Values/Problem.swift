/// What Switchback says when it says no (RFC 9457).
import Foundation

/// An answer that is none of Switchback's, a proxy's or a hotel's page, is no problem in this sense.
public struct Problem: Hashable, Sendable {
    /// The status of the answer.
    public let status: Int
    /// Decide by this: `unknown_provider`, say. The list is in `Public/openapi.yaml`.
    public let code: String
    /// For developers; what to do.
    public let detail: String
    /// Which member of the body is meant.
    public let member: String?
    /// How many codes may still be typed.
    public let triesLeft: Int?
    /// Name it when you ask for help.
    public let requestID: String?

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
    }
}
