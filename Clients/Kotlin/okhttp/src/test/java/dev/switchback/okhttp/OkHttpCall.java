package dev.switchback.okhttp;

import dev.switchback.ApiCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Sends one GET with OkHttp and the interceptor, for the program of {@code session-life}. */
public final class OkHttpCall implements BiFunction<ApiCalls, String, String> {
    /** Returns the status, the number of tries, and whether a request to another origin got no token. */
    @Override
    public String apply(ApiCalls calls, String url) {
        AtomicInteger tries = new AtomicInteger();
        AtomicInteger tokens = new AtomicInteger();
        OkHttpClient client = new OkHttpClient.Builder()
            .addInterceptor(new SwitchbackInterceptor(calls, url))
            .addInterceptor(chain -> {
                tries.incrementAndGet();
                if (chain.request().header("Authorization") != null) tokens.incrementAndGet();
                return chain.proceed(chain.request());
            })
            .build();
        try {
            int status = status(client, url);
            String own = status + " after " + tries + " tries with " + tokens + " tokens";
            // The same server under another name is another origin.
            int other = status(client, url.replace("127.0.0.1", "localhost"));
            return own + ", " + other + " with " + (tokens.get() - 2) + " tokens";
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } finally {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        }
    }

    private static int status(OkHttpClient client, String url) throws IOException {
        try (Response response = client.newCall(new Request.Builder().url(url).build()).execute()) {
            return response.code();
        }
    }
}
