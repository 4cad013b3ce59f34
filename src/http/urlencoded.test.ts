import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { readUrlencoded } from './form-body.ts';

async function read(text: string): Promise<[string, string][]> {
  const parts = await readUrlencoded(Buffer.from(text));
  return parts.map(({ name, content }) => [name, content.toString()]);
}

describe('an urlencoded form', () => {
  it('is parsed like URLSearchParams does', async () => {
    const bytes = fc.constantFrom('a', '%', '%4', '%41', '%c3%A9', '+', '&', '=', '%25', '%2G', ' ');
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 40 }), async (pieces) => {
        const text = pieces.join('');
        expect(await read(text)).toEqual([...new URLSearchParams(text)]);
      }),
      runs(300),
    );
  });

  it('keeps the bytes that are not UTF-8, so that they are refused where they are read', async () => {
    const [part] = await readUrlencoded(Buffer.from('a=%ff'));
    expect(part?.content).toEqual(Buffer.from([0xff]));
  });

  it('has a limited number of fields', async () => {
    expect(await read('a=b&'.repeat(2_000))).toHaveLength(2_000);
    await expect(read('a=b&'.repeat(2_001))).rejects.toThrow('more than 2000 fields');
  });

  it('has a limited size', async () => {
    await expect(read(`a=${'b'.repeat(4 * 1024 * 1024)}`)).rejects.toThrow('more than 4 MiB');
  });
});
