import { describe, expect, it } from 'vitest';
import { resendSendBody } from './send-body.ts';

const attachmentOf = (file: object) => resendSendBody({ attachments: [file] }, 0).attachments;

describe('an attachment of Resend', () => {
  it('with a path is fetched from there, and named after it', () => {
    expect(attachmentOf({ path: 'https://files.example.org/2026/re%C3%A7u.pdf?x=1' })).toEqual([
      {
        filename: 'reçu.pdf',
        content: undefined,
        content_type: 'application/pdf',
        content_id: undefined,
        url: 'https://files.example.org/2026/re%C3%A7u.pdf?x=1',
      },
    ]);
  });

  it('with content is not fetched', () => {
    expect(attachmentOf({ filename: 'a.bin', content: 'YQ==', path: 'https://example.org/a' })).toEqual([
      { filename: 'a.bin', content: 'YQ==', content_type: undefined, content_id: undefined },
    ]);
  });
});
