// What the system still keeps of a server's responses.

import Glibc

extension TestServer {
    /// Bytes that the system keeps for clients, whether their sockets are open or orphans (proc_net_tcp). Negative when
    /// it does not say.
    var unacknowledged: Int {
        guard let file = fopen("/proc/net/tcp", "r") else { return -1 }
        defer { fclose(file) }
        var (line, count) = ([CChar](repeating: 0, count: 512), 0)
        while fgets(&line, 512, file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(separator: " ")
            // State 0A is LISTEN, whose numbers describe the backlog.
            guard words.count > 4, words[1].hasSuffix(":" + self.hexadecimalPort), words[3] != "0A" else { continue }
            count += Int(words[4].prefix(8), radix: 16) ?? 0
        }
        return count
    }

    private var hexadecimalPort: String {
        let digits = String(self.port, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
