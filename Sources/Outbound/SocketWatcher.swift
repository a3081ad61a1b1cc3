// One of libcurl's sockets in the loop's poller.

import CCurl
import EventLoop

/// Safe because it is called on the loop only, like what it calls.
final class SocketWatcher: Watcher, @unchecked Sendable {
    private let socket: Int32
    private let multi: Multi

    init(_ socket: Int32, _ multi: Multi) {
        self.socket = socket
        self.multi = multi
    }

    func ready(_ readiness: Readiness) {
        var bits: Int32 = 0
        if readiness.contains(.readable) || readiness.contains(.hangup) { bits |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { bits |= CURL_CSELECT_OUT }
        if readiness.contains(.broken) { bits |= CURL_CSELECT_ERR }
        self.multi.act(self.socket, bits)
    }
}

extension Interest {
    /// From CURL_POLL_IN, CURL_POLL_OUT or both.
    init(curl what: Int32) {
        var interest: Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.read) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
        self = interest
    }
}
