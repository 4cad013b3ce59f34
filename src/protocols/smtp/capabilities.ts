/** The capabilities in a server's reply to EHLO. */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly requireTls: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly size: boolean;
  /** Largest message in bytes; null when the server gave no limit. */
  readonly maxSize: number | null;
  readonly auth: ReadonlySet<string>;
}

export const NO_CAPABILITIES: Capabilities = {
  pipelining: false,
  startTls: false,
  requireTls: false,
  eightBitMime: false,
  smtpUtf8: false,
  size: false,
  maxSize: null,
  auth: new Set(),
};

/** The first line of the reply is the greeting and holds no keyword. */
export function parseCapabilities(ehloLines: readonly string[]): Capabilities {
  const offered = new Map<string, string>();
  const auth = new Set<string>();
  for (const line of ehloLines.slice(1)) {
    // Some old servers announce it as 'AUTH=PLAIN'.
    const [keyword = '', ...parameters] = line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/);
    offered.set(keyword, parameters.join(' '));
    if (keyword === 'AUTH') for (const mechanism of parameters) auth.add(mechanism);
  }
  const maxSize = Number(offered.get('SIZE') ?? '');
  return {
    pipelining: offered.has('PIPELINING'),
    startTls: offered.has('STARTTLS'),
    requireTls: offered.has('REQUIRETLS'),
    eightBitMime: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    size: offered.has('SIZE'),
    maxSize: Number.isSafeInteger(maxSize) && maxSize > 0 ? maxSize : null,
    auth,
  };
}
