// The backend of an app: takes an assertion from the app, and says whose account it is.
//
//     npm install jose@4                  (Debian: apt install node-jose, NODE_PATH=/usr/share/nodejs)
//     ISSUER=https://login.example.com AUDIENCE=shop PROVIDERS=mitid node verify.cjs
//
// It reads lines such as {"assertion": "eyJ…", "nonce": "the one that this backend gave the app"} and answers each with
// a line, {"account": "…"} or {"refused": "why"}. TYP is the app's assertion_typ, login+jwt by default. KEY is a
// PEM file with the private key of apps.*.assertion_key; with it, only encrypted assertions are accepted.
"use strict";

const { createPrivateKey } = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const readline = require("node:readline");
const jose = require("jose");

// What this backend accepts, whatever a token or a document says.
const ALGORITHMS = ["ES256", "ES384", "ES512", "PS256", "RS256", "EdDSA"];
const KEY_ALGORITHMS = ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW"];
// "none" is left out: it does not show on whose phone the user logged in.
const PROOFS = ["callback_link", "switch_link", "page_link", "page_code"];
const REQUIRED = ["exp", "iat", "sub", "jti", "nonce", "provider", "proof"];
const LEEWAY = 30; // seconds that our clock may differ from the issuer's

/** The assertion was refused. The text is for the log. */
class Refused extends Error {}

class Assertions {
    static async of({ issuer, audience, providers, typ, key }) {
        const document = await getJSON(`${issuer}/.well-known/openid-configuration`);
        if (document.issuer !== issuer) throw new Error("the document is another issuer's");
        const assertions = new Assertions();
        const algorithms = document.id_token_signing_alg_values_supported.filter((name) => ALGORITHMS.includes(name));
        assertions.keys = jose.createRemoteJWKSet(new URL(document.jwks_uri));
        assertions.rules = {
            issuer, audience, typ, algorithms, clockTolerance: LEEWAY,
        };
        assertions.providers = providers;
        assertions.key = key;
        // With several servers, use a table with a unique column.
        assertions.seen = new Map();
        return assertions;
    }

    /** Returns the claims of an assertion that was not seen before. */
    async verify(assertion, nonce) {
        const login = await this.verified(this.key ? await this.decrypted(assertion) : assertion);
        if (login.nonce !== nonce) throw new Refused("nonce");
        if (!this.providers.includes(login.provider)) throw new Refused("provider");
        if (!PROOFS.includes(login.proof)) throw new Refused("proof");
        this.take(login.jti, login.exp);
        return login;
    }

    /** Returns the signed token inside (RFC 7519 §5.2). Anyone could encrypt it: the key is public. */
    async decrypted(assertion) {
        const { plaintext, protectedHeader } = await jose.compactDecrypt(assertion, this.key, {
            keyManagementAlgorithms: KEY_ALGORITHMS, contentEncryptionAlgorithms: ["A256GCM"],
        }).catch(refuse);
        if (protectedHeader.cty !== "JWT") throw new Refused("cty");
        return new TextDecoder().decode(plaintext);
    }

    async verified(signed) {
        const { payload } = await jose.jwtVerify(signed, this.keys, this.rules).catch(refuse);
        // The library accepts a token without these; its option requiredClaims is not in Debian's version.
        for (const name of REQUIRED) if (payload[name] === undefined) throw new Refused(`${name} is missing`);
        return payload;
    }

    take(jti, expires) {
        const now = Date.now() / 1000;
        // The oldest come first, and all are kept for about as long. So a request drops only what is over, and does not
        // look at the rest.
        for (const [known, end] of this.seen) {
            if (end > now) break;
            this.seen.delete(known);
        }
        if (this.seen.has(jti)) throw new Refused("jti");
        this.seen.set(jti, expires + LEEWAY);
    }
}

function refuse(error) {
    throw error instanceof jose.errors.JOSEError ? new Refused(error.code) : error;
}

function getJSON(url) {
    const { get } = url.startsWith("https:") ? https : http;
    return new Promise((resolve, reject) => {
        get(url, { timeout: 5000 }, (answer) => {
            let text = "";
            answer.setEncoding("utf8").on("data", (part) => { text += part; });
            answer.on("end", () => {
                if (answer.statusCode !== 200) return reject(new Error(`${url}: ${answer.statusCode}`));
                try { resolve(JSON.parse(text)); } catch (error) { reject(error); }
            });
        }).on("error", reject).on("timeout", function () { this.destroy(new Error(`${url}: no answer`)); });
    });
}

async function main({ ISSUER, AUDIENCE, PROVIDERS, TYP, KEY }) {
    const assertions = await Assertions.of({
        issuer: ISSUER, audience: AUDIENCE, providers: PROVIDERS.split(","), typ: TYP ?? "login+jwt",
        key: KEY && createPrivateKey(fs.readFileSync(KEY)),
    });
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const { assertion, nonce } = JSON.parse(line);
        let answer;
        try {
            const claims = await assertions.verify(assertion, nonce);
            answer = { account: claims.sub, name: claims.name ?? null, national_id: claims.national_id ?? null };
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            answer = { refused: error.message };
        }
        console.log(JSON.stringify(answer));
    }
}

main(process.env);
