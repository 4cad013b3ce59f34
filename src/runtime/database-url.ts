/**
 * The address of PostgreSQL. It may name several hosts, the way libpq writes it:
 * `postgres://user@one:5432,two:5432/postrider?target_session_attrs=read-write`.
 */

export interface DatabasePlace {
  /** As people know it: `one:5432`. */
  readonly name: string;
  readonly port: number;
  /** Of this host alone. */
  readonly url: string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i;
const DEFAULT_PORT = 5432;

/** Every host that the address names. It was checked before, where the configuration was read. */
export function databasePlaces(url: string): readonly DatabasePlace[] {
  return urlsOf(url).map((one) => {
    const { hostname, port, searchParams } = new URL(one);
    const host = decodeURIComponent(hostname) || (searchParams.get('host') ?? 'localhost');
    const number = Number(port || DEFAULT_PORT);
    return { name: `${host}:${number}`, port: number, url: one };
  });
}

/** What is wrong with an address, in words that follow the setting's name; `sessions` are the attributes it may ask for. */
export function databaseUrlProblem(url: string, sessions: readonly string[]): string | null {
  const urls = urlsOf(url);
  if (urls.length === 0 || !urls.every((one) => URL.canParse(one)))
    return 'must be a URL that starts with postgres:// or postgresql://';
  const wanted = new URL(urls[0] as string).searchParams.get('target_session_attrs');
  if (wanted === null || sessions.includes(wanted)) return null;
  return `must have target_session_attrs=${sessions[0]}, or none`;
}

function urlsOf(url: string): string[] {
  const [, before = '', hosts = '', behind = ''] = ADDRESS.exec(url) ?? [];
  return before === '' ? [] : hosts.split(',').map((host) => before + host.trim() + behind);
}
