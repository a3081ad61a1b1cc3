import Base
import Brokers
import OpenIDConnect
import Outbound
import ServerConfiguration

/// Checks whether a broker knows our URIs: we ask for its login page as a browser would, once for each of them.
///
/// A broker must not redirect to a URI that it does not know, and tells the user (RFC 6749 §4.1.2.1): most answer with
/// 400. For an unknown link of an app it redirects to us with an error of its own. No user is asked, and no login
/// begins.
struct URIProbe {
    let client: Client
    let uris: [BrokerURI]

    /// The text that `check` prints before the requests.
    static func announcement(_ broker: String) -> String {
        "\(broker): asks for the login page, once for each URI above, to see whether the broker knows it"
    }

    func add(_ metadata: ProviderMetadata, _ fetcher: OnlineFetcher, to list: inout FindingList) async {
        for uri in self.uris where uri.needsEntry {
            guard let provider = uri.provider else { continue }
            switch await self.verdict(on: uri, provider, metadata, fetcher) {
            case .known: list.pass(uri.name, "the broker knows \(uri.url)")
            case .page:
                list.pass(
                    uri.name,
                    "the broker answers with a page to \(uri.url); look at it in a browser, because some answer so to a URI that they do not know"
                )
            case .unclear(let why):
                list.warn(uri.name, "the broker \(why), which does not say whether it knows \(uri.url)")
            case .refused(let why):
                list.warn(uri.name, "the broker \(why): is \(uri.url) entered there, byte for byte?")
            }
        }
    }

    private enum Verdict {
        case known
        case page
        case unclear(String)
        case refused(String)
    }

    private func verdict(
        on uri: BrokerURI, _ provider: Provider, _ metadata: ProviderMetadata, _ fetcher: OnlineFetcher
    ) async -> Verdict {
        let request = AuthorizationRequest(
            client: self.client, challenge: .make(state: "switchback-check"), scope: provider.scope,
            prompt: provider.prompt, acrValues: provider.acrValues, additional: uri.parameters)
        do {
            switch try request.authorization(metadata: metadata, now: fetcher.now()) {
            case .push(let push): return Self.verdict(onPushed: try await fetcher.fetch(push))
            case .url(let url): return self.verdict(on: uri, try await fetcher.get(url).response)
            }
        } catch {
            return .unclear("cannot be asked")
        }
    }

    /// The endpoint judges the whole request at once (RFC 9126 §2.1).
    private static func verdict(onPushed response: ProviderResponse) -> Verdict {
        do throws(ProviderResponseError) {
            _ = try PushedAuthorization.validate(response)
            return .known
        } catch {
            guard let word = error.word, response.status == 400 else { return .unclear("returns \(response.status)") }
            return .refused("refuses the request (\(word.text))")
        }
    }

    private func verdict(on uri: BrokerURI, _ response: OutboundResponse) -> Verdict {
        switch response.status {
        case 200: return .page
        case 301...303, 307, 308:
            guard let location = response["location"], !location.isEmpty else { return .unclear("redirects nowhere") }
            return self.verdict(on: uri, redirectTo: location)
        case 400, 404, 422: return .refused("refuses the request (\(response.status))")
        default: return .unclear("returns \(response.status)")
        }
    }

    /// A broker redirects only to a URI that it knows (RFC 6749 §4.1.2.1), so an error there is about the rest of the
    /// request.
    private func verdict(on uri: BrokerURI, redirectTo location: String) -> Verdict {
        let parts = location.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard identical(String(parts[0].prefix { $0 != "#" }), self.client.redirectURI) else {
            return location.contains("error") ? .refused("leads to a page about an error") : .page
        }
        guard uri.app != nil, parts.count == 2 else { return .known }
        let error = parts[1].split(separator: "&").first { $0.hasPrefix("error=") }?.dropFirst("error=".count)
        return error.map { .refused("refuses the request (\(ErrorWord(String($0)).text))") } ?? .known
    }
}
