import Base
import OpenIDConnect

/// The app of Swedish BankID, and how to open it (BankID Relying Party API, "Launching").
enum BankIDLaunch {
    static let androidPackage = "com.bankid.bus"

    /// Returns the links that open the app for the order of this token. Without a `returnURL`, Android's BankID returns
    /// to the app that opened it.
    static func target(_ autoStartToken: String, at link: String, returnURL: String?) -> AppTarget {
        let query = FormEncoding.encode(
            [Parameter("autostarttoken", autoStartToken), Parameter("redirect", returnURL ?? "null")], as: .uri)
        return AppTarget(
            universalLink: "\(link)?\(query)", customScheme: "bankid:///?\(query)", androidPackage: Self.androidPackage)
    }

    /// Returns a link with BankID's own scheme; nil for any other link, which an app must not be told to open.
    static func customScheme(_ text: String) -> String? {
        text.hasPrefix("bankid:///") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? text : nil
    }
}
