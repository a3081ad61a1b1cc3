/// The servers that are measured, and the same three requests to each: create, poll until it changes, change.

enum Peer: String, CaseIterable {
    case switchback = "Switchback"
    case nginx
    case hummingbird = "Hummingbird"

    func create(_ name: Name) -> [UInt8] {
        let body = #"{"provider":"demo","poll_secret":"\#(name.secret)"}"#
        return self.request(
            "POST /v1/logins", ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"], body)
    }

    /// Held until the login changes: longer than any measurement takes.
    func poll(_ name: Name) -> [UInt8] {
        switch self {
        case .switchback, .hummingbird:
            self.request(
                "GET /v1/logins/\(name.id)",
                ["Authorization: Bearer \(name.secret)", "If-None-Match: W/\"1\"", "Prefer: wait=120"])
        case .nginx: self.request("GET /sub/\(name.id)", ["Authorization: Bearer \(name.secret)"])
        }
    }

    /// A cancelled login is final, so that whoever waits for it is told; a message is the like of it.
    func change(_ name: Name) -> [UInt8] {
        switch self {
        case .switchback, .hummingbird:
            self.request(
                "POST /v1/logins/\(name.id)/cancel", ["Authorization: Bearer \(name.secret)", "Content-Length: 0"])
        case .nginx: self.request("POST /pub/\(name.id)", ["Content-Length: 9"], "cancelled")
        }
    }

    /// nginx keeps no logins: a channel is there as soon as somebody waits for it.
    var createsLogins: Bool { self != .nginx }

    func request(_ line: String, _ fields: [String] = [], _ body: String = "") -> [UInt8] {
        let head = ["\(line) HTTP/1.1", "Host: 127.0.0.1", "User-Agent: benchmark", "Accept: */*"] + fields
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
