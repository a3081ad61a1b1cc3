import Glibc
import BenchmarkSupport

/// The measured servers, and the same three requests to each: create, poll until it changes, change.
enum Peer: String, CaseIterable {
    case switchback = "Switchback"
    case nginx
    case hummingbird = "Hummingbird"

    static let nginxPath = "/usr/sbin/nginx"
    /// nginx's module for long polls.
    static let nchanPath = "/usr/lib/nginx/modules/ngx_nchan_module.so"

    /// The short form uses those that are installed. The full form needs all of them, and says before what is missing.
    static func all(_ programs: RunningServer.Programs) -> [Peer] {
        guard Extent.isShort else { return Self.allCases }
        return Self.allCases.filter { peer in
            switch peer {
            case .switchback: true
            case .nginx: access(self.nginxPath, X_OK) == 0 && access(self.nchanPath, R_OK) == 0
            case .hummingbird: programs.hummingbird != nil
            }
        }
    }

    func create(_ name: Name) -> [UInt8] {
        let body = #"{"provider":"demo","poll_secret":"\#(name.secret)"}"#
        return self.request(
            "POST /v1/logins", ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"], body)
    }

    /// Waits until the login changes, for longer than any measurement takes.
    func poll(_ name: Name) -> [UInt8] {
        switch self {
        case .switchback, .hummingbird:
            self.request(
                "GET /v1/logins/\(name.id)",
                ["Authorization: Bearer \(name.secret)", "If-None-Match: W/\"1\"", "Prefer: wait=120"])
        case .nginx: self.request("GET /sub/\(name.id)", ["Authorization: Bearer \(name.secret)"])
        }
    }

    /// A cancelled login is final, so every waiting client is notified. For nginx, a published message does the same.
    func change(_ name: Name) -> [UInt8] {
        switch self {
        case .switchback, .hummingbird:
            self.request(
                "POST /v1/logins/\(name.id)/cancel", ["Authorization: Bearer \(name.secret)", "Content-Length: 0"])
        case .nginx: self.request("POST /pub/\(name.id)", ["Content-Length: 9"], "cancelled")
        }
    }

    /// nginx stores no logins: a channel exists as soon as a client waits for it.
    var createsLogins: Bool { self != .nginx }

    func request(_ line: String, _ fields: [String] = [], _ body: String = "") -> [UInt8] {
        let head = ["\(line) HTTP/1.1", "Host: 127.0.0.1", "User-Agent: benchmark", "Accept: */*"] + fields
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
