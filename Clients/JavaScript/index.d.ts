/**
 * Logs users in with an e-ID from a web page, against a Switchback server. Nothing happens on import.
 *
 * What a later server may add (states, actions, statuses, reasons, hints, errors) is a `string` here, and each list of
 * the known ones is open: write a `default`.
 */

/** A text that may have more values in a later version. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** What `createSwitchback` needs. */
export interface Configuration {
  /** The server's `public_url`. */
  server: string;
  /** The app's name in the server's configuration. It may be missing if the server has only one app. */
  app?: string;
  /**
   * Keeps the login while the page is away; `sessionStorage` if missing. It has the poll secret, which any script of
   * the origin can read.
   */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** `fetch` if missing. */
  fetch?: typeof fetch;
  /** Gets an event for each request and state, without secrets. What it throws is ignored. */
  log?: (event: LogEvent) => void;
  /** Opens what the server names; `location.assign` if missing. A backend redirects the browser there. */
  open?: (url: string) => void;
}

/** Returns a client. Keep one for the page. It does nothing until it is called. */
export function createSwitchback(configuration: Configuration): Switchback;

/** A client of one server and one app. It has one login at most. */
export interface Switchback {
  /**
   * What the login buttons need, in the order of the server's configuration. Without a usable response it returns the
   * last list; it throws `SwitchbackError` if there is none.
   */
  providers(options?: { signal?: AbortSignal; languages?: readonly string[] }): Promise<Provider[]>;
  /**
   * Stores a login, creates it, and leaves the page. So it never resolves; it throws `SwitchbackError` if the login
   * fails. The same request joins a login that is there, and another one replaces it: the server hears which one, and
   * ends neither.
   */
  logIn(request: LoginRequest): Promise<never>;
  /**
   * Call it at each load of the page, before anything else: takes the return link out of the address bar, hands it in,
   * and goes on with the login that is stored. Resolves with the first news of it, and with null if there is none.
   * `signal` ends the waiting, and never the login. `link` comes in place of the page's address. `isBack` says that the
   * user is back, without a link unless there is one: a page sees that itself, and a backend does not.
   */
  resume(options?: { signal?: AbortSignal; link?: string; isBack?: boolean }): Promise<LoginState | null>;
  /** Calls `reader` with the present state at once, and with each later one; null means that there is no login. */
  subscribe(reader: (state: LoginState | null) => void): () => void;
  /** Sends the six digits of the page, as the user typed them. */
  enterCode(code: string): Promise<void>;
  /** Opens again what the login waits for. Call it when the user presses "Continue". */
  continueLogin(): void;
  /** The user gives up. The state says what became of it. */
  cancel(): Promise<void>;
  /**
   * The result is safe with the app, so the server deletes it, and the storage forgets the login. Call it for every
   * login that is `finished`. It resolves when the first attempt is over, and is repeated if there was no response.
   */
  acknowledge(): Promise<void>;
}

/** A state of the login. Decide by `code`. */
export interface LoginState {
  /**
   * | code | what the page does |
   * |---|---|
   * | `starting` | waits |
   * | `in_progress` | waits; for `enter_code` and `show_browser` in `login.next` it offers a field for the code |
   * | `paused` | offers "Continue" (`continueLogin`) and "Give up" (`cancel`) |
   * | `wrong_code` | asks for the code again, while `triesLeft` |
   * | `retrying` | says that there is no response yet (`trouble`); the library tries again |
   * | `finished` | stores the result, or shows `login.reason`; then `acknowledge`. It may come again |
   * | `failed` | shows `error`, and the login button |
   * | `in_other_window` | says that this login goes on in another window (`message`) |
   * | `handed_over` | says that another window has the link (`message`) |
   * | `elsewhere` | says where to continue, because no window of this browser has the login (`message`) |
   *
   * Wait for one that you do not know.
   */
  code: Open<"starting" | "in_progress" | "paused" | "wrong_code" | "retrying" | "finished" | "failed"
    | "in_other_window" | "handed_over" | "elsewhere">;
  /** The login as last reported; null if there is none yet. */
  login: Login | null;
  /** What the library does now, once; null when there is nothing new. */
  action: NextAction | null;
  /** How many codes the user may still try; null for other states than `wrong_code`. */
  triesLeft: number | null;
  /** Why the library tries again; null for other states than `retrying`. */
  trouble: { code: Open<"no_response" | "rate_limited" | "service_unavailable" | "unexpected_response">;
    status?: number } | null;
  /** Why the login is lost; null for other states than `failed`. */
  error: LoginError | null;
  /** What the page may say, in English; null where the code alone says it. */
  message: string | null;
  /** What the user can read out to support; null before the server has responded. */
  reference: string | null;
  /** Whether the login is over. Only the same state, or `failed` if the result is lost, may follow. */
  isFinal: boolean;
}

