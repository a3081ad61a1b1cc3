// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/proc/JOSEObjectTypeVerifier.html
package com.nimbusds.jose.proc;

public interface JOSEObjectTypeVerifier<C extends SecurityContext> {}
