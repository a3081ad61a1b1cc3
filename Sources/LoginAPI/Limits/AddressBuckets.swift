import HTTPWire

/// Buckets by address. An IPv4 address has one. In IPv6 a caller can freely change its address, /64 or even /56, so a
/// /48 counts like an IPv4 address, and each network in it has a share of that.
struct AddressBuckets: Sendable {
    /// An IPv4 address, or a /48.
    private let whole: BucketTable<IPAddress>
    private let quarter: BucketTable<IPAddress>
    private let sixteenth: BucketTable<IPAddress>

    init(_ rate: Rate) {
        self.whole = BucketTable(rate)
        self.quarter = BucketTable(rate.part(4))
        self.sixteenth = BucketTable(rate.part(16))
    }

    /// Takes from the smallest network first, so that a refusal there costs the larger ones nothing.
    func take(_ address: IPAddress, at now: Duration, count: Int = 1) -> RateLimitDecision {
        if !address.isV4 {
            for (table, length) in [(self.sixteenth, 64), (self.quarter, 56)] {
                let verdict = table.take(address.network(length), at: now, count: count)
                guard case .allowed = verdict else { return verdict }
            }
        }
        return self.whole.take(address.network(48), at: now, count: count)
    }

    /// Returns how many tokens the largest network of this address has used.
    func used(_ address: IPAddress, at now: Duration) -> Int { self.whole.used(address.network(48), at: now) }
}
