/// A descriptor that is held for nothing, so that it can be given up when the process has none left.

import EventLoop
import Glibc

struct SpareDescriptor: ~Copyable {
    private var descriptor: Descriptor?

    init() { _ = self.take() }

    /// Takes one where it has none. False when none is left.
    mutating func take() -> Bool {
        guard self.descriptor == nil else { return true }
        self.descriptor = try? Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), of: "open")
        return self.descriptor != nil
    }

    /// False when it has none.
    mutating func release() -> Bool {
        guard self.descriptor != nil else { return false }
        self.descriptor = nil
        return true
    }
}
