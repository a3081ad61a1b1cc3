package dev.switchback.okhttp;

import dev.switchback.ApiCalls;
import dev.switchback.BlockingApiExchange;
import dev.switchback.SessionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends the requests of an {@code OkHttpClient} to your API with the session's access token, and answers each of the
 * API's challenges once. Add it with {@code addInterceptor}, and not as a network interceptor.
 *
 * <p>It is Java, because OkHttp 3 and 4 look the same from Java only. A request without a token is none: where the
 * session gives none, the call fails with an {@link IOException} whose cause is the {@link SessionException}.
 */
public final class SwitchbackInterceptor implements Interceptor {
    private final ApiCalls calls;
    private final List<HttpUrl> apis = new ArrayList<>();

    /**
     * Creates the interceptor.
     *
     * @param calls sends the requests
     * @param apis the origins that get the token, such as {@code https://api.example.com}; other requests are as before
     */
    public SwitchbackInterceptor(ApiCalls calls, String... apis) {
        this.calls = calls;
        for (String api : apis) this.apis.add(HttpUrl.get(api));
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        if (!isApi(request.url())) return chain.proceed(request);
        try {
            return calls.sendBlocking(request.method(), request.url().toString(), new Exchange(chain));
        } catch (SessionException error) {
            throw new IOException(error.getMessage(), error);
        }
    }

    private boolean isApi(HttpUrl url) {
        for (HttpUrl api : apis) {
            if (api.scheme().equals(url.scheme()) && api.host().equals(url.host()) && api.port() == url.port()) {
                return true;
            }
        }
        return false;
    }

    /** Sends one try. */
    private static final class Exchange implements BlockingApiExchange<Response> {
        private final Chain chain;

        Exchange(Chain chain) {
            this.chain = chain;
        }

        @Override
        public Response send(Map<String, String> headers) throws IOException {
            Request.Builder builder = chain.request().newBuilder();
            for (Map.Entry<String, String> field : headers.entrySet()) builder.header(field.getKey(), field.getValue());
            return chain.proceed(builder.build());
        }

        @Override
        public int status(Response response) {
            return response.code();
        }

        @Override
        public String header(Response response, String name) {
            List<String> fields = response.headers(name);
            return fields.isEmpty() ? null : String.join(", ", fields);
        }

        @Override
        public void discard(Response response) {
            response.close();
        }
    }
}
