// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/proc/DefaultJOSEObjectTypeVerifier.html
package com.nimbusds.jose.proc;

import com.nimbusds.jose.JOSEObjectType;

public class DefaultJOSEObjectTypeVerifier<C extends SecurityContext> implements JOSEObjectTypeVerifier<C> {
    public DefaultJOSEObjectTypeVerifier(JOSEObjectType... allowedTypes) {}
}
