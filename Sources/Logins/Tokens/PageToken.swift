/// The token in a `/done` link: it shows the end of one opening to the browser that brought its response.
///
///     base64url(id ‖ opening ‖ HMAC(G_page, id ‖ opening ‖ hash of the response)[0..<16])
///
/// It holds no code, and survives a reload.
import JOSE

struct PageToken: Equatable, Sendable {
    let login: LoginID
    let opening: [UInt8]
    private let code: [UInt8]

    init(_ login: LoginID, _ taken: TakenResponse, under key: ServerKey) {
        self.login = login
        self.opening = taken.opening
        self.code = Self.code(login, taken, key)
    }

    /// Nil when it is not written like one. Whether it is ours is known only with the login (`shows`).
    init?(_ text: String) {
        guard text.utf8.count == 64, let bytes = Base64URL.decode(text), bytes.count == 48,
            let login = LoginID(Array(bytes.prefix(16)))
        else { return nil }
        self.login = login
        self.opening = Array(bytes[16..<32])
        self.code = Array(bytes.suffix(16))
    }

    var text: String { Base64URL.encode(self.login.bytes + self.opening + self.code) }

    /// True when it was made for the response that this login took.
    func shows(_ taken: TakenResponse, under key: ServerKey) -> Bool {
        equalInConstantTime(self.code, Self.code(self.login, taken, key))
            && equalInConstantTime(self.opening, taken.opening)
    }

    private static func code(_ login: LoginID, _ taken: TakenResponse, _ key: ServerKey) -> [UInt8] {
        key.page.code { message in
            message.append(login)
            message.append(taken.opening)
            message.append(taken.hash)
        }.array(16)
    }
}
