/// What a provider demands of whoever logs in, whatever the broker.
extension Provider {
    /// In our words.
    func check(_ identity: Identity) throws(BrokerFailure) {
        guard identity.assurance >= self.minimumAssurance else {
            throw BrokerFailure(.assuranceTooLow, "assurance_\(identity.assurance.rawValue)")
        }
        guard self.methods.isEmpty || !self.methods.isDisjoint(with: identity.methods) else {
            throw BrokerFailure(.assuranceTooLow, "amr")
        }
    }

    /// Where its people come from, if they all come from there.
    var onlyCountry: String? { self.countries.count == 1 ? self.countries.first : nil }
}
