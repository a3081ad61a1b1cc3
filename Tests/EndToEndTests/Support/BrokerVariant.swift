/// One way to speak to a broker: how the client proves itself, how the code comes back, what is signed with what.
import Testing

struct BrokerVariant: Sendable, CustomTestStringConvertible {
    var authentication = "client_secret_basic"
    var responseMode = "query"
    var requestObject = "none"
    var idTokenAlgorithm = "RS256"
    var signingAlgorithm = "ES256"

    /// A name that fits a broker and a provider.
    var name: String {
        [self.authentication, self.responseMode, self.requestObject, self.idTokenAlgorithm, self.signingAlgorithm]
            .joined(separator: "_").lowercased()
    }

    var testDescription: String { self.name }

    /// Every authentication, response mode, kind of request and algorithm, each pair of neighbours at least once.
    static let all: [BrokerVariant] = ["client_secret_basic", "client_secret_post", "private_key_jwt"].flatMap {
        method in
        ["query", "form_post"].flatMap { mode in
            ["none", "signed"].flatMap { request in
                ["RS256", "ES256"].map { algorithm in
                    BrokerVariant(
                        authentication: method, responseMode: mode, requestObject: request, idTokenAlgorithm: algorithm,
                        signingAlgorithm: algorithm == "RS256" ? "ES256" : "RS256")
                }
            }
        }
    }

    static let query = BrokerVariant()
    static let formPost = BrokerVariant(responseMode: "form_post")
}
