import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type KeptContent, newSealKey, openContent, packContent } from './packed-content.ts';

const owner = { organizationId: 'org_a', emailId: 'email', objectId: 'object' };
const text = fc.option(fc.string({ unit: 'binary' }));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const contents: fc.Arbitrary<KeptContent> = fc.record({
  ...{ html: text, text, headers: text, template_data: text, mime: fc.option(bytes) },
  files: fc.array(
    fc.record({
      ...{ position: fc.nat(30), filename: fc.string(), content_type: fc.string() },
      ...{ content_id: fc.option(fc.string()), content: bytes },
    }),
    { maxLength: 4 },
  ),
});

it('returns any content unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (content) => {
      const key = newSealKey();
      expect(await openContent(await packContent(content, owner, key), owner, key)).toEqual(content);
    }),
  );
});

const plain: KeptContent = {
  html: null,
  text: 'Hi',
  headers: null,
  template_data: null,
  mime: null,
  files: [],
};

it.each(['organizationId', 'emailId', 'objectId'] as const)('does not open for another %s', async (name) => {
  const key = newSealKey();
  const packed = await packContent(plain, owner, key);
  await expect(openContent(packed, { ...owner, [name]: 'other' }, key)).rejects.toThrow();
});

it('opens neither with another key nor with a byte changed or missing', async () => {
  const key = newSealKey();
  const packed = await packContent(plain, owner, key);
  await expect(openContent(packed, owner, newSealKey())).rejects.toThrow();
  for (let at = 0; at < packed.length; at += 1) {
    const changed = Buffer.from(packed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(openContent(changed, owner, key)).rejects.toThrow();
    await expect(openContent(packed.subarray(0, at), owner, key)).rejects.toThrow();
  }
});
