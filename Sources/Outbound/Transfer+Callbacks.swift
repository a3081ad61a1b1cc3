// From libcurl's untyped callbacks to a transfer's own functions.

import CCurl

extension Transfer {
    /// The body of both writer callbacks: answers the count to go on, 0 to stop.
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
