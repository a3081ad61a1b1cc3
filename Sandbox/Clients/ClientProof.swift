import Base
import HTTPWire

/// Client authentication at an endpoint (RFC 6749 §2.3, RFC 9126 §2). A client must use exactly the method it
/// registered.
struct ClientProof: Sendable {
    private enum PresentedCredentials: Sendable {
        case basic(BasicCredentials)
        case post(id: String, secret: String)
        case assertion(String)
        case certificate(id: String, [UInt8])
    }

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    let core: ProviderCore
    /// The path of the endpoint.
    let endpoint: String

    func client(_ request: Request, _ form: Parameters) throws(OAuthRefusal) -> SandboxClient {
        let client: SandboxClient
        switch try self.presented(request, form) {
        case .basic(let credentials):
            client = try self.byBasic(credentials)
        case .post(let id, let secret):
            client = try self.registered(id, .secretPost)
            guard client.secret == Secret(secret) else { throw Self.refused("the secret is wrong") }
        case .assertion(let token):
            client = try AssertionProof(core: self.core, endpoint: self.endpoint).client(token)
        case .certificate(let id, let certificate):
            client = try self.byCertificate(id, certificate)
        }
        if let id = form["client_id"], id != client.clientID {
            throw OAuthRefusal(.invalidRequest, "client_id names another client")
        }
        return client
    }

    /// RFC 6749 §2.3: a client must not use more than one method in a request.
    private func presented(_ request: Request, _ form: Parameters) throws(OAuthRefusal) -> PresentedCredentials {
        let headers = request.fields.all(.authorization)
        var presentedCredentials: [PresentedCredentials] = []
        for header in headers {
            guard let credentials = BasicCredentials(header) else { throw Self.refused("Authorization is not Basic") }
            presentedCredentials.append(.basic(credentials))
        }
        if let secret = form["client_secret"] {
            presentedCredentials.append(.post(id: form["client_id"] ?? "", secret: secret))
        }
        if let token = form["client_assertion"] {
            guard form["client_assertion_type"] == Self.assertionType else {
                throw Self.refused("client_assertion_type is wrong")
            }
            presentedCredentials.append(.assertion(token))
        }
        // A certificate may accompany any of them (RFC 8705 §7.1); alone, it is the proof.
        if presentedCredentials.isEmpty, self.core.mutualTLS != nil,
            let certificate = PresentedCertificate.read(request)
        {
            presentedCredentials.append(.certificate(id: form["client_id"] ?? "", certificate))
        }
        guard let first = presentedCredentials.first else { throw Self.refused("the client does not authenticate") }
        guard presentedCredentials.count == 1 else {
            throw OAuthRefusal(.invalidRequest, "the client authenticates in two ways")
        }
        return first
    }

    /// The RFC requires the form-encoded reading. The raw one counts only if they cannot mean different clients.
    private func byBasic(_ credentials: BasicCredentials) throws(OAuthRefusal) -> SandboxClient {
        let possible =
            switch self.core.broker.basicReading {
            case .raw: credentials.readings.suffix(1)
            case .formEncoded: credentials.readings.prefix(1)
            case .either: credentials.readings[...]
            }
        let readings = possible.filter { self.core.client($0.id) != nil }
        guard let first = readings.first, readings.allSatisfy({ $0.id == first.id }) else {
            throw Self.refused("there is no such client")
        }
        let client = try self.registered(first.id, .secretBasic)
        guard readings.contains(where: { client.secret == Secret($0.secret) }) else {
            throw Self.refused("the secret is wrong")
        }
        return client
    }

    /// RFC 8705 §2. This compares the certificate itself; a provider with many clients would compare names.
    private func byCertificate(_ id: String, _ certificate: [UInt8]) throws(OAuthRefusal) -> SandboxClient {
        guard let client = self.core.client(id) else { throw Self.refused("there is no such client") }
        guard client.authentication.isMutualTLS else {
            throw Self.refused("the client registered \(client.authentication.rawValue)")
        }
        guard client.certificate == certificate else { throw Self.refused("the certificate is not the registered one") }
        return client
    }

    private func registered(
        _ id: String, _ method: SandboxClient.Authentication
    ) throws(OAuthRefusal) -> SandboxClient {
        guard let client = self.core.client(id) else { throw Self.refused("there is no such client") }
        guard client.authentication == method else {
            throw Self.refused("the client registered \(client.authentication.rawValue)")
        }
        return client
    }

    private static func refused(_ description: String) -> OAuthRefusal { .init(.invalidClient, description) }
}

/// The credentials in `Authorization: Basic` (RFC 7617), in the two ways in which clients write them.
struct BasicCredentials: Sendable {
    /// First form-encoded, as RFC 6749 §2.3.1 requires; then unencoded.
    let readings: [(id: String, secret: String)]

    init?(_ header: String) {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(parts[1]),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        let raw = (id: String(text[..<colon]), secret: String(text[text.index(after: colon)...]))
        var readings: [(id: String, secret: String)] = []
        if let id = Self.decoded(raw.id), let secret = Self.decoded(raw.secret) { readings.append((id, secret)) }
        readings.append(raw)
        self.readings = readings
    }

    /// Returns nil for text that is not form-encoded.
    private static func decoded(_ text: String) -> String? {
        // The text is read as the only value of a form, which these characters would end.
        guard !text.contains("&"), !text.contains("=") else { return nil }
        return (try? FormBody.parse("v=\(text)"))?.first?.value
    }
}

/// The certificate that a client presented to the proxy in front of us (RFC 8705 §2), which passed it on in a field.
enum PresentedCertificate {
    /// nginx calls the value `$ssl_client_escaped_cert`: PEM in percent encoding.
    private static let field: FieldName = "X-Client-Certificate"

    /// Returns the certificate in DER; nil if there is none.
    static func read(_ request: Request) -> [UInt8]? {
        guard let text = request.fields[self.field],
            let pem = (try? FormBody.parse("certificate=\(text)"))?.first?.value
        else { return nil }
        let lines = pem.split(separator: "\n")
        guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----" else {
            return nil
        }
        return Base64.decode(lines.dropFirst().dropLast().joined())
    }
}
