/// A descriptor that is held for nothing, so that it can be given up when the process has none left.

import Glibc

// Safe because it is touched on the loop of its listener only.
final class SpareDescriptor: @unchecked Sendable {
    private var descriptor: Int32 = -1

    init() { _ = self.take() }

    deinit { _ = self.release() }

    /// Takes one where it has none. False when none is left.
    func take() -> Bool {
        if self.descriptor < 0 { self.descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) }
        return self.descriptor >= 0
    }

    /// False when it has none.
    func release() -> Bool {
        guard self.descriptor >= 0 else { return false }
        close(self.descriptor)
        self.descriptor = -1
        return true
    }
}
