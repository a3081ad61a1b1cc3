import Base
import HTTPWire
import StrictJSON

/// The links that open BankID's app, and how long an order waits for it.
enum BankIDLinks {
    /// The `expires_in` of Idura's headless orders. With launch links it states none, and orders end no later.
    static let lifetime = Duration.seconds(120)

    /// Returns a token in the form of a UUID.
    static func token() -> String {
        let digits = Array("0123456789abcdef")
        let text = RandomBytes.make(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return [text[..<8], text[8..<12], text[12..<16], text[16..<20], text[20...]].map { String($0) }
            .joined(separator: "-")
    }

    /// Returns both kinds of links: to the page that plays the app instead of `https://app.bankid.com/`, and with the
    /// scheme that only a phone knows. `null` tells the app that it has no URL to return to.
    static func links(_ token: String, redirect: String?, origin: String) -> JSON {
        let query = FormBody.encode([Parameter("autostarttoken", token), Parameter("redirect", redirect ?? "null")])
        return [
            "universalLink": .string(IduraRoute.bankIDApp.url(origin) + "?" + query),
            "customFileHandlerUrl": .string("bankid:///?" + query),
        ]
    }

    /// Returns the page that plays the app, for a link that would open it; nil for any other link.
    static func page(for link: String, origin: String) -> String? {
        guard let mark = link.firstIndex(of: "?") else { return nil }
        let query = String(link[link.index(after: mark)...])
        guard (try? FormBody.parse(query))?.contains(where: { $0.name == "autostarttoken" }) == true else { return nil }
        return IduraRoute.bankIDApp.url(origin) + "?" + query
    }
}
