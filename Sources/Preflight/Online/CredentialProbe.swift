/// Whether a broker takes our credentials: its token endpoint is asked to redeem a code that nobody gave out.
///
/// An endpoint that takes the credentials answers `invalid_grant`, one that does not `invalid_client` (RFC 6749 §5.2). Nothing
/// is redeemed and no login begins. A broker may count it as a failed attempt, so an operator can leave it out.
import Base
import OpenIDConnect

struct CredentialProbe {
    /// Made up, and long enough to be nobody's.
    private static var code: Secret { Secret("switchback-check-" + Base64URL.encode(RandomBytes.make(24))) }

    let client: Client

    /// What `check` says before it asks.
    static func announcement(_ broker: String, _ clientID: String) -> String {
        "\(broker): asks the token endpoint as client \(clientID) to redeem a made-up code, to see whether our credentials are taken"
    }

    func add(_ metadata: ProviderMetadata, _ asking: OnlineAsking, to list: inout FindingList) async {
        let subject = "credentials"
        let request: ProviderRequest
        do throws(ClientAuthenticationError) {
            request = try TokenRequest(code: Self.code, challenge: .make(state: "check"), client: self.client)
                .providerRequest(metadata: metadata, now: asking.now())
        } catch {
            return list.fail(subject, "the token request cannot be made: \(error.rawValue)")
        }
        do throws(FetchError) {
            self.add(try await asking.fetch(request), as: subject, to: &list)
        } catch {
            list.note(error, as: subject)
        }
    }

    private func add(_ response: ProviderResponse, as subject: String, to list: inout FindingList) {
        switch (response.refusal?.code, response.status) {
        case ("invalid_grant"?, _):
            list.ok(subject, "the broker takes them (invalid_grant for a made-up code)")
        case ("invalid_client"?, _):
            list.fail(subject, "the broker does not take them (invalid_client): look at \(self.settings)")
        case ("unauthorized_client"?, _):
            list.fail(subject, "the broker does not let this client redeem codes (unauthorized_client): ask the broker")
        case (nil, 401), (nil, 403):
            list.fail(subject, "the broker does not take them (\(response.status)): look at \(self.settings)")
        case (let code?, _):
            list.warn(subject, "the broker answers \(code) to a made-up code, which says nothing about them")
        case (nil, let status):
            list.warn(subject, "the token endpoint answers \(status) to a made-up code, which says nothing about them")
        }
    }

    /// What the credentials are made of.
    private var settings: String {
        switch self.client.authentication {
        case .secretBasic: "client_id, client_secret and basic_encoding"
        case .secretPost: "client_id and client_secret"
        case .secretJWT: "client_id, client_secret and assertion_audience"
        case .privateKeyJWT: "client_id, assertion_audience, and which of our keys the broker knows (jwks URI above)"
        case .mutualTLS: "client_id, and which certificate the broker knows"
        }
    }
}
