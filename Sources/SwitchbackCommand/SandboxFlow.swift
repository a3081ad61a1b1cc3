/// The buttons of a sandbox: one for each way in which a broker can be spoken to.
enum SandboxFlow: String, CaseIterable {
    /// A client secret, and the code in the URL.
    case sandbox
    /// A signed request and a signed client assertion, and the code in a form.
    case sandbox_signed

    static var all: [SandboxFlow] { Self.allCases }

    var isSigned: Bool { self == .sandbox_signed }

    var responseMode: String { self.isSigned ? "form_post" : "query" }

    var name: (en: String, da: String) {
        self.isSigned ? ("Sandbox eID, signed", "Sandkasse-eID, signeret") : ("Sandbox eID", "Sandkasse-eID")
    }
}
