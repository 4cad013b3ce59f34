import { expect, it } from 'vitest';
import { withInlineImages } from './inline-images.ts';

it('puts inline images in their place, and nothing but images', () => {
  const attachments = [
    { content_id: 'logo', content_type: 'image/gif', content: 'R0lG' },
    { content_id: 'page', content_type: 'text/html', content: 'PGI+' },
  ];
  const html = '<img src="cid:logo"><img src="cid:page"><img src="cid:%zz">';
  expect(withInlineImages(html, attachments)).toBe(
    '<img src="data:image/gif;base64,R0lG"><img src="cid:page"><img src="cid:%zz">',
  );
});
