import EventLoop
import Glibc

/// A reserved descriptor that we can give up when the process has none left.
struct SpareDescriptor: ~Copyable {
    private var descriptor: Descriptor?

    init() { _ = self.take() }

    /// Opens the spare if there is none. Returns false when the process has no descriptor left.
    mutating func take() -> Bool {
        guard self.descriptor == nil else { return true }
        self.descriptor = try? Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), of: "open")
        return self.descriptor != nil
    }

    /// Closes the spare. Returns false when there is none.
    mutating func release() -> Bool {
        guard self.descriptor != nil else { return false }
        self.descriptor = nil
        return true
    }
}
