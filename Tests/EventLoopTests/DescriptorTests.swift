import Glibc
import Testing

@testable import EventLoop

/// A descriptor is closed once, by its owner or when the owner releases it.
@Suite struct DescriptorTests {
    /// Two connected sockets. One of them shows whether the other is still open.
    private final class Ends {
        private let reading: Descriptor
        private var writing: Descriptor?

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemCallError(call: "socketpair") }
            self.reading = Descriptor(owning: ends[0])
            self.writing = Descriptor(owning: ends[1])
        }

        var number: Int32 { self.writing?.number ?? -1 }

        var isOpen: Bool {
            var byte: UInt8 = 0
            return read(self.reading.number, &byte, 1) != 0
        }

        func close() { self.writing?.close() }

        func letGo() { self.writing = nil }
    }

    @Test func `a descriptor closes with its owner`() throws {
        let ends = try Ends()
        #expect(ends.isOpen)
        ends.letGo()
        #expect(!ends.isOpen)
    }

    @Test func `a closed descriptor has no number and is closed once`() throws {
        let ends = try Ends()
        ends.close()
        #expect(!ends.isOpen)
        #expect(ends.number == -1)
        // Nothing is closed a second time, neither now nor when the owner ends.
        ends.close()
        ends.letGo()
    }

    @Test func `a duplicate outlives the first descriptor`() throws {
        let ends = try Ends()
        var owners = [try SharedDescriptor(twinOf: ends.number)]
        owners.append(owners[0])
        ends.letGo()
        #expect(ends.isOpen)
        owners.removeLast()
        #expect(ends.isOpen)
        owners.removeLast()
        #expect(!ends.isOpen)
    }

    @Test func `an error says why there is no descriptor`() {
        #expect(throws: SystemCallError(call: "fcntl", code: EBADF)) { try SharedDescriptor(twinOf: -1) }
    }
}
