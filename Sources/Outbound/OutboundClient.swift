import Base
import EventLoop
import Glibc

/// Talks HTTPS to brokers, and to no other hosts.
///
/// Connections are kept and reused. All work happens on one loop, which must outlive the client: call `close` first.
package final class OutboundClient: Sendable {
    private let loop: EventLoop
    private let queue: TransferQueue
    private let settings: OutboundSettings
    /// When our own certificate ends, in seconds since 1970, as read at the start.
    package let clientCertificateExpiry: Int?

    /// Throws if a file of the settings, or libcurl, cannot be used: so this shows at the start, and not at the first
    /// request.
    package init(loop: EventLoop, settings: OutboundSettings) throws(OperatorError) {
        if let caFile = settings.caFile, access(caFile, R_OK) != 0 { throw OperatorError("cannot read \(caFile)") }
        if let certificateFile = settings.clientCertificateFile, let keyFile = settings.clientKeyFile {
            let certificate = try ClientCertificate(certificateFile: certificateFile, keyFile: keyFile)
            self.clientCertificateExpiry = certificate.expiry
        } else {
            self.clientCertificateExpiry = nil
        }
        self.loop = loop
        self.settings = settings
        self.queue = try TransferQueue(loop: loop, settings: settings)
    }

    deinit {
        self.loop.execute { [queue] in queue.close() }
    }

    /// How busy it is now.
    package var load: TransferLoad { self.queue.currentLoad }

    /// Returns the response. Cancelling the task ends the transfer at once, even while it waits for its turn.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let transfer = Transfer(request, settings: self.settings)
        let outcome = await withTaskCancellationHandler {
            guard let maySend = request.maySend else { return await self.add(transfer) }
            if let outcome = await self.turn(of: transfer) { return outcome }
            return await self.proceed(with: transfer, await maySend())
        } onCancel: {
            // This may come before the start, which then sees the flag.
            transfer.isCancelled.store(true, ordering: .releasing)
            self.loop.execute { [queue] in queue.cancel(transfer) }
        }
        return try outcome.get()
    }

    private func add(_ transfer: Transfer) async -> Transfer.Outcome {
        await withCheckedContinuation { continuation in
            self.loop.execute { [queue] in
                transfer.continuation = continuation
                queue.add(transfer)
            }
        }
    }

    /// Returns nil when its turn has come, and the outcome if it ends before.
    private func turn(of transfer: Transfer) async -> Transfer.Outcome? {
        await withCheckedContinuation { continuation in
            self.loop.execute { [queue] in
                transfer.turn = continuation
                queue.add(transfer)
            }
        }
    }

    private func proceed(with transfer: Transfer, _ isPermitted: Bool) async -> Transfer.Outcome {
        await withCheckedContinuation { continuation in
            self.loop.execute { [queue] in
                transfer.continuation = continuation
                queue.proceed(transfer, isPermitted)
            }
        }
    }

    /// Ends all transfers and closes all connections.
    package func close() async {
        await withCheckedContinuation { continuation in
            self.loop.execute { [queue] in
                queue.close()
                continuation.resume()
            }
        }
    }
}
