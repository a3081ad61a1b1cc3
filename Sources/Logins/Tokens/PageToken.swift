import Base

/// The token in a `/done` link. It shows the result of one attempt to the browser that delivered its response.
///
///     base64url(id ‖ attempt ‖ code ‖ tag)
///     code = HMAC(G_page, id ‖ attempt ‖ hash of the response)[0..<16]
///     tag  = HMAC(G_page, "page" ‖ id ‖ attempt ‖ code)[0..<16]
///
/// It contains no code of the broker and survives a reload. The tag lets us reject forged tokens without asking the
/// store. The code binds the token to one response.
struct PageToken: Equatable, Sendable {
    private static let partCount = 16

    let login: LoginID
    let attempt: [UInt8]
    private let code: [UInt8]
    private let tag: [UInt8]

    init(_ login: LoginID, _ response: AcceptedResponse, under key: ServerKey) {
        self.login = login
        self.attempt = response.attempt
        self.code = Self.code(login, response, key)
        self.tag = Self.tag(login.bytes + self.attempt + self.code, key)
    }

    /// Returns nil for a token that we did not make. Only the login tells whether it is for the response that was taken
    /// (see `shows`).
    init?(_ text: String, keys: ServerKeys) {
        guard text.utf8.count == 86, let bytes = Base64URL.decode(text), bytes.count == 4 * Self.partCount else {
            return nil
        }
        let (body, tag) = (Array(bytes.dropLast(Self.partCount)), Array(bytes.suffix(Self.partCount)))
        guard keys.all.contains(where: { equalInConstantTime(Self.tag(body, $0), tag) }),
            let login = LoginID(Array(body.prefix(Self.partCount)))
        else { return nil }
        self.login = login
        self.attempt = Array(body[Self.partCount..<2 * Self.partCount])
        self.code = Array(body.suffix(Self.partCount))
        self.tag = tag
    }

    var text: String { Base64URL.encode(self.login.bytes + self.attempt + self.code + self.tag) }

    /// Returns whether the token was made for the response that this login took.
    func shows(_ response: AcceptedResponse, under key: ServerKey) -> Bool {
        equalInConstantTime(self.code, Self.code(self.login, response, key))
            && equalInConstantTime(self.attempt, response.attempt)
    }

    /// Returns whether the token was made for the response of which a tombstone has kept this code.
    func shows(codeBeginningWith beginning: [UInt8]) -> Bool {
        !beginning.isEmpty && equalInConstantTime(Array(self.code.prefix(beginning.count)), beginning)
    }

    /// Returns what a tombstone keeps of a response: the beginning of its code.
    static func pageCode(of login: LoginID, _ response: AcceptedResponse, under key: ServerKey) -> [UInt8] {
        Array(self.code(login, response, key).prefix(Login.tombstoneCodeByteCount))
    }

    /// Binds a token to a response.
    private static func code(_ login: LoginID, _ response: AcceptedResponse, _ key: ServerKey) -> [UInt8] {
        key.page.code { message in
            message.append(login)
            message.append(response.attempt)
            message.append(response.hash)
        }.array(Self.partCount)
    }

    private static func tag(_ body: [UInt8], _ key: ServerKey) -> [UInt8] {
        key.page.code { message in
            message.append("page")
            message.append(body)
        }.array(Self.partCount)
    }
}
