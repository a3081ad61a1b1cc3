// What only these tests ask a provider about itself.

import JOSE

@testable import Sandbox

extension SandboxProvider {
    /// The keys that are published now.
    var keys: JWKSet {
        let now = self.core.now()
        return self.core.memory.withLock { $0.keys.published(at: now) }
    }

    var heldTokenRequests: Int { self.core.gate.heldCount }
}
