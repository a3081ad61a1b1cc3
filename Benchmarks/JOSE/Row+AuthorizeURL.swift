// Sends a browser to a broker: new secrets, a new signed request (RFC 9101), and the URL.

import Base
import JOSE
import OpenIDConnect
import BenchmarkSupport

extension Row {
    static func authorizeURL(_ algorithm: SignatureAlgorithm, _ keys: Keys, aim: Double) throws -> Row {
        let key = keys.key(for: algorithm)
        let signer = try JWTSigner(key: key, algorithm: algorithm, keyID: "2026-01")
        let client = Provider.client(signer)
        let metadata = try Provider.metadata()
        let bare = try BareSignature(key, algorithm)
        return Row(
            "authorize URL, \(algorithm.rawValue)", aim: aim,
            speed: algorithm == .es256 ? \.p256.sign : \.rsa.sign,
            ours: Work { number in
                let request = AuthorizationRequest(
                    client: client, challenge: .make(state: Base64URL.encode(RandomBytes.make(32))),
                    scope: ["openid", "profile"], prompt: "login", acrValues: ["urn:example:loa:substantial"],
                    uiLocales: ["da"])
                let moment = Provider.now + .milliseconds(number)
                guard case .url(let url) = try request.authorization(metadata: metadata, now: moment),
                    url.utf8.count > 600
                else { throw BareSignature.Failure() }
            },
            bare: Work { try bare.sign($0) })
    }
}
