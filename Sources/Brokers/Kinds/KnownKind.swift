/// A kind of broker that a configuration can name.
package struct KnownKind: Sendable {
    /// All kinds, in the order of the reference. A new kind is one line here.
    package static let all: [Self] = [
        Self(PlainOpenIDConnect.self),
        Self(Signaturgruppen.self),
        Self(Vipps.self),
        Self(Idura.self),
        Self(DigiDKind.self),
    ]

    package static let digid = Self(DigiDKind.self)

    private let type: any ConfigurableKind.Type

    private init(_ type: any ConfigurableKind.Type) { self.type = type }

    /// What `brokers.*.kind` may be, and what each is.
    package static var explanation: String {
        "The kind of the broker: " + self.all.map { "\($0.type.name) is \($0.type.summary)" }.joined(separator: "; ")
            + "."
    }

    /// Returns the kind with this flow; nil for a flow of all kinds.
    package static func owner(of flow: Provider.Flow) -> Self? { self.all.first { $0.type.flows.contains(flow) } }

    /// The settings of brokers that only this kind reads, and those of providers.
    package var settings: [KindOption] { self.type.settings }
    package var providerSettings: [KindOption] { self.type.providerSettings }

    package var portal: String? { self.type.portal }

    package var encodesCredentials: Bool { self.type.encodesCredentials }

    package func problems(
        ofBroker broker: some OptionValues, in server: some OptionValues
    ) -> [KindProblem] {
        self.type.problems(ofBroker: broker, in: server)
    }

    package func problems(of provider: some OptionValues) -> [KindProblem] { self.type.problems(of: provider) }

    package func problems(
        of provider: some OptionValues, with flow: Provider.Flow, at broker: (some OptionValues)?
    ) -> [KindProblem] {
        self.type.problems(of: provider, with: flow, at: broker)
    }

    package func options(from values: some OptionValues) -> any ProviderOptions { self.type.options(from: values) }

    /// Creates how such a broker differs from plain OpenID Connect, from its checked settings. Nil if it does not speak
    /// OpenID Connect.
    package func openID(_ values: some OptionValues) -> (any BrokerKind)? {
        (self.type as? any BrokerKind.Type)?.init(values)
    }
}

extension KnownKind: RawRepresentable, Equatable {
    package var rawValue: String { self.type.name }

    package init?(rawValue name: String) {
        guard let kind = Self.all.first(where: { $0.type.name == name }) else { return nil }
        self = kind
    }
}
