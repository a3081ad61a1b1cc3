// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jwt/proc/DefaultJWTProcessor.html
package com.nimbusds.jwt.proc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

public class DefaultJWTProcessor<C extends SecurityContext> {
    public void setJWSTypeVerifier(JOSEObjectTypeVerifier<C> jwsTypeVerifier) {
        throw new UnsupportedOperationException();
    }

    public void setJWSKeySelector(JWSKeySelector<C> jwsKeySelector) {
        throw new UnsupportedOperationException();
    }

    public void setJWTClaimsSetVerifier(JWTClaimsSetVerifier<C> claimsVerifier) {
        throw new UnsupportedOperationException();
    }

    public JWTClaimsSet process(SignedJWT signedJWT, C context) throws BadJOSEException, JOSEException {
        throw new UnsupportedOperationException();
    }
}
