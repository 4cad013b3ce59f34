/**
 * The API as tools call it: one request and its response. Within the installation, this is a request to our
 * own routes with the caller's key; `postrider mcp` sends it over the network. Either way, all rules,
 * policies, limits and logs of the API apply.
 */
export interface ApiAnswer {
  readonly status: number;
  /** The parsed JSON; undefined for other content. */
  readonly body: unknown;
}

interface ApiRequest {
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

/** Undefined for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
