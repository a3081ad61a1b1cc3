import Base

/// The proofs on the page of the browser that delivered the authorization response: a proof for the link, and a code.
///
/// Both are derived from that response. So the app that started the login cannot know them before the user has logged
/// in, and no response to an app ever contains one. They are not stored, because we can derive them again.
struct PageProof: Equatable, Sendable {
    static let codeDigits = 6

    /// 22 characters, for the link of the page's button.
    let link: String
    /// Six digits, for the user to type.
    let code: String

    init(_ login: LoginID, _ response: AcceptedResponse, under key: ServerKey) {
        func made(_ use: String, _ byteCount: Int) -> [UInt8] {
            key.page.code { message in
                message.append(use)
                message.append(login)
                message.append(response.attempt)
                message.append(response.hash)
            }.array(byteCount)
        }
        self.link = Base64URL.encode(made("proof", 16))
        let number = made("code", 8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let digits = String(number % 1_000_000)
        self.code = String(repeating: "0", count: Self.codeDigits - digits.count) + digits
    }

    func isLink(_ text: String) -> Bool { equalInConstantTime(Array(text.utf8), Array(self.link.utf8)) }

    /// Compares the code and ignores blanks and hyphens, which users may type.
    func isCode(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x2D }
        return equalInConstantTime(Array(digits), Array(self.code.utf8))
    }
}
