#if canImport(DeviceCheck)
import DeviceCheck
import Foundation

/// Lets Apple attest the app (App Attest), on Apple's platforms only. It makes a new key for each statement.
public struct AppAttestation: KeyAttesting {
    /// Creates it. The app needs the entitlement `com.apple.developer.devicecheck.appattest-environment`.
    public init() {}

    /// Returns Apple's statement; nil on devices without App Attest. It needs Apple's servers, and throws without them.
    public func attest(clientDataHash: Data) async throws -> KeyAttestation? {
        let service = DCAppAttestService.shared
        guard service.isSupported else { return nil }
        let name = try await service.generateKey()
        let object = try await service.attestKey(name, clientDataHash: clientDataHash)
        return Data(base64Encoded: name).map { KeyAttestation(object: object, keyID: $0) }
    }
}
#endif
