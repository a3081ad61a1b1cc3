import Attestation

/// Key descriptions of Android: what is read is in the input, and nothing is complete without its end.
enum KeyDescriptionTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let description = try? KeyDescription(parsing: input) else { return .refused }
        try require(KeyDescription.versions.contains(description.version), "an unknown version")
        try require((try? KeyDescription(parsing: input.dropLast())) == nil, "it is complete without its end")
        try require((try? KeyDescription(parsing: input + [0])) == nil, "something may follow it")
        let isThere = description.challenge.isEmpty || input.firstRange(of: description.challenge) != nil
        try require(isThere, "the challenge is not in the input")
        guard let bytes = description.software.application else { return .accepted }
        try require(input.firstRange(of: bytes) != nil || bytes.isEmpty, "the app is not in the input")
        if let application = AttestedApplication(parsing: bytes) {
            try require(AttestedApplication(parsing: bytes.dropLast()) == nil, "the app is complete without its end")
            try require(application.packages.count <= 16 && application.signers.count <= 16, "there are too many")
        }
        return .accepted
    }
}