/** Why a login got no result. Offer the login button again for one that you do not know. */
export interface LoginError {
  code: Open<"not_stored" | "unknown_login" | "gone" | "refused" | "abandoned">;
  /** What the server says; null for every other error than `refused`. */
  problem: Problem | null;
  /** What the user can read out to support; null if the server never responded. */
  reference: string | null;
}

/** What `logIn` and `providers` throw. */
export class SwitchbackError extends Error {
  constructor(code: string, more?: { problem?: Problem | null; reference?: string | null; status?: number | null });
  /** That of `LoginError`, of `Reason`, of `LoginState.trouble`, or `replaced`. */
  readonly code: string;
  readonly problem: Problem | null;
  readonly reference: string | null;
  /** The status of a response that is not from Switchback, or that refuses. */
  readonly status: number | null;
}

/** An error that the server reports (RFC 9457). */
export interface Problem {
  status: number;
  code: string;
  detail: string;
  member: string | null;
  tries_left: number | null;
  request_id: string | null;
  /** What to tell the user, in the language of the request, if the provider is off (`provider_off`). Plain text. */
  notice: string | null;
}

/** What a page requests, in the words of the API. The server's `openapi-app.yaml` explains each member. */
export interface LoginRequest {
  /** The id of a provider. */
  provider: string;
  /** `web` if missing. */
  platform?: Open<"web" | "ios" | "android">;
  /** The system that the browser runs on; what the browser says if missing. */
  os?: string;
  surface?: Open<"auth_session" | "tab" | "system">;
  eid_app_installed?: boolean;
  /** False if the user's e-ID is on another device. */
  app_switch?: boolean;
  /** The user's language; that of the page if missing. */
  locale?: string;
  nonce?: string;
  parameters?: Record<string, string>;
  callback?: Open<"https" | "scheme">;
}

/** A login as the server last reported it, in the words of the API. A member of another type counts as missing. */
export interface Login {
  id: string;
  status: Open<"pending" | "exchanging" | "awaiting_return" | "completed" | "failed" | "cancelled" | "expired">;
  final: boolean;
  version: number;
  app: string;
  provider: string;
  reference: string;
  /** By `performance.now()`. */
  expiresAt: number;
  return_prefixes: string[];
  poll: { wait: number; interval: number; after_ms: number };
  next: NextAction;
  /** Shows the page with the code again; `continueLogin` opens it. */
  page: Omit<NextAction, "action"> | null;
  /** Whether `next` names something that cannot be opened. */
  isNextUnreadable: boolean;
  /** Who logged in; null unless the login has completed. Your API reads the assertion, and not this. */
  identity: Identity | null;
  /** A signed JWT for your API, good for five minutes; null unless the login has completed. */
  assertion: string | null;
  proof: string | null;
  /** What a registration in two steps (DigiD) continues with. */
  registration: Record<string, unknown> | null;
  /** Why the login did not complete. */
  reason: Reason | null;
  /** What the broker reports about the e-ID's app. */
  hint: Open<"outstanding_transaction" | "no_client" | "started" | "user_mrtd" | "user_call_confirm" | "user_sign">
    | null;
}

/** What to do now. The library opens what has to be opened. An action that it does not know is `wait`. */
export interface NextAction {
  action: Open<"open_browser" | "resume_browser" | "show_browser" | "open_app" | "enter_code" | "wait">;
  url?: string;
  universal_link?: string;
  custom_scheme?: string;
  store_url?: string;
  fallback?: string;
  expires_in?: number;
}

/** Why a login did not complete. Decide by `retryable` for a code that you do not know. */
export interface Reason {
  code: Open<"user_cancelled" | "app_cancelled" | "timeout" | "broker_error" | "broker_unavailable"
    | "invalid_response" | "invalid_token" | "not_fresh" | "assurance_too_low" | "interrupted">;
  retryable: boolean;
}

/** Who logged in. */
export interface Identity {
  subject: string;
  provider: string;
  eid: string;
  country?: string;
  /** A level that this version does not know is `none`. */
  assurance: Open<"none" | "low" | "substantial" | "high">;
  acr?: string;
  authenticated_at?: string;
  name?: string;
  given_name?: string;
  family_name?: string;
  birth_date?: string;
  national_id: { type: string; value: string } | null;
  claims: Record<string, unknown>;
}

/** A provider of the app: what one login button needs. */
export interface Provider {
  id: string;
  name: string;
  logo: string | null;
  countries: string[];
  eid: string;
  /** Whether a login may begin with it now. If not, disable its button, and show `notice`. */
  isEnabled: boolean;
  /**
   * What to tell the user while it is switched off, in the first of the languages that there is, otherwise in English
   * or any; null if the server says nothing. Plain text.
   */
  notice: string | null;
}

/** Something that the library did, for a log or metrics. It has no secret and nothing personal. */
export interface LogEvent {
  name: Open<"request" | "login_state" | "unreadable_url" | "not_stored" | "handed_over">;
  reference: string | null;
  /** Codes and numbers. Some may be undefined. */
  attributes: Record<string, unknown>;
}
