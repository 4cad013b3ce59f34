import { expect, it } from 'vitest';
import { BLOCK_BYTES, paddingBytes, readTarHeader, tarHeader } from './tar.ts';

it('reads back what it wrote', () => {
  const entry = { name: 'tables/email_attachments/000001.gz', bytes: 4_294_967_297 };
  expect(readTarHeader(tarHeader(entry, 1_763_290_000_000))).toEqual(entry);
});

it('ends with an empty block', () => {
  expect(readTarHeader(Buffer.alloc(BLOCK_BYTES))).toBeUndefined();
});

it('detects a header with one changed byte', () => {
  const header = tarHeader({ name: 'manifest.json', bytes: 10 }, 0);
  header[3] = 0x58;
  expect(() => readTarHeader(header)).toThrow('damaged');
});

it('pads partial blocks, and adds nothing to full ones', () => {
  expect([0, 1, 511, 512, 513].map(paddingBytes)).toEqual([0, 511, 1, 0, 511]);
});
