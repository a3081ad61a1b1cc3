import Base

/// The proof in the link through which the e-ID's app returns to our app. An app that has it ran on the device of the
/// e-ID.
///
/// The authorization request contains it too, so it counts only with the cookie of the same attempt.
enum SwitchProof {
    /// Returns the proof, 22 characters.
    static func text(_ login: LoginID, attempt: [UInt8], under key: ServerKey) -> String {
        Base64URL.encode(key.trace(of: "switch", attempt, id: login).prefix(16))
    }

    /// Returns the attempt to which the proof belongs.
    static func attempt(
        of text: String, among attempts: [[UInt8]], _ login: LoginID, under key: ServerKey
    ) -> [UInt8]? {
        attempts.first { attempt in
            equalInConstantTime(Array(text.utf8), Array(self.text(login, attempt: attempt, under: key).utf8))
        }
    }
}
