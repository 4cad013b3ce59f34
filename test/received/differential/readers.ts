/** What three readers that share no code with us make of a message: postal-mime, mailauth and Python's `email`. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { domainToASCII, fileURLToPath } from 'node:url';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { readReceived } from '../../../src/inbound/received/read-received.ts';
import { readAddressList } from '../../../src/protocols/message/reading/address-list.ts';
import { readFields } from '../../../src/protocols/message/reading/fields.ts';

/** Addresses in lower case, domains as A-labels. */
export interface View {
  readonly from: readonly string[];
  /** The first marker in what is shown; null where there is none. */
  readonly text: string | null;
  readonly html: string | null;
}

export const PYTHON_MISSING = 'Python is not installed. Debian: apt-get install python3';

const SCRIPT = fileURLToPath(new URL('email-views.py', import.meta.url));
const PYTHONS = ['/usr/bin/python3', 'python3'];

export function findPython(): string | null {
  return PYTHONS.find((one) => spawnSync(one, ['-c', 'import email']).status === 0) ?? null;
}

/** One process for all messages. */
export async function pythonViews(python: string, messages: readonly Buffer[]): Promise<(View | null)[]> {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  for (const message of messages) {
    child.stdin.write(`${message.length}\n`);
    child.stdin.write(message);
  }
  child.stdin.end();
  const views: (View | null)[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const view: View | null = JSON.parse(line);
    views.push(view && { ...view, from: view.from.map(comparable) });
  }
  return views;
}

export async function ourView(raw: Buffer): Promise<View> {
  const { text, html } = await readReceived(raw, 'somebody@attacker.example');
  const listed = readAddressList(readFields(raw, 0, raw.length).fields.get('from') ?? '');
  const from = listed.flatMap(({ address }) => (address.ok ? [comparable(address.email)] : []));
  return { from, text: markerIn(text), html: markerIn(html) };
}

/** `from`: postal-mime tells of the first alone. */
export async function postalView(raw: Buffer): Promise<View | null> {
  try {
    const { from, text, html } = await PostalMime.parse(raw);
    const first = from?.address ?? from?.group?.[0]?.address;
    return { from: first ? [comparable(first)] : [], text: markerIn(text), html: markerOfHtml(text, html) };
  } catch {
    return null;
  }
}

/** The addresses in all From fields, as a verifier of signatures sees them. */
export async function mailauthFrom(raw: Buffer): Promise<readonly string[]> {
  const resolver = async () => [];
  const { headerFrom } = await dkimVerify(raw, { resolver });
  return headerFrom.map(comparable);
}

function comparable(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
}

/** Where a message has both outside of an alternative, postal-mime puts the text in front of the html. */
function markerOfHtml(text: string | undefined, html: string | undefined): string | null {
  const shown = markerIn(text);
  const found = markersIn(html);
  return found.find((marker) => marker !== shown) ?? found[0] ?? null;
}

function markersIn(text: string | undefined): string[] {
  return (text ?? '').match(/MARK-[A-Z0-9]+/g) ?? [];
}

function markerIn(text: string | null | undefined): string | null {
  return /MARK-[A-Z0-9]+/.exec(text ?? '')?.[0] ?? null;
}
