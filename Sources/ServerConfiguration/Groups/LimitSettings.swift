import HTTPServer
import Logins
import Outbound

/// The limits of what clients may send, keep open and start. The part of the server that keeps a limit has its default.
package final class LimitSettings: SettingGroup {
    package let head = Setting<Int>(
        "limits.head", .integer(1024...1_048_576, .bytes), fills: \ServerLimits.request.head, atStart: true,
        "The most bytes of a request's line and header fields.")
    package let body = Setting<Int>(
        "limits.body", .integer(1024...1_048_576, .bytes), fills: \ServerLimits.request.body, atStart: true,
        "The most bytes of a request's body.")
    package let headTime = Setting<Duration>(
        "limits.head_time", .seconds(1...300), fills: \ServerLimits.headTime, atStart: true,
        "Seconds in which a request's line and header fields must arrive.")
    package let bodyTime = Setting<Duration>(
        "limits.body_time", .seconds(1...300), fills: \ServerLimits.bodyTime, atStart: true,
        "Seconds in which a request's body must arrive.")
    package let idleTime = Setting<Duration>(
        "limits.idle_time", .seconds(1...3600), fills: \ServerLimits.idleTime, atStart: true,
        "Seconds that a connection may stay open between two requests.")
    package let writeTime = Setting<Duration>(
        "limits.write_time", .seconds(1...300), fills: \ServerLimits.writeTime, atStart: true,
        "Seconds in which a client must read what the server sends. If it does not, the server closes the connection.")
    package let handshakes = Setting<Int>(
        "limits.handshakes", .integer(1...100_000), fills: \ServerLimits.handshakes, atStart: true,
        "The most TLS handshakes at the same time; each takes 42 KB of memory. One more closes the oldest.")
    package let connections = Setting<Int>(
        "limits.connections", .integer(1...1_000_000), fills: \ServerLimits.connections,
        "The most connections at the same time. Each takes a file descriptor. Shortly before the limit, connections without a request, idle ones and held polls give way to those of other networks."
    )
    package let connectionsPerAddress = Setting<Int>(
        "limits.connections_per_address", .integer(1...1_000_000), default: 4000,
        "The most connections at the same time from one IPv4 address or one IPv6 /48, while more than half of limits.connections is taken. A /56 may have a quarter of it, and a /64 a sixteenth. It has no effect with proxy.header x-forwarded-for or forwarded, because all connections then come from the proxy."
    )
    package let createPerAddressPerMinute = Setting<Int?>(
        "limits.create_per_address_per_minute", .limit(upTo: 1_000_000), default: 6000,
        "The most new logins per minute from one IPv4 address, which thousands of phones may share, or from one IPv6 /48. A /56 in it may start a quarter of that, and a /64 a sixteenth; 0 is no limit."
    )
    package let createPerAppPerMinute = Setting<Int?>(
        "limits.create_per_app_per_minute", .limit(upTo: 1_000_000), default: 60_000,
        "The most new logins per minute for one app; 0 is no limit. The last quarter is for callers that started only a few logins."
    )
    package let brokerCallsPerAddressPerMinute = Setting<Int?>(
        "limits.broker_calls_per_address_per_minute", .limit(upTo: 1_000_000), default: 3000,
        "The most authorization attempts per minute for one address or network, counted as in create_per_address_per_minute, and as many code exchanges; 0 is no limit. A further attempt of the same login counts as four."
    )
    package let brokerConnections = Setting<Int>(
        "limits.broker_connections", .integer(1...10_000), default: OutboundSettings(allowedHosts: []).maxConnections,
        "The most requests at the same time to one broker that begin logins, and as many again for all other requests; its discovery and keys have two more. Each takes a file descriptor, and further requests wait."
    )
    package let pendingLogins = Setting<Int>(
        "limits.pending_logins", .integer(1...10_000_000), default: LoginSettings(publicURL: "").pendingLimit,
        "The most logins at the same time that are not final. The last quarter is for callers with less than a twentieth of it. If one caller has more than a twentieth that no browser or app has opened, its oldest ones of these expire early."
    )

    package static let declared = LimitSettings()
}

extension ServerLimits: SettingsOwner {}
