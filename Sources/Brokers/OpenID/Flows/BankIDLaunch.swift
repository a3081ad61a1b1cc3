/// The app of the Swedish BankID, and how it is opened (BankID Relying Party API, "Launching").
import Base
import OpenIDConnect

enum BankIDLaunch {
    static let androidPackage = "com.bankid.bus"

    /// Opened with this token the app takes this order. On Android it returns to whoever opened it, if nothing is named.
    static func target(_ autoStartToken: String, at link: String, returnURL: String?) -> AppTarget {
        let query = FormEncoding.encode(
            [Parameter("autostarttoken", autoStartToken), Parameter("redirect", returnURL ?? "null")], space: .escaped)
        return AppTarget(
            universalLink: "\(link)?\(query)", customScheme: "bankid:///?\(query)", androidPackage: Self.androidPackage)
    }

    /// A link of BankID's own scheme; nil for any other, which an app must not be told to open.
    static func customScheme(_ text: String) -> String? {
        text.hasPrefix("bankid:///") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? text : nil
    }
}
