import Base
import Cryptography
import HTTPServer
import HTTPWire

/// A script or the style sheet of the sandbox's pages, which stands in the folder `Web` and is built into the program.
struct WebFile: Sendable {
    /// For all pages: phone first, light and dark.
    static let stylesheet = Self("/sandbox.css", of: ["sandbox.css"], type: "text/css", cacheControl: "max-age=3600")
    /// The workbench's: it keeps the timeline live, and lets the phone poll as an app does.
    static let benchScript = Self("/workbench.js", of: ["workbench.js"])
    /// The phone's: the app's side of a session. `keys` is what a real app leaves to its Secure Enclave or Android
    /// Keystore, `session` speaks to the server, `page` shows the session, and `actions` says what each button does.
    static let phoneScript = Self("/phone.js", of: ["keys", "session", "page", "actions"].map { "phone/\($0).js" })

    static let all = [stylesheet, benchScript, phoneScript]

    let path: String
    /// Below `Web`, in their order.
    let parts: [String]
    let file: StaticFile

    private init(
        _ path: String, of parts: [String], type: String = "text/javascript", cacheControl: String = "no-cache"
    ) {
        let bytes = Array(parts.compactMap { embeddedFiles[$0] }.joined().utf8)
        self.path = path
        self.parts = parts
        self.file = StaticFile(
            bytes: bytes, hash: Base64URL.encode(Digest.sha256.hash(bytes)),
            contentType: "\(type); charset=utf-8", cacheControl: cacheControl)
    }

    /// Returns the response at the path of one of them; nil at any other path.
    static func response(to request: Request) -> Response? {
        self.all.first { $0.path == request.target.path }?.file.response(to: request)
    }
}
