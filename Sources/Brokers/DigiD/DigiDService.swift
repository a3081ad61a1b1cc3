import JOSE

/// Our registration at DigiD, for requests that we make ourselves.
package struct DigiDService: Sendable {
    /// Where the response goes, by its index in the registration or by its URL (SAML Core, 3.4.1).
    package enum Consumer: Equatable, Sendable {
        case index(Int)
        case url(String)
    }

    package let entityID: String
    /// DigiD's own address for requests, from its metadata. Its app sends the request there.
    package let destination: String
    package let consumer: Consumer
    /// An image on the service's own domain.
    package let iconURL: String
    /// An RSA key. Its certificate is registered.
    package let key: PrivateKey

    package init(entityID: String, destination: String, consumer: Consumer, iconURL: String, key: PrivateKey) {
        self.entityID = entityID
        self.destination = destination
        self.consumer = consumer
        self.iconURL = iconURL
        self.key = key
    }
}
