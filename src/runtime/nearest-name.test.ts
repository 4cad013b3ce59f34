import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['html', 'text', 'template_id', 'scheduled_at', 'from', 'to', 'reply_to'];

describe('the nearest name', () => {
  it.each([
    ['htm', 'html'],
    ['HTML', 'html'],
    ['txet', 'text'],
    ['template-id', 'template_id'],
    ['templateId', 'template_id'],
    ['schedule_at', 'scheduled_at'],
    ['form', 'from'],
    ['zzz', undefined],
    ['attachments', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('%# is the one that was meant, or none', (given, expected) => {
    expect(nearestName(given, known)).toBe(expected);
  });
});
