import Base
import Cryptography
import HTTPServer

/// The script of the phone's pages: the app's side of a session, with a key that stays in the browser.
enum PhoneScript {
    static let path = "/phone.js"

    static let file = StaticFile(
        bytes: Array(Self.text.utf8), hash: Base64URL.encode(Digest.sha256.hash(Array(Self.text.utf8))),
        contentType: "text/javascript; charset=utf-8", cacheControl: "no-cache")

    private static let text =
        "\"use strict\";\n" + PhoneKeysScript.text + PhoneSessionScript.text + PhonePageScript.text
        + PhoneActionsScript.text
}
