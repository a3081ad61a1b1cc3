// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jwt/proc/DefaultJWTClaimsVerifier.html
package com.nimbusds.jwt.proc;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Set;

public class DefaultJWTClaimsVerifier<C extends SecurityContext> implements JWTClaimsSetVerifier<C> {
    public DefaultJWTClaimsVerifier(
        String requiredAudience, JWTClaimsSet exactMatchClaims, Set<String> requiredClaims) {}

    public void setMaxClockSkew(int maxClockSkewSeconds) {
        throw new UnsupportedOperationException();
    }
}
