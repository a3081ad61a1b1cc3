import Synchronization

/// The faults that take effect before a login has a page, and so have their switch on the phone.
package final class PhoneFaults: Sendable {
    /// Whom the fault is set for. Returns false if the provider has no such fault.
    package typealias Set = @Sendable (_ fault: SandboxFault, _ isOn: Bool, _ target: Target) async -> Bool

    /// A provider, or one login at it.
    package struct Target: Sendable {
        package let provider: String
        package var login: String?
    }

    /// A fault that all logins at a provider have, until somebody switches it off.
    struct Standing: Sendable {
        let provider: String
        let fault: SandboxFault
    }

    private let set: Set
    private let all = Mutex<[Standing]>([])
    /// By provider: what a test has set for the next login.
    private let next = Mutex<[String: SandboxFault]>([:])

    package init(set: @escaping Set) { self.set = set }

    static let offered = SandboxFault.all.filter(\.standsBeforeLogins)

    var standing: [Standing] { self.all.withLock { $0 } }

    /// Sets what has to be set before the login is created. Returns false if the provider has no such fault.
    func prepare(_ fault: SandboxFault, at provider: String) async -> Bool {
        switch fault.scope {
        case .login: return true
        case .create: return await self.set(fault, true, Target(provider: provider))
        case .broker:
            guard await self.set(fault, true, Target(provider: provider)) else { return false }
            self.all.withLock { all in
                all.removeAll { $0.provider == provider }
                all.append(Standing(provider: provider, fault: fault))
            }
            return true
        }
    }

    /// Sets or resets the rest, with the login that was created, if there is one.
    func settle(_ fault: SandboxFault, at provider: String, login: String?) async -> Bool {
        switch fault.scope {
        case .login:
            if let login { await self.set(fault, true, Target(provider: provider, login: login)) } else { true }
        case .create: await self.set(fault, false, Target(provider: provider))
        case .broker: true
        }
    }

    /// Sets a fault for the next login that is approved at this provider, whoever begins it. A fault that takes effect
    /// before the page stays until it is reset.
    func set(_ name: String, at provider: String) async -> Bool {
        guard let fault = SandboxFault.named(name) else { return false }
        if fault.scope == .broker { return await self.prepare(fault, at: provider) }
        guard await self.set(fault, true, Target(provider: provider)) else { return false }
        self.next.withLock { $0[provider] = fault }
        return true
    }

    /// Switches off what all logins at this provider have.
    func reset(_ provider: String) async {
        let standingFault = self.standing.first { $0.provider == provider }?.fault
        guard let fault = standingFault ?? self.next.withLock({ $0.removeValue(forKey: provider) }),
            await self.set(fault, false, Target(provider: provider))
        else { return }
        self.all.withLock { all in all.removeAll { $0.provider == provider } }
    }
}
