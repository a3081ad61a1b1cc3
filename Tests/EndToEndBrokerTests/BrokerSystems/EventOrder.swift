import SwitchbackClient

/// An order of events for a login that is open at its broker.
struct EventOrder: Sendable, CustomStringConvertible {
    enum Event: String, CaseIterable, Sendable {
        /// The user approves, and the broker's response arrives by its usual way.
        case approval
        /// The e-ID's app opens ours by its link.
        case link
        /// Our app enters the foreground without a link.
        case foreground
        /// The system kills our app, and the user starts it again.
        case kill
        /// The phone reports the browser as closed, but it is only minimised and the user continues in it.
        case minimised
        /// The browser is really gone: an app switch ended the session, or the user closed the tab.
        case closed
        /// The system kills our app with the browser that belongs to it, before the app resumes.
        case killedWithBrowser

        static let usual: [Event] = [.approval, .link, .foreground, .kill]
        /// What phones report as the end of a browser.
        static let closings: [Event] = [.minimised, .closed, .killedWithBrowser]
    }

    let events: [Event]

    var description: String { self.events.map(\.rawValue).joined(separator: ", ") }

    /// Every order that has the approval and any of the other events: 49.
    static let all: [EventOrder] = Self.orders(of: Event.usual).filter { $0.events.contains(.approval) }

    /// The same orders with one of the closings added at each step: 636.
    static let closings: [EventOrder] = Self.all.flatMap { order in
        (0...order.events.count).flatMap { step in
            Event.closings.map { closing in
                EventOrder(events: order.events.prefix(step) + [closing] + order.events.suffix(from: step))
            }
        }
    }

    private static func orders(of events: [Event]) -> [EventOrder] {
        [EventOrder(events: [])]
            + events.flatMap { first in
                Self.orders(of: events.filter { $0 != first }).map { EventOrder(events: [first] + $0.events) }
            }
    }

    /// Platform and surface of a login; they vary from order to order.
    struct Place: Sendable, CustomStringConvertible {
        let platform: NewLogin.Platform
        let surface: Surface

        var description: String { "\(self.platform.rawValue) \(self.surface.code)" }

        static func all(of flow: SystemFlow) -> [Place] {
            flow.platforms.flatMap { platform in
                [Surface.tab, .authSession, .system].map { Place(platform: platform, surface: $0) }
            }
        }
    }
}
