/// The limits of what clients may send, hold open and start.
extension SettingTable {
    static let limits: [Setting] = [
        Setting(
            "limits.head", .integer(1024...1_048_576, .bytes), .value(16_384), atStart: true,
            "Bytes of a request's line and fields."),
        Setting(
            "limits.body", .integer(1024...1_048_576, .bytes), .value(65_536), atStart: true,
            "Bytes of a request's body."),
        Setting(
            "limits.head_time", .integer(1...300, .seconds), .value(10), atStart: true,
            "Seconds in which a request's line and fields must arrive."),
        Setting(
            "limits.body_time", .integer(1...300, .seconds), .value(20), atStart: true,
            "Seconds in which a request's body must arrive."),
        Setting(
            "limits.idle_time", .integer(1...3600, .seconds), .value(75), atStart: true,
            "Seconds that a connection may stay open between two requests."),
        Setting(
            "limits.write_time", .integer(1...300, .seconds), .value(20), atStart: true,
            "Seconds in which a client must read what it is sent; then it is cut off."),
        Setting(
            "limits.handshakes", .integer(1...100_000, .none), .value(512), atStart: true,
            "TLS handshakes at the same time, each of which takes 42 KB; one more cuts off the oldest."),
        Setting(
            "limits.connections", .integer(1...1_000_000, .none), .value(15_000), atStart: true,
            "Connections at the same time; each takes a file descriptor."),
        Setting(
            "limits.connections_per_address", .integer(1...1_000_000, .none), .value(4000), atStart: true,
            "Connections at the same time from one address, or one /64 of IPv6; not counted with proxy.header x-forwarded-for or forwarded, where all of them have the proxy's address."
        ),
        Setting(
            "limits.create_per_address_per_minute", .integer(0...1_000_000, .none), .value(6000),
            "New logins a minute from one IPv4 address, which thousands of phones may share, or one /48 of IPv6; a quarter of that from a /56 and a sixteenth from a /64; 0 is no limit."
        ),
        Setting(
            "limits.create_per_app_per_minute", .integer(0...1_000_000, .none), .value(60_000),
            "New logins a minute for one app, the last quarter of them for callers with few; 0 is no limit."),
        Setting(
            "limits.broker_calls_per_address_per_minute", .integer(0...1_000_000, .none), .value(3000),
            "Logins a minute that are begun at a broker for one address or network, counted as above, and as many codes redeemed; opening a login again counts as four; 0 is no limit."
        ),
        Setting(
            "limits.broker_connections", .integer(1...10_000, .none), .value(64),
            "Requests at the same time to one broker that begin logins, and as many again for all others; each takes a file descriptor, and further ones wait for their turn."
        ),
        Setting(
            "limits.pending_logins", .integer(1...10_000_000, .none), .value(100_000),
            "Logins at the same time that are not final; the last quarter is for callers with few, and of those that nobody has opened the oldest expire early where one caller has many."
        ),
    ]
}
