import Base
import OpenIDConnect

/// Checks whether a broker accepts our credentials: we ask its token endpoint to redeem a code that it never issued.
///
/// An endpoint that accepts the credentials returns `invalid_grant`, one that does not returns `invalid_client` (RFC
/// 6749 §5.2). Nothing is redeemed and no login begins. A broker may count it as a failed attempt, so an operator can
/// leave it out.
struct CredentialProbe {
    /// Made up, and long enough to match no real code.
    private static var code: Secret { Secret("switchback-check-" + Base64URL.encode(RandomBytes.make(24))) }

    let client: Client

    /// The text that `check` prints before the request.
    static func announcement(_ broker: String, _ clientID: String) -> String {
        "\(broker): asks the token endpoint as client \(clientID) to redeem a made-up code, to see whether it accepts our credentials"
    }

    func add(_ metadata: ProviderMetadata, _ fetcher: OnlineFetcher, to list: inout FindingList) async {
        let subject = "credentials"
        let request: ProviderRequest
        do throws(ClientAuthenticationError) {
            request = try TokenRequest(code: Self.code, challenge: .make(state: "check"), client: self.client)
                .providerRequest(metadata: metadata, now: fetcher.now())
        } catch {
            return list.fail(subject, "the token request cannot be made: \(error.rawValue)")
        }
        do throws(FetchError) {
            self.add(try await fetcher.fetch(request), as: subject, to: &list)
        } catch {
            list.note(error, as: subject)
        }
    }

    private func add(_ response: ProviderResponse, as subject: String, to list: inout FindingList) {
        let word = response.refusal?.word.text ?? ""
        switch (response.refusal?.code, response.status) {
        case ("invalid_grant"?, _):
            list.pass(subject, "the broker accepts them (invalid_grant for a made-up code)")
        case ("invalid_client"?, _):
            list.fail(subject, "the broker rejects them (invalid_client): check \(self.settings)")
        case ("unauthorized_client"?, _):
            list.fail(subject, "the broker does not let this client redeem codes (unauthorized_client): ask the broker")
        case (nil, 401), (nil, 403):
            list.fail(subject, "the broker rejects them (\(response.status)): check \(self.settings)")
        case (_?, _):
            list.warn(subject, "the broker returns \(word) for a made-up code, which says nothing about them")
        case (nil, let status):
            list.warn(subject, "the token endpoint returns \(status) for a made-up code, which says nothing about them")
        }
    }

    /// The settings that form the credentials.
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
