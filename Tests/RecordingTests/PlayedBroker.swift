import Base
import Foundation
import JOSE
import Synchronization
import TestSupport

/// An OpenID provider on a port of this machine. What a code begins with says what the provider does with it, and what
/// follows is the nonce of its ID token.
final class PlayedBroker: Sendable {
    static let port: UInt16 = 9217
    static let origin = "http://127.0.0.1:\(port)"

    private struct State {
        var requests: [PlayedMessage] = []
        /// Of the last pushed request, whose parameters no browser sees.
        var pushed: [String: String] = [:]
    }

    private let key: PrivateKey
    private let seconds: @Sendable () -> Int
    private let state = Mutex(State())
    private let descriptor: Int32

    init(key: PrivateKey, seconds: @escaping @Sendable () -> Int) throws {
        self.key = key
        self.seconds = seconds
        self.descriptor = try Loopback.listen(Self.port)
    }

    func start() {
        Thread.detachNewThread { @Sendable in
            while case let client = acceptConnection(of: self.descriptor), client >= 0 {
                // A connection that was opened and is not used holds up no other.
                Thread.detachNewThread { @Sendable in
                    let request = PlayedMessage(Loopback.read(client, until: PlayedMessage.isWhole))
                    if request.words.count == 3 { Loopback.write(self.answer(request), to: client) }
                    close(client)
                }
            }
        }
    }

    func stop() {
        shutdown(self.descriptor, Int32(SHUT_RDWR))
        close(self.descriptor)
    }

    /// What the server has asked since the last call.
    func takeRequests() -> [PlayedMessage] {
        self.state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    var pushed: [String: String] { self.state.withLock { $0.pushed } }

    private func answer(_ request: PlayedMessage) -> [UInt8] {
        let parts = request.words[1].split(separator: "/", maxSplits: 1).map(String.init)
        let (issuer, place) = ("\(Self.origin)/\(parts[0])", parts.count > 1 ? parts[1] : "")
        self.state.withLock { $0.requests.append(request) }
        switch place {
        case ".well-known/openid-configuration": return Self.json(Self.metadata(issuer))
        case "keys": return Self.json("{\"keys\":[\(self.jwk)]}")
        case "par":
            self.state.withLock { $0.pushed = PlayedMessage.parameters(request.text) }
            return Self.json("{\"request_uri\":\"urn:pushed:1\",\"expires_in\":60}", "201 Created")
        case "userinfo":
            return Self.json(
                "{\"sub\":\"subject-1\",\"name\":\"Anne Ærlig\",\"birthdate\":\"1984-02-29\",\"hair\":\"red\"}")
        case "token": return self.tokens(request, issuer)
        default: return Self.json("{}", "404 Not Found")
        }
    }

    private var jwk: String {
        String(decoding: self.key.publicKey.jwk(keyID: "1").json.encoded(), as: UTF8.self)
    }

    private static func metadata(_ issuer: String) -> String {
        """
        {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",\
        "userinfo_endpoint":"\(issuer)/userinfo","jwks_uri":"\(issuer)/keys",\
        "pushed_authorization_request_endpoint":"\(issuer)/par","response_types_supported":["code"],\
        "response_modes_supported":["query","form_post"],"subject_types_supported":["public"],\
        "id_token_signing_alg_values_supported":["ES256"],"request_parameter_supported":true,\
        "code_challenge_methods_supported":["S256"]}
        """
    }

    private func tokens(_ request: PlayedMessage, _ issuer: String) -> [UInt8] {
        let form = PlayedMessage.parameters(request.text)
        let parts = (form["code"] ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        let (way, nonce) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        switch way {
        case "refused": return Self.json("{\"error\":\"invalid_grant\"}", "400 Bad Request")
        case "client": return Self.json("{\"error\":\"invalid_client\"}", "401 Unauthorized")
        case "broken": return Self.json("no JSON")
        case "away": return Self.json("{}", "503 Service Unavailable")
        case "empty": return Self.json("{\"access_token\":\"a\",\"token_type\":\"Bearer\"}")
        case "typeless": return Self.json("{\"access_token\":\"a\",\"id_token\":\"\(self.idToken(issuer, nonce))\"}")
        default:
            let token = self.idToken(way == "issuer" ? "https://evil.example" : issuer, nonce, way)
            return Self.json(
                "{\"access_token\":\"opaque-1\",\"token_type\":\"Bearer\",\"expires_in\":60,\"id_token\":\"\(token)\"}")
        }
    }

    private func idToken(_ issuer: String, _ nonce: String, _ way: String = "") -> String {
        let now = self.seconds()
        let claims = """
            {"iss":"\(issuer)","aud":"\(way == "audience" ? "someone" : "switchback")",\
            "sub":"\(way == "other" ? "subject-2" : "subject-1")","nonce":"\(way == "nonce" ? "n" : nonce)",\
            "iat":\(now),"exp":\(way == "late" ? now - 3600 : now + 300),"auth_time":\(way == "old" ? 1 : now),\
            "acr":"\(way == "low" ? "low" : "high")","amr":["pin"],"name":"Anne Ærlig","given_name":"Anne",\
            "family_name":"Ærlig","birthdate":"1984-02-29","hair":"red"}
            """
        let header = way == "unknownkey" ? "{\"alg\":\"ES256\",\"kid\":\"2\"}" : "{\"alg\":\"ES256\",\"kid\":\"1\"}"
        let input = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let signature = (try? self.key.sign(Array(input.utf8), with: .es256)) ?? []
        return "\(input).\(Base64URL.encode(way == "forged" ? signature.reversed() : signature))"
    }

    private static func json(_ text: String, _ status: String = "200 OK") -> [UInt8] {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n"
        return Array("\(head)Connection: close\r\n\r\n\(text)".utf8)
    }
}
