// libcurl (Debian's libcurl4-openssl-dev). Swift cannot call its variadic setters, so there is one inline function for
// each type of argument. Header only: this package has no C source.
#include <curl/curl.h>
#include <string.h>

static inline CURLcode switchback_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode switchback_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode switchback_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode switchback_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode switchback_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode switchback_curl_set_url(CURL *easy, CURLU *value) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, value);
}

// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode switchback_curl_set_writer(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode switchback_curl_set_progress(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode switchback_curl_set_socket_opener(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

// Returns how many bytes of the request's head were written to the connection.
static inline long switchback_curl_request_size(CURL *easy) {
    long size = 0;
    return curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &size) == CURLE_OK ? size : 0;
}

static inline long switchback_curl_response_code(CURL *easy) {
    long code = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

// Returns the expiry of the server's own certificate, the first of its chain; NULL if it is unknown.
static inline const char *switchback_curl_certificate_expiry(CURL *easy) {
    struct curl_certinfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info || info->num_of_certs < 1) return NULL;
    for (struct curl_slist *line = info->certinfo[0]; line; line = line->next) {
        if (strncmp(line->data, "Expire date:", 12) == 0) return line->data + 12;
    }
    return NULL;
}

// The address is longer than the declared type of `addr`: an IPv6 address does not fit into a sockaddr.
static inline const void *switchback_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

static inline CURLSHcode switchback_curl_share(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

static inline CURLMcode switchback_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode switchback_curl_multi_set_sockets(CURLM *multi, curl_socket_callback value, void *owner) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
    return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, owner) : code;
}

static inline CURLMcode switchback_curl_multi_set_timer(CURLM *multi, curl_multi_timer_callback value, void *owner) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
    return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERDATA, owner) : code;
}
