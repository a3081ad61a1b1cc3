/// The environments of App Attest. Apple names them in the `aaguid` of the authenticator data.
package enum AppAttestEnvironment: String, CaseIterable, Sendable {
    case production
    case development

    /// The 16 bytes that stand for the environment.
    package var aaguid: [UInt8] {
        switch self {
        case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        case .development: Array("appattestdevelop".utf8)
        }
    }
}
