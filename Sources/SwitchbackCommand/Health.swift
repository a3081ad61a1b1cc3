import Base
import HTTPServer
import ServerConfiguration

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks the operations port of a server on this machine over a plain socket.
enum Health {
    /// Returns the operations address. Only this setting matters here; other problems of the file are the task of
    /// `check`.
    static func address(flag: String?, config: String?, environment: [String: String]) -> String? {
        flag ?? Self.text(of: SettingPath("operations_listen"), config: config, environment: environment)
    }

    /// Returns the text of one setting, whatever else is wrong with the configuration.
    static func text(of setting: SettingPath, config: String?, environment: [String: String]) -> String? {
        let path = ConfigurationOptions.path(config, environment)
        let yaml = path.flatMap { try? FileAccess.system.read($0) } ?? []
        let source = ConfigurationSource(name: path ?? "", yaml: yaml, environment: environment)
        let entry = Configuration.settings(source).settings.entry(setting)
        guard case .text(let text) = entry?.value else { return nil }
        return text
    }

    /// Returns why the configuration that is named cannot be read. Its address is then not the one that was asked.
    static func unreadableFile(_ config: String?, _ environment: [String: String]) -> String? {
        guard let path = ConfigurationOptions.path(config, environment) else { return nil }
        do throws(FileError) {
            _ = try FileAccess.system.read(path)
            return nil
        } catch {
            return "\(path): \(error.message)"
        }
    }

    /// Returns if the server is ready.
    static func ask(_ address: String, seconds: Int) throws(OperatorError) {
        let answer = try Self.get("/readyz", at: address, seconds: seconds)
        guard answer.hasPrefix("HTTP/1.1 200 ") else {
            throw OperatorError(answer.isEmpty ? "\(address) did not respond" : String(answer.prefix { $0 != "\r\n" }))
        }
    }

    /// Returns the whole response, or its beginning if the time is over.
    static func get(
        _ path: String, at address: String, seconds: Int, token: String? = nil
    ) throws(OperatorError) -> String {
        let descriptor: Int32
        // A request to a Unix socket has no host to name (RFC 9112 §3.2).
        let host: String
        if let path = ListenAddress(address)?.path {
            (descriptor, host) = (try Self.connect(path: path, seconds: seconds), "localhost")
        } else {
            (descriptor, host) = (try Self.connect(address: address, seconds: seconds), address)
        }
        defer { close(descriptor) }
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let request = Array(
            "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(authorization)Connection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw OperatorError("\(address) did not accept the request")
        }
        return Self.allBytes(descriptor)
    }

    private static func connect(path: String, seconds: Int) throws(OperatorError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path fits, because `ListenAddress` accepts no longer one.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        Self.setDeadline(descriptor, seconds)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw OperatorError("cannot connect to \(path): \(reason)")
        }
        return descriptor
    }

    private static func connect(address: String, seconds: Int) throws(OperatorError) -> Int32 {
        guard let colon = address.lastIndex(of: ":") else { throw OperatorError("\(address) has no port") }
        let host = Self.reachable(String(address[..<colon].filter { $0 != "[" && $0 != "]" }))
        return try Self.connect(host, port: String(address[address.index(after: colon)...]), seconds: seconds)
    }

    /// Returns the loopback address if the server listens on all addresses.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    private static func connect(_ host: String, port: String, seconds: Int) throws(OperatorError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &addresses) == 0 else {
            throw OperatorError("\(host) is no address")
        }
        defer { freeaddrinfo(addresses) }
        var next = addresses
        while let info = next?.pointee {
            let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
            Self.setDeadline(descriptor, seconds)
            if descriptor >= 0, Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
            close(descriptor)
            next = info.ai_next
        }
        throw OperatorError("nothing listens on \(host) port \(port)")
    }

    /// On Linux a send timeout also applies to connect.
    private static func setDeadline(_ descriptor: Int32, _ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { setsockopt(descriptor, SOL_SOCKET, option, &time, size) }
    }

    /// Reads until the server closes the connection, but at most a megabyte: `/metrics` has less than a tenth of it.
    private static func allBytes(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 1_048_576 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
