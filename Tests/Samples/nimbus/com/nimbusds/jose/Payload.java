// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/Payload.html
package com.nimbusds.jose;

import com.nimbusds.jwt.SignedJWT;

public final class Payload {
    public SignedJWT toSignedJWT() {
        throw new UnsupportedOperationException();
    }
}
