import Dispatch

/// Which kind of poller a loop uses.
package enum Polling: Sendable, CaseIterable {
    #if os(Linux)
    case epoll
    #endif
    case dispatch

    /// The fastest kind on this system.
    package static var standard: Polling {
        #if os(Linux)
        .epoll
        #else
        .dispatch
        #endif
    }

    func makePoller(queue: DispatchQueue) throws(SystemCallError) -> any Poller {
        switch self {
        #if os(Linux)
        case .epoll: try EpollPoller(queue: queue)
        #endif
        case .dispatch: DispatchPoller(queue: queue)
        }
    }
}
