/** Proofs of what became of mail, from the real machine, checked as somebody does who has nothing but the file. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkProof, type ProofEntry } from '../../src/proofs/chain.ts';
import { runCommand } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

let flow: Flow;
let folder: string;
beforeAll(async () => {
  flow = await Flow.start();
  folder = mkdtempSync(join(tmpdir(), 'postrider-proof-'));
});
afterAll(async () => {
  await flow.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function sendTo(...to: readonly string[]): Promise<string> {
  const id = await flow.send(to, { subject: 'Your receipt' });
  await flow.final(id);
  return id;
}

const proofOf = async (id: string, query = '') => (await flow.api('GET', `/emails/${id}/proof${query}`)).body;
const entriesIn = (answer: { data: { entries: { entry: ProofEntry }[] } }) =>
  answer.data.entries.map(({ entry }) => entry);

describe('a proof', () => {
  it('has the bytes that the server took, their signature, its words, and all that happened', async () => {
    const id = await sendTo('proven@example.org');
    const answer = await proofOf(id);
    expect(checkProof(answer.data)).toMatchObject({ ok: true });
    const inbox = () => flow.api('GET', '/sandbox/messages?to=proven@example.org');
    const listed = await until(inbox, ({ body }) => body.data.length > 0);
    const raw = await fetch(`${flow.url}/api/v1/sandbox/messages/${listed.body.data[0].id}/raw`, {
      headers: { authorization: `Bearer ${flow.organization.key}` },
    });
    const bytes = Buffer.from(await raw.arrayBuffer());
    const signed =
      bytes
        .toString()
        .split('\r\n\r\n')[0]
        ?.replace(/\r\n\s+/g, ' ') ?? '';
    const [, selector, folded] = /^DKIM-Signature:.*? s=([^;]+);.* b=([^\r]+)/m.exec(signed) ?? [];
    const signature = folded?.replaceAll(' ', '');
    const [email, ...happened] = entriesIn(answer);
    expect(email).toMatchObject({ kind: 'email', id, mode: 'sandbox', subject: 'Your receipt' });
    const events = happened.filter(({ kind }) => kind === 'event');
    expect(events.map(({ type }) => type)).toEqual(['queued', 'processing', 'delivered']);
    expect(events.at(-1)).toMatchObject({ smtp_code: 250, recipient: 'proven@example.org' });
    const attempt = happened.find(({ kind }) => kind === 'attempt');
    expect(attempt).toMatchObject({
      recipient: 'proven@example.org',
      outcome: 'delivered',
      transcript: expect.arrayContaining([expect.stringContaining('250')]),
      message: {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        size: bytes.length,
        dkim: [{ domain: flow.organization.domain, selector, signature }],
      },
    });
  });

  it('of one recipient says nothing of the others', async () => {
    const id = await sendTo('one@example.org', 'bounced@simulator.test');
    const answer = await proofOf(id, '?recipient=ONE@example.org');
    expect(checkProof(answer.data)).toMatchObject({ ok: true });
    expect(JSON.stringify(answer)).not.toContain('bounced@simulator.test');
    expect(JSON.stringify(await proofOf(id))).toContain('bounced@simulator.test');
    expect((await proofOf(id, '?recipient=nobody@example.org')).error.code).toBe('NOT_FOUND');
  });

  it('is signed by a key that everybody can ask for', async () => {
    const { data } = await proofOf(await sendTo('key@example.org'));
    const published = await fetch(`${flow.url}/.well-known/postrider-proof-keys.json`);
    expect(await published.json()).toEqual({ algorithm: 'ed25519', keys: [data.public_key] });
  });
});

describe('postrider verify-proof', () => {
  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('says what a proof proves, without an installation', async () => {
    const answer = await proofOf(await sendTo('said@example.org'));
    const path = file('proof.json', JSON.stringify(answer, null, 2));
    const { code, out } = await runCommand(['verify-proof', path], {});
    expect(out).toContain('The proof is valid.');
    expect(out).toMatch(/said@example\.org: taken by sandbox\.postrider\.test at .+: 250 /);
    expect(code).toBe(0);
    const known = await runCommand(['verify-proof', path, '--key', answer.data.public_key], {});
    expect(known.out).toContain('The proof is signed by the key that you gave');
    const foreign = await runCommand(['verify-proof', path, '--key', 'A'.repeat(43)], {});
    expect([foreign.code, foreign.out]).toEqual([1, expect.stringContaining('signed by another key')]);
  });

  it('refuses one that was changed, and names the entry', async () => {
    const answer = await proofOf(await sendTo('changed@example.org'));
    const text = JSON.stringify(answer.data).replace('"smtp_code":250', '"smtp_code":251');
    const { code, out } = await runCommand(['verify-proof', file('changed.json', text)], {});
    expect([code, out]).toEqual([1, expect.stringMatching(/^The proof is not valid\. Entry \d is not what/)]);
  });
});
