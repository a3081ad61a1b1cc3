// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/proc/JWSVerificationKeySelector.html
package com.nimbusds.jose.proc;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import java.util.Set;

public class JWSVerificationKeySelector<C extends SecurityContext> implements JWSKeySelector<C> {
    public JWSVerificationKeySelector(Set<JWSAlgorithm> jwsAlgs, JWKSource<C> jwkSource) {}
}
