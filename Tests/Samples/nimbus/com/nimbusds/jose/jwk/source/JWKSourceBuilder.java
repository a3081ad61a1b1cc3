// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/jwk/source/JWKSourceBuilder.html
package com.nimbusds.jose.jwk.source;

import com.nimbusds.jose.proc.SecurityContext;
import java.net.URL;

public class JWKSourceBuilder<C extends SecurityContext> {
    public static <C extends SecurityContext> JWKSourceBuilder<C> create(URL jwkSetURL) {
        throw new UnsupportedOperationException();
    }

    public JWKSourceBuilder<C> retrying(boolean enable) {
        throw new UnsupportedOperationException();
    }

    public JWKSource<C> build() {
        throw new UnsupportedOperationException();
    }
}
