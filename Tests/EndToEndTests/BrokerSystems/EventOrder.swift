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
        /// The phone reports the browser as closed; it was minimised, and the person goes on in it.
        case minimised
        /// The same, and it is gone: a session that an app switch has ended, or a tab that the person has closed.
        case closed
        /// The system kills our app with the browser that belongs to it, before the app resumes.
        case killedWithBrowser

        static let usual: [Event] = [.approval, .link, .foreground, .kill]
        /// What phones report as the end of a browser.
        static let closings: [Event] = [.minimised, .closed, .killedWithBrowser]
    }

    let events: [Event]

    var description: String { self.events.map(\.rawValue).joined(separator: ", ") }

    /// Every order of the approval with every choice of the others: 49.
    static let all: [EventOrder] = Self.orders(of: Event.usual).filter { $0.events.contains(.approval) }

    /// The same with one false closing, at each step of each: 636.
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
