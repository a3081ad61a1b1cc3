// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/jwk/source/JWKSource.html
package com.nimbusds.jose.jwk.source;

import com.nimbusds.jose.proc.SecurityContext;

public interface JWKSource<C extends SecurityContext> {}
