/**
 * The sender that is checked is the sender that receivers see: thousands of From fields that are made to be read in two
 * ways, and readers of other people beside ours. POSTRIDER_SENDERS_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { draftOfMessage } from '../../src/ingress/smtp-submission/draft-of-message.ts';
import { createReadOptions } from '../../src/ingress/smtp-submission/options.ts';
import {
  type Address,
  type EmailAddress,
  isReadAlike,
  parseAddress,
} from '../../src/protocols/message/address.ts';
import { composing, type MessageParts, writingWire } from '../../src/protocols/message/compose.ts';
import { findUnwritable } from '../../src/protocols/message/unsafe-text.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { atOnce } from '../../src/runtime/sliced-work.ts';
import { hostileSenders } from './hostile-senders.ts';
import { domainsIn, type Reading, readingsOf } from './other-readers.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const COUNT = 6_000;
const SEED = Number(process.env.POSTRIDER_SENDERS_SEED ?? 20261118);
const readOptions = createReadOptions(systemClock);

const ODD_ADDRESSES = [
  '"odd local"@good.test',
  '"ceo@evil.test"@good.test',
  '"<ceo@evil.test>"@good.test',
  '"a,b"@good.test',
  'jörg@münchen.test',
];
const PARTS: MessageParts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: 0,
  messageIdDomain: 'good.test',
  from: { email: 'a@good.test' as EmailAddress, name: null },
  to: [{ email: 'b@example.org' as EmailAddress, name: null }],
  ...{ cc: [], replyTo: [], headers: [], attachments: [] },
  ...{ subject: 's', html: null, text: 'body' },
};

const messageWith = (from: string) =>
  Buffer.from(`From: ${from}\r\nTo: b@example.org\r\nSubject: s\r\n\r\nbody\r\n`);

/** The domain that is checked; null where the message is refused. */
async function checkedDomain(raw: Buffer): Promise<string | null> {
  const drafted = await draftOfMessage(raw, [], readOptions);
  return drafted.kind === 'draft' ? drafted.draft.from.address.domain : null;
}

/** A message that goes out, and the domain of its sender that was checked. */
interface Checked {
  readonly raw: Buffer;
  readonly domain: string;
}

/** A line for each reader that sees somebody else than was checked. */
async function disagreements(
  accepted: readonly Checked[],
  isCounted: (reading: Reading) => boolean = () => true,
): Promise<string[]> {
  const readings = await readingsOf(accepted.map(({ raw }) => raw));
  return accepted.flatMap(({ raw, domain }, index) =>
    (readings[index] ?? []).filter(isCounted).flatMap((reading) => {
      const seen = domainsIn(reading);
      const isSame = seen.every((one) => one === domain) && (reading.mayGiveUp || seen.length === 1);
      const [field] = raw.toString().split('\r\nTo:');
      return isSame ? [] : [`${reading.reader} sees ${seen} in ${JSON.stringify(field)}`];
    }),
  );
}

describe('the From of a submitted message', () => {
  it('is refused where any other reader sees another domain than the one that is checked', async () => {
    const messages = hostileSenders(COUNT, SEED).map(messageWith);
    const checked = await Promise.all(messages.map(checkedDomain));
    const accepted = messages.flatMap((raw, index) => {
      const domain = checked[index] ?? null;
      return domain === null ? [] : [{ raw, domain }];
    });
    expect(await disagreements(accepted)).toEqual([]);
    expect(accepted.length).toBeGreaterThan(COUNT / 20);
    expect(accepted.length).toBeLessThan((COUNT * 3) / 4);
  });
});

describe('the From of a composed message', () => {
  it('is read by every other reader as the sender that the API checked, whatever its name', async () => {
    const addresses = [...ODD_ADDRESSES, 'a@good.test']
      .map(parseAddress)
      .filter((address) => address.ok && isReadAlike(address));
    const names = hostileSenders(COUNT / 4, SEED).filter((name) => findUnwritable(name) === null);
    const composed = names.map((name, index) => {
      const { email, domain } = addresses[index % addresses.length] as Address;
      const message = composeMessage({ ...PARTS, from: { email, name: index % 7 === 0 ? null : name } });
      return { raw: toWire(message), domain };
    });
    expect(await disagreements(composed, ({ decodesFirst }) => !decodesFirst)).toEqual([]);
    expect(composed.length).toBeGreaterThan(COUNT / 8);
  });
});
