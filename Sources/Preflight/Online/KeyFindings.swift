import JOSE
import OpenIDConnect
import StrictJSON

/// Checks whether a broker has keys for the algorithms that it may sign with.
struct KeyFindings {
    private let algorithms: [SignatureAlgorithm]
    private let keys: JWKSet
    private let document: JSON?

    /// `algorithms` are those that are configured and that the broker uses.
    init(_ algorithms: Set<SignatureAlgorithm>, _ keys: JWKSet, _ document: JSON?) {
        self.algorithms = SignatureAlgorithm.allCases.filter(algorithms.contains)
        self.keys = keys
        self.document = document
    }

    func add(to list: inout FindingList) {
        self.addSkipped(to: &list)
        self.addAmbiguous(to: &list)
        let counts = self.algorithms.map { algorithm in (algorithm, self.keys.keys.filter { $0.verifies(algorithm) }) }
        let isOneUsable = counts.contains { !$0.1.isEmpty }
        for (algorithm, keys) in counts {
            let keyIDs = keys.compactMap(\.keyID)
            if keys.isEmpty, isOneUsable {
                list.warn("keys", "no key for \(algorithm.rawValue): signatures with it are refused")
            } else if keys.isEmpty {
                list.fail("keys", "no key for \(algorithm.rawValue): check id_token_algorithms")
            } else if keys.count > 1, keyIDs.count < keys.count {
                list.warn("keys", "\(keys.count) keys for \(algorithm.rawValue), not all with a kid: which one signed?")
            } else {
                list.pass(
                    "keys", "\(algorithm.rawValue): kid \(keyIDs.isEmpty ? "none" : keyIDs.joined(separator: ", "))")
            }
        }
    }

    /// When two keys have one `kid`, we cannot tell which one signed, and the server does not guess.
    private func addAmbiguous(to list: inout FindingList) {
        var seenNames: Set<String> = []
        for name in self.keys.keys.compactMap(\.keyID) where seenNames.insert(name).inserted {
            let sharedAlgorithms = self.algorithms.filter { algorithm in
                if case .ambiguous = self.keys.key(for: algorithm, keyID: name) { return true }
                return false
            }
            guard !sharedAlgorithms.isEmpty else { continue }
            let words = sharedAlgorithms.map(\.rawValue).joined(separator: ", ")
            list.fail(
                "keys", "several keys have the kid \(name) (\(words)): we refuse them; tell the broker")
        }
    }

    func add(_ failure: ProviderDirectoryError, to list: inout FindingList) {
        switch failure {
        case .fetch(let error): list.note(error, as: "keys")
        case .status(let status): list.fail("keys", "jwks_uri returns \(status): the broker must correct it")
        case .tooLarge: list.fail("keys", "the key set is larger than 256 KiB")
        case .keySet: list.fail("keys", "jwks_uri does not return a key set")
        case .noUsableKey:
            self.addSkipped(to: &list)
            list.fail("keys", "the key set has no usable key")
        case .metadata, .throttled: list.fail("keys", failure.raw)
        }
    }

    /// The server skips one bad key among good ones in silence. Here we name it.
    private func addSkipped(to list: inout FindingList) {
        for (index, entry) in (self.document?["keys"]?.array ?? []).enumerated() {
            do throws(JWKError) {
                _ = try JWK(entry, spelling: .provider)
            } catch {
                let name = entry["kid"]?.string.map { "kid \($0)" } ?? "key \(index + 1), without kid,"
                self.add(error, name, to: &list)
            }
        }
    }

    private func add(_ failure: JWKError, _ name: String, to list: inout FindingList) {
        let reason =
            switch failure {
            case .unsupported: "we do not use keys of its kind"
            case .malformed: "a member is missing or has the wrong type"
            case .privateMember: "it is a private or a shared key, which must not be published: tell the broker"
            case .badSize: "its size is wrong, or it is RSA below 2048 bits"
            case .badNumber: "its numbers are not a valid key"
            case .contradiction: "its use, key_ops, alg and kind contradict each other"
            case .tooLarge: "it is too large"
            }
        if failure == .unsupported {
            list.pass("keys", "\(name) is skipped: \(reason)")
        } else {
            list.warn("keys", "\(name) is skipped: \(reason)")
        }
    }
}
