// The parts of the server's own settings that have names in common: how apps poll, the proxy in front, and the log.

import HTTPWire
import Logging
import Logins

/// How apps poll.
package final class PollSettings: SettingGroup {
    package let wait = Setting<Duration>(
        "poll.wait", .seconds(1...120), default: .seconds(25),
        "The longest time of a long poll, in seconds. Keep it below the idle timeout of every proxy in front of the server."
    )
    package let interval = Setting<Duration>(
        "poll.interval", .seconds(1...60), default: .seconds(2),
        "Seconds that an app should leave between two polls that do not wait.")

    package static let declared = PollSettings()
}

/// Which proxies may name a client's address, and how.
package final class ProxySettings: SettingGroup {
    package enum Header: String, CaseIterable, Sendable {
        case none
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
        /// HAProxy's PROXY protocol, which is sent before the requests and not in them.
        case proxy
    }

    package let header = Setting<Header>(
        "proxy.header", .choice, default: .none, atStart: true,
        "How the proxy sends the client's address: none, x-forwarded-for, forwarded (RFC 7239), or proxy, which is the PROXY protocol (version 1 or 2). With proxy every connection must begin with such a header."
    )
    package let trusted = Setting<[TrustedPeer]>(
        "proxy.trusted", .peers, default: [], atStart: true,
        "The addresses of the proxies; unix stands for a proxy that connects by a Unix socket. The client is the rightmost address of the header that is not among them. With proxy.header proxy no one else may connect."
    )

    package static let declared = ProxySettings()
}

/// What is logged, and in which format.
package final class LogSettings: SettingGroup {
    package enum Format: String, CaseIterable, Sendable {
        /// Text on a terminal, otherwise JSON.
        case auto
        case text
        case json
    }

    package let level = Setting<Logger.Level>(
        "log.level", .choice, default: .info,
        "The lowest level that is logged: trace, debug, info, notice, warning, error or critical.")
    package let format = Setting<Format>(
        "log.format", .choice, default: .auto, atStart: true,
        "The format of the log: text, json, or auto, which is text on a terminal and json otherwise.")

    package static let declared = LogSettings()
}

/// The flight recorder: what happened to each login.
package final class RecorderSettings: SettingGroup {
    package let keep = Setting<Duration>(
        "recorder.keep", .seconds(0...86_400), default: LoginSettings(publicURL: "").noteLifetime,
        "Seconds for which the store keeps what happened to a login, so that `switchback login` tells it by the login's reference; 86400 is a day, as long as a login's tombstone. 0 keeps nothing."
    )
    package let token = Setting<String?>(
        "recorder.token", optional: .text, secret: true,
        "The token with which operators read what happened to a login, at /logins of operations_listen, as `switchback login` does. Without it there is no such route. Set it with a variable or its file rather than here."
    )

    package static let declared = RecorderSettings()
}
