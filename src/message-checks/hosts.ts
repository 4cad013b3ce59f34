/** Whether a link's text names another site than its target. Pure. */
import { getDomain } from 'tldts';

export type HostName = string;

const SHOWN_HOST = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})(?:[/:?#]|$)/i;

/** `text` is visible to the reader; only text that looks like an address can deceive. */
export function hostsDiffer(text: string, host: HostName): boolean {
  const shown = SHOWN_HOST.exec(text.trim())?.[1];
  if (shown === undefined) return false;
  const site = getDomain(shown);
  return site !== null && site !== getDomain(host);
}
