import OpenIDConnect
import ServerConfiguration
import StrictJSON

/// Why we cannot use a discovery document, and what to do about it.
struct DiscoveryFindings {
    typealias Member = ProviderMetadata.Member

    private let issuer: String
    private let policy: EndpointPolicy
    private let document: JSON?

    init(_ issuer: String, _ policy: EndpointPolicy, _ document: JSON?) {
        self.issuer = issuer
        self.policy = policy
        self.document = document
    }

    func add(_ failure: ProviderDirectoryError, to list: inout FindingList) {
        switch failure {
        case .fetch(let error): list.note(error, as: "connection")
        case .status(let status): list.fail("discovery", "the response is \(status): \(Self.advice(status))")
        case .tooLarge: list.fail("discovery", "the document is larger than 256 KiB: is the issuer right?")
        case .metadata(let failure): self.add(failure, to: &list)
        case .keySet, .noUsableKey, .throttled: list.fail("discovery", failure.raw)
        }
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 300..<400: "redirects are not followed; configure the issuer that it leads to"
        case 500...: "the broker is out of order, or a proxy in front of it"
        default: "check the issuer, including its final slash"
        }
    }

    private func add(_ failure: ProviderMetadataError, to list: inout FindingList) {
        switch failure {
        case .notAnObject: list.fail("discovery", "the document is not a JSON object: is the issuer right?")
        case .issuer:
            let other = self.document?[Member.issuer.rawValue]?.string ?? ""
            if IssuerMistake.isPattern(other) {
                return list.fail(
                    "issuer",
                    "the document names \"\(other)\", which stands for every tenant: \(IssuerMistake.tenantAdvice)")
            }
            list.fail(
                "issuer",
                "this is not the issuer that you configured: the document names \"\(other)\". If you did not expect that, stop and ask the broker; if it is the broker's own name, configure it byte for byte"
            )
        case .missing(let member): list.fail("discovery", "\(member.rawValue) is missing: the broker must correct it")
        case .wrongType(let member):
            list.fail("discovery", "\(member.rawValue) has the wrong type: the broker must correct it")
        case .refused(let member, _):
            self.addRefused(Self.endpoints.contains(member) ? Self.endpoints : [member], to: &list)
        case .codeFlowUnsupported: list.fail("discovery", "the broker does not offer response_type code: we need it")
        case .challengeMethodUnsupported: list.fail("discovery", "the broker does not offer PKCE with S256: we need it")
        }
    }

    /// Those that every broker uses.
    private static let endpoints: [Member] = [.authorizationEndpoint, .tokenEndpoint, .jwksURI]

    /// Adds all refused endpoints, not only the first.
    private func addRefused(_ endpoints: [Member], to list: inout FindingList) {
        guard let issuer = try? self.policy.issuer(self.issuer) else {
            return list.fail("issuer", "is not an https URL without a query")
        }
        for member in endpoints {
            guard let text = self.document?[member.rawValue]?.string else { continue }
            do throws(EndpointPolicyError) {
                _ = try self.policy.endpoint(text, of: issuer)
            } catch {
                list.fail("hosts", "\(member.rawValue) \(Self.reason(error, text))")
            }
        }
    }

    private static func reason(_ refusal: EndpointPolicyError, _ text: String) -> String {
        switch refusal {
        case .url: "is not a URL: the broker must correct it"
        case .insecure: "is not https: the broker must correct it"
        case .host: "is on \(EndpointURL(text)?.host ?? ""): add it to hosts, if it is the broker's"
        }
    }
}
