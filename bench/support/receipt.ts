/** The mail that benches send. */

import type { MessageParts } from '../../src/protocols/message/compose.ts';
import { mailbox } from '../../test/support/addresses.ts';

export const CONTENT_BYTES = 4096;

/** An ordinary receipt: ASCII html with long lines, an accented name, a currency sign. */
export function receipt(): MessageParts & { html: string; text: string } {
  const text = `Hello Zoë,\n\nthank you for your order. This is what we have sent you today:\n\n${lines(10, textRow)}\n`;
  const head =
    '<!doctype html><html><body style="margin:0;font-family:Helvetica,Arial,sans-serif"><h1>Hello Zoë</h1>';
  const foot = '</table><p>Thank you for your order.</p></body></html>';
  let html = `${head}\n<table width="100%" cellpadding="0">\n${lines(16, htmlRow)}\n${foot}\n`;
  html += `<!-- ${'.'.repeat(CONTENT_BYTES - Buffer.byteLength(text) - Buffer.byteLength(html) - 9)} -->`;
  return {
    id: '01932e1b-7c2a-7000-8000-0123456789ab',
    dateMs: Date.UTC(2024, 10, 15, 2, 6, 0),
    messageIdDomain: 'shop.example',
    from: mailbox('orders@shop.example', 'The Shop'),
    to: [mailbox('zoe@customer.example', 'Zoë Müller')],
    cc: [],
    replyTo: [],
    subject: 'Your order 48-1573 is on its way',
    html,
    text,
    headers: [],
    attachments: [],
  };
}

function lines(count: number, row: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => row(i + 1)).join('\n');
}

function textRow(i: number): string {
  return `  ${i}  Notebook with ruled pages, A5, number ${i}      ${i}.50 €`;
}

function htmlRow(i: number): string {
  return `<tr><td style="padding:8px 12px;border-bottom:1px solid #ddd"><a href="https://shop.example/items/${i}?ref=mail">Notebook, A5, number ${i}</a></td><td align="right">${i}.50 €</td></tr>`;
}
