/// What stands in the link by which the e-ID's app returns to ours: an app that has it was on the device where the e-ID is.
///
/// It stands in the authorize request too, so it counts only with the cookie of the same opening.
import Base

enum SwitchProof {
    /// 22 characters.
    static func text(_ login: LoginID, opening: [UInt8], under key: ServerKey) -> String {
        Base64URL.encode(key.trace(of: "switch", opening, id: login).prefix(16))
    }

    /// The opening that it belongs to, among these.
    static func opening(
        of text: String, among openings: [[UInt8]], _ login: LoginID, under key: ServerKey
    ) -> [UInt8]? {
        openings.first { opening in
            equalInConstantTime(Array(text.utf8), Array(self.text(login, opening: opening, under: key).utf8))
        }
    }
}
