// The keys that rotate themselves.

import Base
import JOSE
import KeyFiles
import KeyRing

extension Configuration {
    /// How the keys of these uses rotate. Which uses do is read only at the start.
    package func ringPolicy(of uses: Set<KeyUse>) -> RingPolicy {
        let keys = self.keys
        return RingPolicy(
            RingPolicy.uses.filter(uses.contains).flatMap { self.chains(of: $0) },
            rotateEvery: keys.rotateEvery, publishFor: keys.publishFor, trustedSince: keys.trustedSince)
    }

    /// The files of a use whose keys can rotate themselves, the active ones first.
    private func fileKeys(_ use: KeyUse) -> [SigningKey] {
        switch use {
        case .assertion: self.assertionKeys
        case .access: self.accessKeys
        case .signing: self.signingKeys
        case .server, .decryption, .session, .audit: []
        }
    }

    /// Automatic keys are of the kind of the files that are active now. There is one chain for each slot.
    private func chains(of use: KeyUse) -> [RingPolicy.Chain] {
        let schedule = self.keySchedules[use]
        let activeCount = schedule?.keys.indices.filter { schedule?.phase($0) == .active }.count ?? 0
        var chains: [RingPolicy.Chain] = []
        for key in self.fileKeys(use).prefix(max(1, activeCount)) {
            let slot = RingPolicy.Slot(use, like: key)
            guard !chains.contains(where: { $0.slot == slot }) else { continue }
            chains.append(RingPolicy.Chain(slot, key.key.kind, algorithm: key.algorithm))
        }
        return chains
    }

    /// Returns the signer of a use. With a keeper it is the automatic key that is active at each signature, or else the
    /// key in the file.
    package func signer(
        _ use: KeyUse, _ algorithm: SignatureAlgorithm? = nil, _ keeper: KeyRingKeeper?
    ) -> JWTSigner? {
        let keys = self.fileKeys(use)
        guard let file = keys.signer(algorithm) else { return nil }
        guard let keeper, keeper.uses.contains(use),
            let algorithm = algorithm ?? keys.first?.usualAlgorithm,
            let key = keys.first(where: { $0.fits(algorithm) })
        else { return file }
        let slot = RingPolicy.Slot(use, like: key)
        return JWTSigner(usually: file) { keeper.signer(in: slot, algorithm) }
    }
}
