// The backend of an app: takes an assertion from the app, and says whose account it is.
//
//	go get gopkg.in/square/go-jose.v2      (Debian: golang-gopkg-square-go-jose.v2-dev, GO111MODULE=off GOPATH=/usr/share/gocode)
//	ISSUER=https://login.example.com AUDIENCE=shop PROVIDERS=mitid go run verify.go
//
// It reads lines such as {"assertion": "eyJ…", "nonce": "the one that this backend gave the app"} and answers each with
// a line, {"account": "…"} or {"refused": "why"}. TYP is the app's assertion_typ, login+jwt by default. KEY is a
// PEM file with the private key of apps.*.assertion_key; with it, only encrypted assertions are accepted.
package main

import (
	"bufio"
	"crypto"
	"crypto/subtle"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"gopkg.in/square/go-jose.v2"
	"gopkg.in/square/go-jose.v2/jwt"
)

// What this backend accepts, whatever a token or a document says.
var (
	algorithms    = set("ES256", "ES384", "ES512", "PS256", "RS256", "EdDSA")
	keyAlgorithms = set("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW")
	// "none" is left out: it does not show on whose phone the user logged in.
	proofs = set("callback_link", "switch_link", "page_link", "page_code")
)

// The largest difference between our clock and the issuer's.
const leeway = 30 * time.Second

// Login contains the claims of an assertion.
type Login struct {
	jwt.Claims
	Nonce      string          `json:"nonce"`
	Provider   string          `json:"provider"`
	Proof      string          `json:"proof"`
	Name       *string         `json:"name"`
	NationalID json.RawMessage `json:"national_id"`
}

// Assertions verifies the assertions of one app.
type Assertions struct {
	Issuer, Audience, Type string
	Providers              map[string]bool
	// Key is nil unless assertions are encrypted.
	Key crypto.PrivateKey

	client  http.Client
	keys    jose.JSONWebKeySet
	keysAt  time.Time
	keysURI string
	// With several servers, use a table with a unique column.
	seen map[string]time.Time
	// The ids in it, the oldest first.
	order []string
}

// Discover finds the issuer's keys.
func (a *Assertions) Discover() error {
	var document struct {
		Issuer  string `json:"issuer"`
		KeysURI string `json:"jwks_uri"`
	}
	a.client.Timeout = 5 * time.Second
	a.seen = map[string]time.Time{}
	if err := a.get(a.Issuer+"/.well-known/openid-configuration", &document); err != nil {
		return err
	}
	if document.Issuer != a.Issuer {
		return errors.New("the document is another issuer's")
	}
	a.keysURI = document.KeysURI
	return nil
}

// Verify returns the claims of an assertion that was not seen before.
func (a *Assertions) Verify(assertion, nonce string) (*Login, error) {
	token, err := a.parse(assertion)
	if err != nil {
		return nil, err
	}
	if len(token.Headers) != 1 || !algorithms[token.Headers[0].Algorithm] {
		return nil, errors.New("algorithm")
	}
	header := token.Headers[0]
	if header.ExtraHeaders[jose.HeaderType] != a.Type {
		return nil, errors.New("typ")
	}
	key, err := a.key(header.KeyID)
	if err != nil {
		return nil, err
	}
	if key.Algorithm != "" && key.Algorithm != header.Algorithm {
		return nil, errors.New("algorithm")
	}
	var login Login
	if err := token.Claims(key, &login); err != nil {
		return nil, err
	}
	expected := jwt.Expected{Issuer: a.Issuer, Audience: jwt.Audience{a.Audience}, Time: time.Now()}
	if err := login.ValidateWithLeeway(expected, leeway); err != nil {
		return nil, err
	}
	// The library accepts a token without these.
	if login.Expiry == nil || login.Subject == "" || login.ID == "" {
		return nil, errors.New("claim missing")
	}
	if nonce == "" || subtle.ConstantTimeCompare([]byte(login.Nonce), []byte(nonce)) != 1 {
		return nil, errors.New("nonce")
	}
	if !a.Providers[login.Provider] {
		return nil, errors.New("provider")
	}
	if !proofs[login.Proof] {
		return nil, errors.New("proof")
	}
	return &login, a.take(login.ID, login.Expiry.Time())
}

// parse decrypts if there is a key (RFC 7519 §5.2). Anyone could encrypt it: the key is public.
func (a *Assertions) parse(assertion string) (*jwt.JSONWebToken, error) {
	if a.Key == nil {
		return jwt.ParseSigned(assertion)
	}
	nested, err := jwt.ParseSignedAndEncrypted(assertion)
	if err != nil {
		return nil, err
	}
	if !keyAlgorithms[nested.Headers[0].Algorithm] {
		return nil, errors.New("key algorithm")
	}
	return nested.Decrypt(a.Key)
}

// key finds a key of the issuer, and fetches the key set again when it is old or lacks the key.
func (a *Assertions) key(id string) (*jose.JSONWebKey, error) {
	age := time.Since(a.keysAt)
	if age > 5*time.Minute || (len(a.keys.Key(id)) == 0 && age > 10*time.Second) {
		var keys jose.JSONWebKeySet
		if err := a.get(a.keysURI, &keys); err != nil {
			return nil, err
		}
		a.keys, a.keysAt = keys, time.Now()
	}
	keys := a.keys.Key(id)
	if len(keys) != 1 {
		return nil, errors.New("unknown key")
	}
	return &keys[0], nil
}

func (a *Assertions) take(id string, expires time.Time) error {
	// The oldest come first, and all are kept for about as long. So a request drops only what is over, and does not look
	// at the rest.
	for len(a.order) > 0 && a.seen[a.order[0]].Before(time.Now()) {
		delete(a.seen, a.order[0])
		a.order = a.order[1:]
	}
	if _, known := a.seen[id]; known {
		return errors.New("jti")
	}
	a.seen[id] = expires.Add(leeway)
	a.order = append(a.order, id)
	return nil
}

func (a *Assertions) get(url string, value interface{}) error {
	answer, err := a.client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(value)
}

func set(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range words {
		set[word] = true
	}
	return set
}

func main() {
	assertions := Assertions{
		Issuer: os.Getenv("ISSUER"), Audience: os.Getenv("AUDIENCE"), Type: os.Getenv("TYP"),
		Providers: set(strings.Split(os.Getenv("PROVIDERS"), ",")...),
	}
	if assertions.Type == "" {
		assertions.Type = "login+jwt"
	}
	if file := os.Getenv("KEY"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		block, _ := pem.Decode(text)
		if block == nil {
			log.Fatal("KEY is no PEM")
		}
		if assertions.Key, err = x509.ParsePKCS8PrivateKey(block.Bytes); err != nil {
			log.Fatal(err)
		}
	}
	if err := assertions.Discover(); err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Assertion, Nonce string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			log.Fatal(err)
		}
		answer := map[string]interface{}{}
		if login, err := assertions.Verify(line.Assertion, line.Nonce); err != nil {
			answer["refused"] = err.Error()
		} else {
			answer["account"], answer["name"] = login.Subject, login.Name
			answer["national_id"] = login.NationalID
		}
		text, err := json.Marshal(answer)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(text))
	}
}
