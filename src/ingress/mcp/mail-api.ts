/**
 * The API, as the tools call it: one request, and what it was answered with. Inside of the installation it is a request
 * to our own routes, with the caller's key; for `postrider mcp` it is one over the network. Either way every rule, policy, limit
 * and log of the API holds for a tool, too.
 */
export interface ApiAnswer {
  readonly status: number;
  /** Parsed; undefined where it was no JSON. */
  readonly body: unknown;
}

export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type MailApi = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  request?: ApiRequest,
) => Promise<ApiAnswer>;

export function withQuery(path: string, query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(given))}`;
}

/** Undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
