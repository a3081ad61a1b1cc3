import Base
import CCurl
import EventLoop
import Glibc

/// libcurl's transfers and connections, driven by one loop.
///
/// libcurl names the sockets it waits for, and the loop's poller watches them. libcurl names one time for the next
/// call, and that becomes one deadline of the loop.
///
/// Safe because, after `init`, it is used only on the loop.
final class Multi: @unchecked Sendable {
    private let loop: EventLoop
    /// Nil once closed.
    private var handle: MultiHandle?
    /// Nil with a client certificate: a resumed session is still that of the certificate with which it began, even if
    /// the file has a new one.
    private let sessions: TLSSessions?
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var sockets: [Int32: SocketWatcher] = [:]
    private var deadline: Deadline?
    /// Counts the times that libcurl has named, so that an outdated one has no effect.
    private var timing = 0

    init(loop: EventLoop, settings: OutboundSettings) throws(OperatorError) {
        guard Self.isReady, let raw = curl_multi_init() else { throw OperatorError("libcurl does not start") }
        self.loop = loop
        self.handle = MultiHandle(owning: raw)
        self.sessions = settings.clientCertificateFile == nil ? try TLSSessions() : nil
        let connections = max(1, settings.maxConnections) + OutboundSettings.urgentConnections
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let codes = [
            switchback_curl_multi_set_long(raw, CURLMOPT_MAX_HOST_CONNECTIONS, connections),
            switchback_curl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, connections),
            switchback_curl_multi_set_sockets(
                raw, { _, socket, what, owner, _ in Multi.follow(socket, what, owner) }, owner),
            switchback_curl_multi_set_timer(raw, { _, time, owner in Multi.callLater(time, owner) }, owner),
        ]
        guard codes.allSatisfy({ $0 == CURLM_OK }) else { throw OperatorError("libcurl is too old") }
    }

    deinit {
        guard let raw = self.raw else { return }
        // This happens only if the loop ended before us. libcurl must not call us any more.
        _ = switchback_curl_multi_set_sockets(raw, nil, nil)
        _ = switchback_curl_multi_set_timer(raw, nil, nil)
    }

    /// Set up once per process.
    private static let isReady: Bool = {
        // OpenSSL writes with write(2). Without this, a server that hangs up at the wrong time ends our process.
        signal(SIGPIPE, SIG_IGN)
        return switchback_curl_global_init() == CURLE_OK
    }()

    /// False once closed.
    var isOpen: Bool { self.raw != nil }

    private var raw: UnsafeMutableRawPointer? { self.handle?.raw }

    // MARK: - Transfers

    func start(_ transfer: Transfer) {
        guard let raw = self.raw, !transfer.isCancelled.load(ordering: .acquiring) else {
            return transfer.end(.failure(.cancelled))
        }
        do throws(OutboundError) {
            let handle = try EasyHandle(transfer, resuming: self.sessions)
            guard curl_multi_add_handle(raw, handle.raw) == CURLM_OK else { throw .broken("not started") }
            transfer.handle = handle
            self.transfers[handle.raw] = transfer
            transfer.deadline = self.loop.schedule(after: transfer.request.deadline) { [weak self] in
                self?.end(transfer, .failure(.timedOut))
            }
        } catch {
            transfer.end(.failure(error))
        }
    }

    func cancel(_ transfer: Transfer) {
        self.end(transfer, .failure(.cancelled))
    }

    /// Ends all transfers and connections. A transfer that starts later ends at once.
    func close() {
        guard self.isOpen else { return }
        for transfer in self.transfers.values { self.end(transfer, .failure(.cancelled)) }
        // Remove it before the cleanup: libcurl names its sockets meanwhile, and must find us closed.
        _ = self.handle.take()
        for socket in self.sockets.keys { self.loop.unwatch(socket) }
        self.sockets = [:]
        self.stopTimer()
    }

    private func end(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
        if let handle = transfer.handle {
            curl_multi_remove_handle(self.raw, handle.raw)
            self.transfers[handle.raw] = nil
            transfer.handle = nil
        }
        if let deadline = transfer.deadline { self.loop.cancel(deadline) }
        transfer.deadline = nil
        transfer.end(outcome)
    }

    // MARK: - Sockets and time

    /// Tells libcurl what happened on a socket, or with `CURL_SOCKET_TIMEOUT` that time has passed.
    func act(_ socket: Int32, _ readiness: Int32) {
        guard let raw = self.raw else { return }
        var runningCount: Int32 = 0
        curl_multi_socket_action(raw, socket, readiness, &runningCount)
        self.finishCompleted()
    }

    private func finishCompleted() {
        var remainingCount: Int32 = 0
        while let raw = self.raw, let message = curl_multi_info_read(raw, &remainingCount)?.pointee {
            guard message.msg == CURLMSG_DONE, let transfer = self.transfers[message.easy_handle],
                let handle = transfer.handle
            else { continue }
            self.end(transfer, transfer.outcome(message.data.result, of: handle))
        }
    }

    /// libcurl wants a socket watched, watched for something else, or no longer watched.
    private func follow(_ socket: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            if self.sockets.removeValue(forKey: socket) != nil { self.loop.unwatch(socket) }
            return
        }
        let interest = Interest(curl: what)
        guard self.sockets[socket] == nil else { return self.loop.change(socket, to: interest) }
        let watcher = SocketWatcher(socket, self)
        // If a socket cannot be watched, its transfer ends by its deadline.
        guard (try? self.loop.watch(socket, for: interest, watcher)) != nil else { return }
        self.sockets[socket] = watcher
    }

    private func scheduleTimeout(_ milliseconds: Int) {
        self.stopTimer()
        guard self.raw != nil, milliseconds >= 0 else { return }
        let timing = self.timing
        let action: @Sendable () -> Void = { self.handleTimeout(timing) }
        if milliseconds == 0 {
            // Do not call libcurl here, because it is in the middle of its work.
            self.loop.execute(action)
        } else {
            self.deadline = self.loop.schedule(after: .milliseconds(milliseconds), action)
        }
    }

    private func stopTimer() {
        self.timing &+= 1
        if let deadline = self.deadline { self.loop.cancel(deadline) }
        self.deadline = nil
    }

    private func handleTimeout(_ timing: Int) {
        guard let raw = self.raw, self.timing == timing else { return }
        self.deadline = nil
        self.act(CURL_SOCKET_TIMEOUT, 0)
        guard self.timing == timing else { return }
        // libcurl names a time only once, and believes that it has named the next one.
        var milliseconds = -1
        curl_multi_timeout(raw, &milliseconds)
        self.scheduleTimeout(milliseconds)
    }

    // MARK: - Called by libcurl

    private static func follow(_ socket: Int32, _ what: Int32, _ owner: UnsafeMutableRawPointer?) -> Int32 {
        self.at(owner)?.follow(socket, what)
        return 0
    }

    private static func callLater(_ milliseconds: Int, _ owner: UnsafeMutableRawPointer?) -> Int32 {
        self.at(owner)?.scheduleTimeout(milliseconds)
        return 0
    }

    private static func at(_ owner: UnsafeMutableRawPointer?) -> Multi? {
        owner.map { Unmanaged<Multi>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// libcurl's multi handle. It is cleaned up once, when its owner ends.
private struct MultiHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    init(owning raw: UnsafeMutableRawPointer) { self.raw = raw }

    deinit { curl_multi_cleanup(self.raw) }
}

// MARK: - Sockets

/// Watches one of libcurl's sockets in the loop's poller.
///
/// Safe because it is called only on the loop, like everything that it calls.
private final class SocketWatcher: Watcher, @unchecked Sendable {
    private let socket: Int32
    private let multi: Multi

    init(_ socket: Int32, _ multi: Multi) {
        self.socket = socket
        self.multi = multi
    }

    func ready(_ readiness: ReadyEvents) {
        var bits: Int32 = 0
        if readiness.contains(.readable) || readiness.contains(.hangup) { bits |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { bits |= CURL_CSELECT_OUT }
        if readiness.contains(.broken) { bits |= CURL_CSELECT_ERR }
        self.multi.act(self.socket, bits)
    }
}

extension Interest {
    /// Converts CURL_POLL_IN, CURL_POLL_OUT or both.
    init(curl what: Int32) {
        var interest: Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.read) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
        self = interest
    }
}
