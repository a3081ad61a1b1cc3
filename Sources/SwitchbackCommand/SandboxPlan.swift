/// Where everything in a sandbox is: four ports in a row, and the configuration of its server.
import Switchback

struct SandboxPlan: Equatable {
    /// The address that all four listen on.
    let host: String
    /// The server; the provider, operations and the app's links follow.
    let port: Int
    let publicURL: String
    /// The provider and the app's links are other hosts than the server, so that a browser really changes sites.
    let issuer: String
    let linkURL: String
    let isLoopback: Bool

    static let serverKeyFile = "sandbox-server.key"
    static let signingKeyFile = "sandbox-signing.pem"
    static let assertionKeyFile = "sandbox-assertion.pem"

    /// Nil when there is no room for four ports, or the public URL is none.
    init?(listen: String?, publicURL: String?, port: String?) {
        let address = listen ?? "127.0.0.1:\(port ?? "8080")"
        guard let colon = address.lastIndex(of: ":"), let first = Int(address[address.index(after: colon)...]),
            (1...65_532).contains(first)
        else { return nil }
        self.host = String(address[..<colon])
        self.port = first
        self.isLoopback = self.host.hasPrefix("127.") || self.host == "[::1]"
        guard let publicURL else {
            self.publicURL = "http://\(self.isLoopback ? self.host : "127.0.0.1"):\(first)"
            self.issuer = "http://localhost:\(first + 1)"
            self.linkURL = "http://localhost:\(first + 3)"
            return
        }
        guard let end = publicURL.lastIndex(of: ":"), publicURL.hasPrefix("http://"), publicURL[end...] == ":\(first)"
        else {
            return nil
        }
        let base = publicURL[..<end]
        self.publicURL = publicURL
        self.issuer = "\(base):\(first + 1)"
        self.linkURL = "\(base):\(first + 3)"
    }

    func address(_ offset: Int) -> String { "\(self.host):\(self.port + offset)" }

    var warning: String? {
        guard !self.isLoopback else { return nil }
        return """
            ************************************************************************
              The sandbox listens on \(self.address(0)), and not only for this machine.
              Everybody who can reach it can log in as anybody. It is for trying
              out with a phone in your own network, and for nothing else.
            ************************************************************************
            """
    }
}
