/** What scanners are told of a mail. */
export interface Scanned {
  readonly raw: Buffer;
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly remoteAddress: string;
  readonly helo: string;
}
