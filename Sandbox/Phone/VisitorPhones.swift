import Base
import Foundation
import StrictJSON
import SwitchbackClient
import Synchronization

/// The phones of all visitors. A phone that nobody has looked at for an hour is gone, with its logins.
final class VisitorPhones: Sendable {
    private static let lifetime = Duration.seconds(3600)
    private static let limit = 1000

    private struct Memory {
        var phones: [String: VisitorPhone] = [:]
        /// The names of providers, by id.
        var names: [String: String] = [:]
        /// The lists of login buttons, by app.
        var lists: [String: LoginClient] = [:]
    }

    private let dependencies: VisitorPhone.Dependencies
    private let memory = Mutex(Memory())

    init(_ dependencies: VisitorPhone.Dependencies) { self.dependencies = dependencies }

    /// Returns the phone of a visitor who has begun a login before, with its app in front.
    func phone(of visitor: PhoneVisitor) -> VisitorPhone? {
        let phone = self.memory.withLock { $0.phones[visitor.id] }
        phone?.look()
        return phone
    }

    /// Returns the visitor's phone, or a new one. If there are too many, the one goes that was left alone the longest.
    func makePhone(of visitor: PhoneVisitor) -> VisitorPhone {
        if let phone = self.phone(of: visitor) { return phone }
        let phone = VisitorPhone(self.dependencies)
        let end = self.dependencies.now() - Self.lifetime
        // A phone that goes stops its library, which takes locks of its own.
        let (keptPhone, oldPhones) = self.memory.withLock { memory in
            var oldPhones = memory.phones.filter { $0.value.seenAt < end }
            if memory.phones.count - oldPhones.count >= Self.limit,
                let oldest = memory.phones.min(by: { $0.value.seenAt < $1.value.seenAt })
            {
                oldPhones[oldest.key] = oldest.value
            }
            for key in oldPhones.keys { memory.phones[key] = nil }
            // Another request may have made one meanwhile.
            let keptPhone = memory.phones[visitor.id] ?? phone
            memory.phones[visitor.id] = keptPhone
            return (keptPhone, oldPhones)
        }
        _ = oldPhones
        keptPhone.look()
        return keptPhone
    }

    /// Returns the providers of an app with their names.
    func fetchProviders(of app: String) async -> [(id: String, name: String)] {
        let send = self.dependencies.send
        let list = self.memory.withLock { memory in
            if let list = memory.lists[app] { return list }
            // It has no logins, so it needs no network that can be lost, and no store that anybody reads.
            let network = PhoneNetwork(
                send: send, now: self.dependencies.now, news: PhoneNews(sleep: self.dependencies.sleep))
            let list = LoginClient(
                server: PhoneNetwork.url, app: app, store: PhoneStore(),
                dependencies: LoginClientDependencies { try await network.answer(to: $0) })
            memory.lists[app] = list
            return list
        }
        let providers = (try? await list.providers(languages: [])) ?? []
        self.memory.withLock { memory in for provider in providers { memory.names[provider.id] = provider.name } }
        return providers.map { ($0.id, $0.name) }
    }

    /// Returns the name of a provider, or its id.
    func name(of provider: String) -> String { self.memory.withLock { $0.names[provider] } ?? provider }

    /// Sends a request of the session's script.
    func relay(_ call: PhoneRequest) async -> PhoneRequest.Answer {
        // Without a network there is no response.
        (try? await self.dependencies.send(call)) ?? .none
    }
}
