/// What troubles a store now, told once when it begins and once when it ends: a full disk is not a line for each login.
import Synchronization

final class TroubleRecord: Sendable {
    private let current = Mutex<StoreTrouble?>(nil)
    /// Nil: it works again.
    private let observe: @Sendable (StoreTrouble?) -> Void

    init(_ observe: @escaping @Sendable (StoreTrouble?) -> Void) { self.observe = observe }

    func note(_ trouble: StoreTrouble?) {
        let isNews = self.current.withLock { current in
            defer { current = trouble }
            return current != trouble
        }
        if isNews { self.observe(trouble) }
    }
}
