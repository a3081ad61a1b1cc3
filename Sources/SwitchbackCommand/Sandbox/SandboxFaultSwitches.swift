import Sandbox
import ServerConfiguration
import Switchback
import Synchronization

/// Sets faults by name at the simulated brokers, while the sandbox runs.
final class SandboxFaultSwitches: Sendable {
    private let providers: [SandboxSystem: SandboxProvider]
    private let configuration: Configuration
    /// Nil until it runs.
    private let server = Mutex<SwitchbackServer?>(nil)

    init(providers: [SandboxSystem: SandboxProvider], configuration: Configuration) {
        self.providers = providers
        self.configuration = configuration
    }

    func run(_ server: SwitchbackServer) { self.server.withLock { $0 = server } }

    /// Sets or resets a fault. Returns false if the provider has no such fault.
    func set(_ fault: SandboxFault, isOn: Bool, for target: PhoneFaults.Target) async -> Bool {
        guard let flow = SandboxFlow(rawValue: target.provider), let broker = self.providers[flow.system],
            flow.pushesRequests || !fault.needsPushedRequest, flow == .se_bankid_app || !fault.needsLaunchLinks,
            flow.letsKnownUsersPass || !fault.needsKnownUser
        else { return false }
        do {
            if let login = target.login {
                try broker.setFault(fault.name, forLogin: login)
            } else {
                try broker.setFault(isOn ? fault.name : nil, for: flow.clientID)
            }
            // The server keeps a broker's documents for a while. With a reload it fetches them again.
            if fault.scope == .broker { try await self.server.withLock { $0 }?.reload(self.configuration) }
        } catch {
            return false
        }
        return true
    }
}
