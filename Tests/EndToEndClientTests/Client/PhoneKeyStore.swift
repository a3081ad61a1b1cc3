import Base
import Foundation
import JOSE
import SwitchbackClient
import Synchronization

/// The keys of a phone's sessions, made and used by our own JOSE in place of a Secure Enclave.
final class PhoneKeyStore: SessionKeyStore {
    private struct Key: SessionKey {
        let key: PrivateKey
        let publicKey: P256PublicKey

        init?(_ key: PrivateKey) {
            let jwk = key.publicKey.jwk(keyID: nil, use: nil).json
            let point = ["x", "y"].compactMap { jwk[$0]?.string.flatMap(Base64URL.decode) }.flatMap(\.self)
            guard let publicKey = P256PublicKey(uncompressedPoint: [4] + point) else { return nil }
            self.key = key
            self.publicKey = publicKey
        }

        func sign(_ message: Data) async throws(SessionKeyError) -> Data {
            guard let signature = try? self.key.sign(Array(message), with: .es256) else { throw .failed(code: 1) }
            return Data(signature)
        }
    }

    /// The tests are about the server, so this only makes the bytes useless to another key.
    private struct Wrapper: WrappingKey {
        let pad: UInt8

        func wrap(_ bytes: Data) async throws(SessionKeyError) -> Data { Data(bytes.map { $0 ^ self.pad }) }
        func unwrap(_ bytes: Data) async throws(SessionKeyError) -> Data { Data(bytes.map { $0 ^ self.pad }) }
    }

    private struct State {
        var keys: [String: Key] = [:]
        var wrappers: [String: Wrapper] = [:]
    }

    private let state = Mutex(State())

    /// Loses everything, as a phone that was restored from a backup.
    func lose() { self.state.withLock { $0 = State() } }

    var isEmpty: Bool { self.state.withLock { $0.keys.isEmpty && $0.wrappers.isEmpty } }

    func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey {
        guard let made = try? PrivateKey.generate(.p256), let key = Key(made) else { throw .unavailable }
        self.state.withLock { $0.keys[name] = key }
        return key
    }

    func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)? {
        self.state.withLock { $0.keys[name] }
    }

    func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError)
        -> any WrappingKey
    {
        let wrapper = Wrapper(pad: .random(in: 1...255))
        self.state.withLock { $0.wrappers[name + purpose.rawValue] = wrapper }
        return wrapper
    }

    func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError)
        -> (any WrappingKey)?
    {
        self.state.withLock { $0.wrappers[name + purpose.rawValue] }
    }

    func removeKeys(_ name: String) async {
        self.state.withLock { state in
            state.keys[name] = nil
            for purpose in WrappingPurpose.allCases { state.wrappers[name + purpose.rawValue] = nil }
        }
    }
}
