import CCurl
import EventLoop
import Glibc
import Synchronization

/// One running request, and the received part of its response.
///
/// Safe because everything but `isCancelled` is used only on the loop. libcurl's callbacks run there too.
final class Transfer: @unchecked Sendable {
    typealias Outcome = Result<OutboundResponse, OutboundError>

    let request: OutboundRequest
    let settings: OutboundSettings
    let isCancelled = Atomic(false)

    /// Set while the transfer runs.
    var handle: EasyHandle?
    /// Set while its caller waits for its turn. It gets nil then, and the outcome if the transfer ends before.
    var turn: CheckedContinuation<Outcome?, Never>?
    /// Cleared when the transfer ends, so that it ends once.
    var continuation: CheckedContinuation<Outcome, Never>?
    /// libcurl does not count the time that a request waits for a connection; the loop does.
    var deadline: Deadline?
    /// Limits the wait for its turn; nil when it does not wait.
    var queueDeadline: Deadline?
    /// Called once, when a transfer that has begun ends.
    var hasEnded: (() -> Void)?

    private var head = ReceivedHead()
    private var headBytes = 0
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// Why we did not connect to an address that the name resolved to.
    private var addressRefusal: String?
    /// Why there was no socket to connect with.
    private var shortage: SystemCallError?

    init(_ request: OutboundRequest, settings: OutboundSettings) {
        self.request = request
        self.settings = settings
    }

    /// Called when the request need not wait any more.
    func reportStart() { self.request.onStart?() }

    func end(_ outcome: Outcome) {
        self.turn?.resume(returning: outcome)
        self.turn = nil
        self.continuation?.resume(returning: outcome)
        self.continuation = nil
        let hasEnded = self.hasEnded
        self.hasEnded = nil
        hasEnded?()
    }

    // MARK: - Events from libcurl

    /// Returns false to stop the transfer.
    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        self.headBytes += line.count
        guard self.headBytes <= self.settings.headLimit else {
            self.isTooLarge = true
            return false
        }
        self.head.take(line)
        guard self.head.isComplete else { return true }
        let coding = self.head.coding
        if coding.isCharset { self.handle?.passBodyOnUndecoded() }
        guard coding.isNone, let length = self.head.length, length > self.request.limit else { return true }
        self.isTooLarge = true
        return false
    }

    /// The most bytes that the body may have as it is sent. An encoding can make a small body longer.
    var sentLimit: Int { 2 * max(0, self.request.limit) + 64 }

    /// Returns false to stop the transfer. An encoded body may go on for ever without giving us a byte.
    func takeSent(_ count: Int) -> Bool {
        guard count > self.sentLimit else { return true }
        self.isTooLarge = true
        return false
    }

    /// Takes decoded bytes. Returns false to stop the transfer.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= self.request.limit - self.body.count else {
            self.isTooLarge = true
            return false
        }
        self.body.append(contentsOf: bytes)
        return true
    }

    /// Returns a socket for this address, or -1. libcurl calls it for every connection, after it has resolved the name.
    /// So a name that changes between two look-ups (DNS rebinding) gains nothing.
    func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
        let scope = AddressScope(address)
        let isInsecureHost = self.handle.map { self.settings.insecureHosts.contains($0.url.host) } ?? false
        guard isInsecureHost && scope != .unusable || self.admits(scope, isPlain: self.handle?.url.isPlain ?? false)
        else {
            self.addressRefusal = "address not allowed: \(scope)"
            return CURL_SOCKET_BAD
        }
        // Programs that this process starts must not inherit the socket.
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
        if descriptor < 0, Descriptors.isExhaustion(errno) { self.shortage = SystemCallError(call: "socket") }
        return descriptor
    }

    private func admits(_ scope: AddressScope, isPlain: Bool) -> Bool {
        switch scope {
        case .global: !isPlain
        case .loopback: self.settings.allowInsecureLoopback || (self.settings.allowPrivateAddresses && !isPlain)
        case .privateUse: self.settings.allowPrivateAddresses && !isPlain
        case .unusable: false
        }
    }

    func outcome(_ code: CURLcode, of handle: EasyHandle) -> Outcome {
        if code == CURLE_OK {
            guard self.head.isComplete else { return .failure(.broken("the response head is incomplete")) }
            var response = OutboundResponse(status: handle.status, fields: self.head.fields, body: self.body)
            if self.settings.readsCertificate { response.certificateExpiry = handle.certificateExpiry }
            return .success(response)
        }
        if self.isTooLarge { return .failure(.tooLarge) }
        // libcurl reports bytes after the end of the encoded body as a failure to write. It has the same code for a
        // transfer coding that it does not know, which is no valid HTTP for us (RFC 9112 §6.1).
        let isOfTransfer = self.head.isComplete && self.head.coding.isEmpty
        if code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_WRITE_ERROR, !isOfTransfer {
            return .failure(.encoding("\(self.head.coding): \(printable(handle.detail))"))
        }
        if code == CURLE_COULDNT_CONNECT, let refusal = self.addressRefusal { return .failure(.refused(refusal)) }
        if let shortage = self.shortage(code) { return .failure(.noDescriptors(shortage)) }
        let error = OutboundError(code, detail: handle.detail)
        guard case .broken(let detail) = error, self.wasHungUp(code, handle) else { return .failure(error) }
        return .failure(.closed(detail))
    }

    /// Whether the connection of a request that may happen once ended after a part of it was given to the socket, and
    /// before the first line of the response.
    private func wasHungUp(_ code: CURLcode, _ handle: EasyHandle) -> Bool {
        guard self.request.delivery == .atMostOnce, self.headBytes == 0, handle.sentCount > 0 else { return false }
        return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING
    }

    /// Returns nil unless the transfer failed, before anything was sent, because no descriptor was left. The resolver
    /// and the reader of certificates do not say why they fail, so we ask the system.
    private func shortage(_ code: CURLcode) -> String? {
        switch code {
        case CURLE_COULDNT_CONNECT: self.shortage?.description
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
            Descriptors.areExhausted ? "no file descriptor is left" : nil
        default: nil
        }
    }
}

// MARK: - Called by libcurl

extension Transfer {
    /// The body of both writer callbacks. Returns the count to continue, and 0 to stop.
    static func take(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ size: Int,
        _ count: Int,
        _ owner: UnsafeMutableRawPointer?,
        _ handOver: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let (length, overflow) = size.multipliedReportingOverflow(by: count)
        guard let owner, !overflow else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
        return handOver(transfer, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length)) ? length : 0
    }
}
