/** Whom readers of mail that other people wrote see as the sender: postal-mime, nodemailer and Python, where it is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { domainToASCII, fileURLToPath } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import PostalMime from 'postal-mime';
import { decodeHeaderText } from '../../src/protocols/message/reading/encoded-words.ts';
import { fieldValue, readHeaderBlock } from '../../src/protocols/message/reading/header-block.ts';

export interface Reading {
  readonly reader: string;
  readonly addresses: readonly string[];
  /** May show no sender at all where the field is unusual. */
  readonly mayGiveUp: boolean;
  /** Decodes encoded words before it looks for addresses, against RFC 2047, as many scripts do. */
  readonly decodesFirst: boolean;
}

const PYTHON = ['/usr/bin/python3', 'python3'].find((one) => spawnSync(one, ['-c', '']).status === 0);
const SCRIPT = fileURLToPath(new URL('from-readers.py', import.meta.url));
const PYTHON_READERS = ['python getaddresses', 'python policy', 'python parseaddr'];

export const hasPython = PYTHON !== undefined;

/** For each message, what each reader sees. */
export async function readingsOf(messages: readonly Buffer[]): Promise<Reading[][]> {
  const python = await readingsOfPython(messages);
  return Promise.all(
    messages.map(async (raw, index) => [...(await readingsOfJavaScript(raw)), ...(python[index] ?? [])]),
  );
}

/** The domains of what looks like an address, as DNS writes them. */
export function domainsIn({ addresses }: Reading): string[] {
  const domains = addresses
    .filter((address) => address.includes('@'))
    .map((address) => address.slice(address.lastIndexOf('@') + 1));
  return domains.map((domain) => domainToASCII(domain) || domain);
}

async function readingsOfJavaScript(raw: Buffer): Promise<Reading[]> {
  const { from } = await PostalMime.parse(raw);
  const head = readHeaderBlock(raw);
  const values = head.ok ? head.fields.filter(({ name }) => name === 'from').map(fieldValue) : [];
  const parsed = (text: string) =>
    addressparser(text, { flatten: true }).map(({ address }) => String(address ?? ''));
  return [
    { reader: 'postal-mime', addresses: membersOf(from), mayGiveUp: false, decodesFirst: false },
    { reader: 'nodemailer', addresses: values.flatMap(parsed), mayGiveUp: false, decodesFirst: false },
    {
      reader: 'nodemailer after decoding',
      addresses: values.flatMap((value) => parsed(decodeHeaderText(value))),
      mayGiveUp: true,
      decodesFirst: true,
    },
  ];
}

function membersOf(from: Awaited<ReturnType<typeof PostalMime.parse>>['from']): string[] {
  if (from === undefined) return [];
  return from.group === undefined ? [from.address] : from.group.map(({ address }) => address);
}

async function readingsOfPython(messages: readonly Buffer[]): Promise<Reading[][]> {
  if (PYTHON === undefined) return [];
  const child = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stdin.end(messages.map((raw) => `${raw.toString('base64')}\n`).join(''));
  await once(child, 'close');
  return out
    .trim()
    .split('\n')
    .map((line) =>
      (JSON.parse(line) as string[][]).map((addresses, index) => ({
        reader: PYTHON_READERS[index] as string,
        addresses,
        mayGiveUp: true,
        decodesFirst: index === 2,
      })),
    );
}
