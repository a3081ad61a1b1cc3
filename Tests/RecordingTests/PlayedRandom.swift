import Base
import CSSL
import Foundation
import Synchronization
import TestSupport

/// The random generator of this process while it records: libcrypto gives the same bytes each time.
///
/// Every request begins with bytes of its own name, so that a request which takes more of them changes no other.
enum PlayedRandom {
    private struct State {
        var generator = SplitMix64(seed: 0)
        var callCount = 0
    }

    private static let state = Mutex(State())
    private static let method = Mutex(
        rand_meth_st(
            seed: { _, _ in 1 }, bytes: { PlayedRandom.fill($0, $1) }, cleanup: nil, add: { _, _, _ in 1 },
            pseudorand: { PlayedRandom.fill($0, $1) }, status: { 1 }))

    /// Only for a process that does nothing else: from now on nothing in it is secret.
    static func install() throws {
        typealias Install = @convention(c) (UnsafeRawPointer) -> Int32
        // By its name, because its header calls it deprecated. Nothing replaces it for a whole process.
        guard let function = dlsym(nil, "RAND_set_rand_method") else { throw RecordingError("no RAND_set_rand_method") }
        let copy = UnsafeMutablePointer<rand_meth_st>.allocate(capacity: 1)
        copy.initialize(to: self.method.withLock { $0 })
        guard unsafeBitCast(function, to: Install.self)(copy) == 1 else { throw RecordingError("no played random") }
    }

    /// Begins the bytes of this name. It throws away what the process has drawn in advance, until that is filled again.
    static func begin(_ name: String) {
        repeat {
            self.seed(name)
            _ = RandomBytes.make(1)
        } while self.state.withLock { $0.callCount } == 0
        self.seed("\(name), after that")
    }

    private static func seed(_ name: String) {
        let seed = Self.hash(name)
        self.state.withLock { $0 = State(generator: SplitMix64(seed: seed)) }
    }

    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func fill(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        guard let bytes else { return 0 }
        self.state.withLock { state in
            state.callCount += 1
            for index in 0..<Int(count) { bytes[index] = UInt8(truncatingIfNeeded: state.generator.next() >> 32) }
        }
        return 1
    }
}
