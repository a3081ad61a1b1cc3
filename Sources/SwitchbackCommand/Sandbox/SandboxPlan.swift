import Sandbox

/// The addresses of a sandbox: consecutive ports, and the URLs of its parts.
struct SandboxPlan: Equatable {
    /// The address that all parts listen on.
    let host: String
    /// The server's port. The other ports follow it.
    let port: Int
    let publicURL: String
    /// The origin of the brokers without the port. It is another host than the server's, so that the browser really
    /// changes sites.
    private let brokerHost: String
    /// The app's links, and the phone that simulates the app.
    let linkURL: String
    let isLoopback: Bool
    /// The origins of web pages that may call the API, and to which the logins of such pages return.
    var origins: [String] = []
    /// The origin of an API that takes the access tokens of the app with sessions.
    private(set) var api: String?

    static let sessionApp = "bank"
    static let sessionAudience = "sandbox-api"
    static let serverKeyFile = "sandbox-server.key"
    static let signingKeyFile = "sandbox-signing.pem"
    static let decryptionKeyFile = "sandbox-decryption.pem"
    static let assertionKeyFile = "sandbox-assertion.pem"
    static let accessKeyFile = "sandbox-access.pem"
    static let sessionKeyFile = "sandbox-session.key"

    /// The number of ports after the first.
    static let lastOffset = 7

    /// Returns a broker's port, relative to the server's. Operations use the second, the app's links the third.
    static func offset(of system: SandboxSystem) -> Int {
        switch system {
        case .oidc: 1
        case .signaturgruppen: 4
        case .idura: 5
        case .vipps: 6
        case .digid: 7
        }
    }

    /// Returns nil if the ports do not fit, or if the public URL is invalid.
    init?(listen: String?, publicURL: String?, port: String?) {
        let address = listen ?? "127.0.0.1:\(port ?? "8080")"
        guard let colon = address.lastIndex(of: ":"), let first = Int(address[address.index(after: colon)...]),
            (1...65_535 - Self.lastOffset).contains(first), !address.hasPrefix("unix:")
        else { return nil }
        self.host = String(address[..<colon])
        self.port = first
        self.isLoopback = self.host.hasPrefix("127.") || self.host == "[::1]"
        guard let publicURL else {
            self.publicURL = "http://\(self.isLoopback ? self.host : "127.0.0.1"):\(first)"
            self.brokerHost = "http://localhost"
            self.linkURL = "http://localhost:\(first + 3)"
            return
        }
        guard let end = publicURL.lastIndex(of: ":"), publicURL.hasPrefix("http://"), publicURL[end...] == ":\(first)"
        else {
            return nil
        }
        let base = publicURL[..<end]
        self.publicURL = publicURL
        self.brokerHost = String(base)
        self.linkURL = "\(base):\(first + 3)"
    }

    /// Returns what is wrong with addresses for which there is no plan: a whole sentence.
    static func mistake(listen: String?, publicURL: String?, port: String?) -> String {
        let name = listen == nil ? "PORT" : "--listen"
        let address = listen ?? port ?? "8080"
        if address.hasPrefix("unix:") {
            return "--listen must be an address and a port, because browsers and brokers cannot reach a Unix socket."
        }
        guard let colon = address.lastIndex(of: ":") ?? (listen == nil ? address.startIndex : nil) else {
            return "\(name) must be an address and a port, as in 127.0.0.1:9000, not \"\(address)\"."
        }
        let digits = listen == nil ? address[...] : address[address.index(after: colon)...]
        guard let first = Int(digits), !digits.hasPrefix("+") else {
            return
                "\(name) must \(listen == nil ? "be" : "end with") a port, which is a number, and \"\(digits)\" is none."
        }
        guard (1...65_535 - Self.lastOffset).contains(first) else {
            return
                "\(name) \(listen == nil ? "is" : "has port") \(first), and a sandbox needs eight ports: the first can be 1 to \(65_535 - Self.lastOffset)."
        }
        guard let publicURL, publicURL.hasPrefix("http://") else {
            return
                "--public-url must begin with http://, because a sandbox has no certificate, not \"\(publicURL ?? "")\"."
        }
        return
            "--public-url must end with the port of the sandbox, as in http://\(URLHost.of(publicURL)):\(first), not \"\(publicURL)\"."
    }

    /// Returns the origin of a broker, without a trailing slash.
    func origin(of system: SandboxSystem) -> String { "\(self.brokerHost):\(self.port + Self.offset(of: system))" }

    /// Returns false if it is no origin.
    mutating func take(api: String?) -> Bool {
        guard let api else { return true }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: api.hasPrefix), !URLHost.of(api).isEmpty,
            !api.dropFirst(scheme.count).contains(where: { "/?#@".contains($0) })
        else { return false }
        self.api = api
        return true
    }

    func address(_ offset: Int) -> String { "\(self.host):\(self.port + offset)" }

    var metricsURL: String { "http://\(self.address(2))/metrics" }

    /// What to do when one of the ports is taken.
    var portAdvice: String {
        let last = self.port + Self.lastOffset
        let next = last + 3 + Self.lastOffset <= 65_535 ? last + 3 : 9000
        return """
            The sandbox needs the ports \(self.port) to \(last). Try `PORT=\(next) make run`, or \
            `switchback sandbox --listen \(self.host):\(next)`
            """
    }

    var warning: String? {
        guard !self.isLoopback else { return nil }
        return """
            ************************************************************************
              The sandbox listens on \(self.address(0)), not only for this machine.
              Anyone who can reach it can log in as anyone. Use it only to try
              Switchback out with a phone in your own network.
            ************************************************************************
            """
    }
}
