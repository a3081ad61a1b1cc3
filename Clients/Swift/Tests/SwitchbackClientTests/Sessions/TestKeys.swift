import Foundation

@testable import SwitchbackClient

/// A key for tests. Its signatures only look like ECDSA: the model server checks that the right key signed.
struct TestKey: SessionKey {
    let publicKey: P256PublicKey

    init?(_ seed: UInt8) {
        guard let key = P256PublicKey(uncompressedPoint: [4] + [UInt8](repeating: seed, count: 64)) else { return nil }
        self.publicKey = key
    }

    func sign(_ message: Data) async throws(SessionKeyError) -> Data {
        Data(Self.signature(of: Array(message), by: self.publicKey))
    }

    static func signature(of message: [UInt8], by key: P256PublicKey) -> [UInt8] {
        let code = HMACSHA256(key: Array(key.x.utf8)).authenticate(message)
        return code + code
    }
}

/// A key store in memory, whose keys can be lost.
final class TestKeys: SessionKeyStore {
    struct Wrapper: WrappingKey {
        let pad: UInt8
        var error: SessionKeyError?

        func wrap(_ bytes: Data) async throws(SessionKeyError) -> Data { Data(bytes.map { $0 ^ self.pad }) }

        func unwrap(_ bytes: Data) async throws(SessionKeyError) -> Data {
            if let error { throw error }
            return Data(bytes.map { $0 ^ self.pad })
        }
    }

    struct State: Sendable {
        var count: UInt8 = 0
        var keys: [String: TestKey] = [:]
        var wrappers: [String: Wrapper] = [:]
        /// What every use of a key that signs throws.
        var error: SessionKeyError?
        var hasWrappingKeys = true
    }

    let state = Locked(State())

    func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey {
        let made: Result<TestKey, SessionKeyError> = self.state.withLock { state in
            if let error = state.error { return .failure(error) }
            state.count += 1
            guard let key = TestKey(state.count) else { return .failure(.failed(code: 1)) }
            state.keys[name] = key
            return .success(key)
        }
        return try made.get()
    }

    func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)? {
        let found: Result<TestKey?, SessionKeyError> = self.state.withLock { state in
            if let error = state.error { return .failure(error) }
            return .success(state.keys[name])
        }
        return try found.get()
    }

    func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError)
        -> any WrappingKey
    {
        let made: Wrapper? = self.state.withLock { state in
            guard state.hasWrappingKeys else { return nil }
            state.count += 1
            let wrapper = Wrapper(pad: state.count)
            state.wrappers[name + purpose.rawValue] = wrapper
            return wrapper
        }
        guard let made else { throw .unavailable }
        return made
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
