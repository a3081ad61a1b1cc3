import Foundation
import SwitchbackClient

/// A key that the run keeps, so that it outlives this process.
struct RunKey: SessionKey {
    let name: String
    let publicKey: P256PublicKey
    let run: Run

    func sign(_ message: Data) async throws(SessionKeyError) -> Data {
        let line = try? await self.run.ask(Question(question: "sign", key: self.name, data: message))
        guard let signature = line?.data else { throw .unavailable }
        return signature
    }
}

/// The keys of a phone that has no hardware to wrap a PIN with.
struct RunKeys: SessionKeyStore {
    let run: Run

    func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey {
        guard let key = try await self.find("make_key", name) else { throw .unavailable }
        return key
    }

    func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)? { try await self.find("key", name) }

    func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> any WrappingKey {
        throw .unavailable
    }

    func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> (any WrappingKey)? {
        nil
    }

    func removeKeys(_ name: String) async { _ = try? await self.run.ask(Question(question: "remove_key", key: name)) }

    private func find(_ question: String, _ name: String) async throws(SessionKeyError) -> RunKey? {
        guard let line = try? await self.run.ask(Question(question: question, key: name)) else { throw .unavailable }
        guard let point = line.data.flatMap({ P256PublicKey(uncompressedPoint: $0) }) else { return nil }
        return RunKey(name: name, publicKey: point, run: self.run)
    }
}
