/// An order in which things happen to a login that is open at its broker.
import SwitchbackClient

struct EventOrder: Sendable, CustomStringConvertible {
    enum Event: String, CaseIterable, Sendable {
        /// The person approves: the broker's answer comes by its way.
        case approval
        /// The e-ID's app opens ours by its link.
        case link
        /// Our app comes to the front, by no link.
        case foreground
        /// The system kills our app, and the person starts it anew.
        case kill
    }

    let events: [Event]

    var description: String { self.events.map(\.rawValue).joined(separator: ", ") }

    /// Every order of the approval with every choice of the others: 49.
    static let all: [EventOrder] = Self.orders(of: Event.allCases).filter { $0.events.contains(.approval) }

    private static func orders(of events: [Event]) -> [EventOrder] {
        [EventOrder(events: [])]
            + events.flatMap { first in
                Self.orders(of: events.filter { $0 != first }).map { EventOrder(events: [first] + $0.events) }
            }
    }

    /// Platform and surface of a login, another one for each order.
    struct Place: Sendable, CustomStringConvertible {
        let platform: NewLogin.Platform
        let surface: Surface

        var description: String { "\(self.platform.rawValue) \(self.surface.rawValue)" }

        static func all(of flow: SystemFlow) -> [Place] {
            flow.platforms.flatMap { platform in
                [Surface.tab, .authSession, .system].map { Place(platform: platform, surface: $0) }
            }
        }
    }
}
