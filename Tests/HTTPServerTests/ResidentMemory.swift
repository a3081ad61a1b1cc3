import Glibc

/// How much memory this process has in use.
enum ResidentMemory {
    static func kilobytes() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { throw RawClient.Failure(call: "fopen") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { throw RawClient.Failure(call: "fgets") }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
    }
}
