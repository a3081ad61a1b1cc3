// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jwt/proc/JWTClaimsSetVerifier.html
package com.nimbusds.jwt.proc;

import com.nimbusds.jose.proc.SecurityContext;

public interface JWTClaimsSetVerifier<C extends SecurityContext> {}
