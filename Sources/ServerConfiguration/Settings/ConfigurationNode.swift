/// A part of a configuration file: texts, lists and maps as they are written, with their lines.
struct ConfigurationNode: Equatable, Sendable {
    indirect enum Content: Equatable, Sendable {
        /// Nothing, `null` or `~`: the setting is not set.
        case null
        /// Kept as written: `no` may be a country, and `0123` a client id.
        case scalar(String)
        case list([ConfigurationNode])
        case map([Member])
    }

    struct Member: Equatable, Sendable {
        let name: String
        let line: Int?
        let node: ConfigurationNode
    }

    let content: Content
    let line: Int?

    init(_ content: Content, line: Int? = nil) {
        self.content = content
        self.line = line
    }

    /// True for a map, and for null.
    var isMap: Bool {
        switch self.content {
        case .null, .map: true
        case .scalar, .list: false
        }
    }

    /// True for a map without members, and for null.
    var isEmpty: Bool { self.content == .null || self.content == .map([]) }
}
