// Answers what OpenSSL asks during a handshake: which certificate, which protocol, which ticket key.

import CSSL

extension TLSContext {
    func setCallbacks() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        // Every channel keeps its context alive, so the pointer is valid in every callback.
        SSL_CTX_set_ex_data(self.pointer, Self.place, this)
        switchback_SSL_CTX_set_servername_callback(
            self.pointer, { ssl, _, _ in TLSContext.of(ssl)?.chooseIdentity(for: ssl) ?? SSL_TLSEXT_ERR_NOACK }, nil)
        SSL_CTX_set_alpn_select_cb(
            self.pointer, { _, choice, length, offers, size, _ in TLSContext.choose(choice, length, offers, size) },
            nil)
        SSL_CTX_set_tlsext_ticket_key_evp_cb(self.pointer) { ssl, name, vector, cipher, code, isSealing in
            guard let context = TLSContext.of(ssl), let name, let vector, let cipher, let code else { return -1 }
            return isSealing == 1
                ? context.seal(name, vector, cipher, code)
                : context.open(name, vector, cipher, code, isSpent: SSL_version(ssl) >= TLS1_3_VERSION)
        }
    }

    /// OpenSSL's slot for an application's own data. This one needs no reservation.
    private static let place: Int32 = 0

    private static func of(_ ssl: OpaquePointer?) -> TLSContext? {
        guard let ssl, let context = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), Self.place) else { return nil }
        return Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: - Certificates (RFC 6066 §3)

    private func chooseIdentity(for ssl: OpaquePointer?) -> Int32 {
        guard let ssl else { return SSL_TLSEXT_ERR_NOACK }
        // OpenSSL calls this for every client, even for one that names no host.
        if SSL_version(ssl) < TLS1_3_VERSION { switchback_SSL_prefer_own_ciphers(ssl) }
        guard let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else { return SSL_TLSEXT_ERR_NOACK }
        let chosenIdentities = self.identities(for: String(cString: name))
        // The first identity stays in use: the client may know better than we do which host it wants.
        guard !chosenIdentities.isEmpty else { return SSL_TLSEXT_ERR_NOACK }
        guard chosenIdentities.count > 1 || chosenIdentities[0] !== self.identities.first else {
            return SSL_TLSEXT_ERR_OK
        }
        SSL_certs_clear(ssl)
        // OpenSSL has one slot for each kind of key, and the last one set stays.
        for identity in chosenIdentities.reversed() {
            guard identity.use(in: ssl) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        }
        return SSL_TLSEXT_ERR_OK
    }

    /// Returns the identities that contain the name itself; without one, those with a wildcard for it.
    private func identities(for name: String) -> [TLSIdentity] {
        let exact = self.identities.filter { $0.covers(name, wildcards: false) }
        return exact.isEmpty ? self.identities.filter { $0.covers(name, wildcards: true) } : exact
    }

    // MARK: - The protocol (RFC 7301)

    private static func choose(
        _ choice: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
        _ offers: UnsafePointer<UInt8>?, _ size: UInt32
    ) -> Int32 {
        let offers = UnsafeBufferPointer(start: offers, count: Int(size))
        var start = 0
        while start < offers.count {
            let end = start + 1 + Int(offers[start])
            guard end <= offers.count else { break }
            let offer = UnsafeBufferPointer(rebasing: offers[(start + 1)..<end])
            if offer.elementsEqual("http/1.1".utf8) {
                choice?.pointee = offer.baseAddress
                length?.pointee = UInt8(offer.count)
                return SSL_TLSEXT_ERR_OK
            }
            start = end
        }
        // RFC 7301 §3.2: the alert no_application_protocol.
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    // MARK: - Tickets

    /// Returns 1 when there is a key, and 0 for a handshake without a ticket.
    private func seal(
        _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ code: OpaquePointer
    ) -> Int32 {
        guard let key = self.tickets.present, key.seal(vector, cipher, code) else { return 0 }
        UnsafeMutableRawBufferPointer(start: name, count: TicketKey.nameLength).copyMemory(from: key.name)
        return 1
    }

    /// Returns 1 when the ticket can be opened, 2 when the client also gets a new one, and 0 when no key of ours fits.
    /// In TLS 1.3 a client gets a new ticket each time: one that used a ticket twice could be recognized (RFC 8446
    /// §C.4).
    private func open(
        _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ code: OpaquePointer, isSpent: Bool
    ) -> Int32 {
        let name = UnsafeRawBufferPointer(start: name, count: TicketKey.nameLength)
        guard let (key, isPresent) = self.tickets.named(name), key.open(vector, cipher, code) else { return 0 }
        return isPresent && !isSpent ? 1 : 2
    }
}
