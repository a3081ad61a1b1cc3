/// An Android app that may log in: its package name and who may have signed it.
package struct TrustedAndroidApp: Hashable, Sendable {
    package let package: String
    /// SHA-256 of each certificate that the app may be signed with.
    package let signers: Set<[UInt8]>

    package init(package: String, signers: Set<[UInt8]>) {
        self.package = package
        self.signers = signers
    }
}
