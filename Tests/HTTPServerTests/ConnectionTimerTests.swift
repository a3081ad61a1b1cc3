import Testing

@testable import HTTPServer

/// The deadline of a connection as a value: one entry in the wheel, moved only when it must ring earlier.
@Suite struct ConnectionTimerTests {
    @Test func `the same wait does not begin anew`() {
        var clock = ConnectionTimer()
        #expect(clock.start(.head, of: 0, until: 100) == 100)
        #expect(clock.start(.head, of: 0, until: 150) == nil)
        #expect(clock.takeExpiry(at: 100) == .over(.head))
    }

    @Test func `a later deadline keeps the entry`() {
        var clock = ConnectionTimer()
        #expect(clock.start(.request, of: 0, until: 100) == 100)
        #expect(clock.start(.request, of: 1, until: 250) == nil)
        #expect(clock.start(.request, of: 2, until: 300) == nil)
        #expect(clock.takeExpiry(at: 100) == .again(at: 300))
        #expect(clock.takeExpiry(at: 299) == .again(at: 300))
        #expect(clock.takeExpiry(at: 300) == .over(.request))
    }

    @Test func `an earlier deadline moves the entry`() {
        var clock = ConnectionTimer()
        #expect(clock.start(.request, of: 0, until: 600) == 600)
        #expect(clock.start(.head, of: 0, until: 100) == 100)
        #expect(clock.start(.body, of: 0, until: 200) == nil)
        #expect(clock.takeExpiry(at: 100) == .again(at: 200))
    }

    @Test func `waiting for nothing has no deadline`() {
        var clock = ConnectionTimer()
        #expect(clock.start(nil, of: 0, until: 0) == nil)
        #expect(clock.start(.request, of: 0, until: 100) == 100)
        #expect(clock.start(nil, of: 1, until: 0) == nil)
        #expect(clock.takeExpiry(at: 1000) == .nothing)
        // The entry is gone, so the next wait wants one.
        #expect(clock.start(.request, of: 2, until: 2000) == 2000)
    }

    @Test func `a deadline is over only once`() {
        var clock = ConnectionTimer()
        #expect(clock.start(.write, of: 3, until: 100) == 100)
        #expect(clock.takeExpiry(at: 150) == .over(.write))
        #expect(clock.takeExpiry(at: 150) == .nothing)
        #expect(clock.start(.linger, of: 3, until: 200) == 200)
    }
}
