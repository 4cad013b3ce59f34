import { describe, expect, it } from 'vitest';
import { SPECIAL_STATES } from '../../emails/status.ts';
import { READING_TOOLS } from './reading-tools.ts';

describe('search_emails', () => {
  it('lists every state that it filters by', () => {
    const tool = READING_TOOLS.find(({ name }) => name === 'search_emails');
    const text = JSON.stringify(tool?.input);
    for (const state of Object.keys(SPECIAL_STATES)) expect(text).toContain(state);
  });
});
