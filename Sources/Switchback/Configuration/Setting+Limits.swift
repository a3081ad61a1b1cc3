/// The limits of what clients may send, hold open and start.
extension Setting {
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
            "limits.connections", .integer(1...1_000_000, .none), .value(15_000), atStart: true,
            "Connections at the same time; each takes a file descriptor."),
        Setting(
            "limits.connections_per_address", .integer(1...1_000_000, .none), .value(500), atStart: true,
            "Connections at the same time from one address, or one /64 of IPv6; not counted with proxy.header x-forwarded-for or forwarded, where all of them have the proxy's address."
        ),
        Setting(
            "limits.create_per_address_per_minute", .integer(0...1_000_000, .none), .value(60),
            "New logins a minute from one address, or one /64 of IPv6; 0 is no limit."),
        Setting(
            "limits.create_per_app_per_minute", .integer(0...1_000_000, .none), .value(6000),
            "New logins a minute for one app; 0 is no limit."),
        Setting(
            "limits.pending_logins", .integer(1...10_000_000, .none), .value(100_000),
            "Logins at the same time that are not final."),
    ]
}
