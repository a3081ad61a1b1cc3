// A login as this app stores it, and as it shows it: with the members that Switchback shows of a pending login.

import Crypto
import Foundation

/// The body that an app sends.
struct Create: Decodable {
    let provider: String
    let poll_secret: String
    let app: String?
}

struct Answer: Encodable {
    struct Poll: Encodable {
        let wait = 25
        let interval = 2
        let after_ms = 0
    }

    struct Next: Encodable {
        let action = "open_browser"
        let url: String
        let expires_in = 3600
        let surfaces = ["auth_session", "tab"]
        let callback: String? = nil
        let callback_scheme: String? = nil
        let ephemeral = false
        let android_packages: [String] = []
    }

    let id: String
    let status: String
    let final: Bool
    let version: Int
    let app = "demo"
    let provider: String
    let reference: String
    let expires_at: String
    let expires_in = 3600
    let return_prefixes: [String] = []
    let poll = Poll()
    let next: Next?
}

/// One stored login: the verifiers of the secret, and a MAC over it.
struct Row {
    var version = 1
    var isCancelled = false
    let provider: String
    let createdAt: Int64
    let pollVerifier: [UInt8]
    let bodyVerifier: [UInt8]
    let wrappedKey: [UInt8]
    var mac: [UInt8] = []

    /// Everything that the MAC covers.
    func bytes(of id: [UInt8]) -> [UInt8] {
        var bytes = id
        withUnsafeBytes(of: (Int64(self.version), self.createdAt, self.isCancelled)) { bytes.append(contentsOf: $0) }
        return bytes + Array(self.provider.utf8) + self.pollVerifier + self.bodyVerifier + self.wrappedKey
    }
}
