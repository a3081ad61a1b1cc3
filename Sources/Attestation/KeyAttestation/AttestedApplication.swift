/// The app that an Android key belongs to (AttestationApplicationId): package names and digests of signers.
package struct AttestedApplication: Equatable, Sendable {
    /// Several when packages share a user id, which lets each use the key.
    package let packages: [String]
    /// SHA-256 of the certificates that signed the app. None for Android itself.
    package let signers: [[UInt8]]

    /// An app that shares its user id with more packages is not among those that log in.
    private static let most = 16

    /// Returns nil unless the bytes are: SEQUENCE { SET OF SEQUENCE { name, version }, SET OF digest }
    package init?(parsing bytes: [UInt8]) {
        do throws(DERError) {
            var outer = DERReader(bytes[...])
            var fields = try outer.enter(.sequence)
            try outer.finish()
            var set = try fields.enter(.set)
            var packages: [String] = []
            while !set.isAtEnd, packages.count <= Self.most {
                var package = try set.enter(.sequence)
                guard let name = String(validating: try package.readOctets(), as: UTF8.self) else { return nil }
                packages.append(name)
                _ = try package.read(.integer)
                try package.finish()
            }
            var digests = try fields.enter(.set)
            try fields.finish()
            var signers: [[UInt8]] = []
            while !digests.isAtEnd, signers.count <= Self.most { signers.append(try digests.readOctets()) }
            guard packages.count <= Self.most, signers.count <= Self.most else { return nil }
            self.packages = packages
            self.signers = signers
        } catch {
            return nil
        }
    }
}
