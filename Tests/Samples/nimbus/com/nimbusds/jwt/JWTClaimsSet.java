// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jwt/JWTClaimsSet.html
package com.nimbusds.jwt;

import java.text.ParseException;
import java.util.Date;

public final class JWTClaimsSet {
    public String getStringClaim(String name) throws ParseException {
        throw new UnsupportedOperationException();
    }

    public String getJWTID() {
        throw new UnsupportedOperationException();
    }

    public Date getExpirationTime() {
        throw new UnsupportedOperationException();
    }

    public static class Builder {
        public Builder issuer(String iss) {
            throw new UnsupportedOperationException();
        }

        public JWTClaimsSet build() {
            throw new UnsupportedOperationException();
        }
    }
}
