/// What OpenSSL defines as macros that Swift cannot import.
import CSSL

enum OpenSSLName {
    /// EVP_PKEY_PUBLIC_KEY.
    static let publicKeySelection = Int32(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
}
