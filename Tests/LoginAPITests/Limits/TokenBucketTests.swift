import TestSupport
import Testing

@testable import LoginAPI

/// Tests properties of token buckets that hold for any order of takes.
@Suite struct TokenBucketTests {
    static func rate(_ burst: Int, every interval: Duration) throws -> Rate {
        try #require(Rate(burst: burst, interval: interval))
    }

    @Test func `a fresh bucket gives the burst and then one each interval`() throws {
        var buckets = TokenBuckets<String>(try Self.rate(5, every: .seconds(2)))
        for _ in 0..<5 { #expect(buckets.take("a", at: .zero) == .allowed) }
        #expect(buckets.take("a", at: .zero) == .refused(retryAfter: .seconds(2)))
        #expect(buckets.take("a", at: .milliseconds(1999)) == .refused(retryAfter: .milliseconds(1)))
        #expect(buckets.take("a", at: .seconds(2)) == .allowed)
        #expect(buckets.take("a", at: .seconds(2)) == .refused(retryAfter: .seconds(2)))
    }

    /// Otherwise nobody could wait long enough, and the time to wait would be untrue.
    @Test func `nothing costs more than a full bucket`() throws {
        var buckets = TokenBuckets<String>(try Self.rate(3, every: .seconds(2)))
        #expect(buckets.take("a", at: .zero, count: 4) == .allowed)
        #expect(buckets.take("a", at: .zero, count: 4) == .refused(retryAfter: .seconds(6)))
        #expect(buckets.take("a", at: .seconds(6), count: 4) == .allowed)
    }

    @Test func `keys do not share a bucket`() throws {
        var buckets = TokenBuckets<Int>(try Self.rate(1, every: .seconds(1)))
        for key in 0..<100 { #expect(buckets.take(key, at: .zero) == .allowed) }
        for key in 0..<100 { #expect(buckets.take(key, at: .zero) != .allowed) }
    }

    /// A refusal costs nothing: a caller that waits for the time in it is allowed.
    @Test(arguments: 1...20) func `a caller that waits as told is allowed`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var buckets = TokenBuckets<Int>(try Self.rate(Int.random(in: 1...7, using: &random), every: .milliseconds(700)))
        var now = Duration.zero
        for _ in 0..<300 {
            now += .milliseconds(Int.random(in: 0...400, using: &random))
            guard case .refused(let wait) = buckets.take(1, at: now) else { continue }
            #expect(wait > .zero)
            now += wait
            #expect(buckets.take(1, at: now) == .allowed)
        }
    }

    /// Over any time, at most the burst and one each interval.
    @Test(arguments: 1...20) func `no more than the rate is allowed`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let burst = Int.random(in: 1...9, using: &random)
        var buckets = TokenBuckets<Int>(try Self.rate(burst, every: .milliseconds(500)))
        var allowed: [Duration] = []
        var now = Duration.zero
        for _ in 0..<2000 {
            now += .milliseconds(Int.random(in: 0...100, using: &random))
            if buckets.take(1, at: now) == .allowed { allowed.append(now) }
        }
        for first in allowed.indices {
            let last = first + burst
            guard last < allowed.count else { break }
            #expect(allowed[last] - allowed[first] >= .milliseconds(500))
        }
    }

    @Test func `buckets that are full again are swept along the way`() throws {
        var buckets = TokenBuckets<Int>(try Self.rate(1, every: .seconds(1)))
        for key in 0..<1000 { _ = buckets.take(key, at: .zero) }
        #expect(buckets.count == 1000)
        for key in 0..<1200 { _ = buckets.take(5000 + key % 2, at: .seconds(2 + key)) }
        #expect(buckets.count <= 2)
    }

    @Test(arguments: 1...10) func `the table is bounded and stays consistent`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var buckets = TokenBuckets<Int>(try Self.rate(2, every: .seconds(1)), capacity: 50)
        for step in 0..<5000 {
            _ = buckets.take(Int.random(in: 0...200, using: &random), at: .milliseconds(step * 3))
            #expect(buckets.count <= 50)
        }
        #expect(buckets.take(12345, at: .seconds(1000)) == .allowed)
    }

    @Test func `a rate of zero is no limit`() {
        #expect(Rate(perMinute: 0) == nil)
        #expect(Rate(perMinute: 60) == Rate(burst: 60, interval: .seconds(1)))
    }
}
