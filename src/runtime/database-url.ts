/**
 * The address of PostgreSQL. It may name several hosts in libpq's syntax:
 * `postgres://user@one:5432,two:5432/postrider?target_session_attrs=read-write`.
 */

export interface DatabasePlace {
  /** For display: `one:5432`. */
  readonly name: string;
  readonly port: number;
  /** The address with this host only. */
  readonly url: string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i;
const DEFAULT_PORT = 5432;

/** Every host in the address, which must have been validated when the configuration was read. */
export function databasePlaces(url: string): readonly DatabasePlace[] {
  return urlsOf(url).map((one) => {
    const { hostname, port, searchParams } = new URL(one);
    const host = decodeURIComponent(hostname) || (searchParams.get('host') ?? 'localhost');
    const number = Number(port || DEFAULT_PORT);
    return { name: `${host}:${number}`, port: number, url: one };
  });
}

/**
 * Describes what is wrong with an address, to follow the setting's name; `sessions` lists the attributes it
 * may request.
 */
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
