/** The data about a mail that scanners get. */
export interface Scanned {
  readonly raw: Buffer;
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly remoteAddress: string;
  readonly helo: string;
}
