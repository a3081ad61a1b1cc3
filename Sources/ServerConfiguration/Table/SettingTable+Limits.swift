// The limits of what clients may send, keep open and start.

extension SettingTable {
    static let limits: [Setting] = [
        Setting(
            "limits.head", .integer(1024...1_048_576, .bytes), .value(16_384), atStart: true,
            "The most bytes of a request's line and header fields."),
        Setting(
            "limits.body", .integer(1024...1_048_576, .bytes), .value(65_536), atStart: true,
            "The most bytes of a request's body."),
        Setting(
            "limits.head_time", .integer(1...300, .seconds), .value(10), atStart: true,
            "Seconds in which a request's line and header fields must arrive."),
        Setting(
            "limits.body_time", .integer(1...300, .seconds), .value(20), atStart: true,
            "Seconds in which a request's body must arrive."),
        Setting(
            "limits.idle_time", .integer(1...3600, .seconds), .value(75), atStart: true,
            "Seconds that a connection may stay open between two requests."),
        Setting(
            "limits.write_time", .integer(1...300, .seconds), .value(20), atStart: true,
            "Seconds in which a client must read what the server sends. If it does not, the server closes the connection."
        ),
        Setting(
            "limits.handshakes", .integer(1...100_000, .none), .value(512), atStart: true,
            "The most TLS handshakes at the same time; each takes 42 KB of memory. One more closes the oldest."),
        Setting(
            "limits.connections", .integer(1...1_000_000, .none), .value(15_000), atStart: true,
            "The most connections at the same time. Each takes a file descriptor. Shortly before the limit, connections without a request, idle ones and held polls give way to those of other networks."
        ),
        Setting(
            "limits.connections_per_address", .integer(1...1_000_000, .none), .value(4000), atStart: true,
            "The most connections at the same time from one IPv4 address or one IPv6 /48, while more than half of limits.connections is taken. A /56 may have a quarter of it, and a /64 a sixteenth. It has no effect with proxy.header x-forwarded-for or forwarded, because all connections then come from the proxy."
        ),
        Setting(
            "limits.create_per_address_per_minute", .integer(0...1_000_000, .none), .value(6000),
            "The most new logins per minute from one IPv4 address, which thousands of phones may share, or from one IPv6 /48. A /56 in it may start a quarter of that, and a /64 a sixteenth; 0 is no limit."
        ),
        Setting(
            "limits.create_per_app_per_minute", .integer(0...1_000_000, .none), .value(60_000),
            "The most new logins per minute for one app; 0 is no limit. The last quarter is for callers that started only a few logins."
        ),
        Setting(
            "limits.broker_calls_per_address_per_minute", .integer(0...1_000_000, .none), .value(3000),
            "The most authorization attempts per minute for one address or network, counted as in create_per_address_per_minute, and as many code exchanges; 0 is no limit. A further attempt of the same login counts as four."
        ),
        Setting(
            "limits.broker_connections", .integer(1...10_000, .none), .value(64),
            "The most requests at the same time to one broker that begin logins, and as many again for all other requests; its discovery and keys have two more. Each takes a file descriptor, and further requests wait."
        ),
        Setting(
            "limits.pending_logins", .integer(1...10_000_000, .none), .value(100_000),
            "The most logins at the same time that are not final. The last quarter is for callers with less than a twentieth of it. If one caller has more than a twentieth that no browser or app has opened, its oldest ones of these expire early."
        ),
    ]
}
