/** Whether the text of a link names another site than it leads to. Pure. */
import { getDomain } from 'tldts';

export type HostName = string;

const SHOWN_HOST = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})(?:[/:?#]|$)/i;

/** `text` is what a reader sees; only what looks like an address itself can deceive. */
export function hostsDiffer(text: string, host: HostName): boolean {
  const shown = SHOWN_HOST.exec(text.trim())?.[1];
  if (shown === undefined) return false;
  const site = getDomain(shown);
  return site !== null && site !== getDomain(host);
}
