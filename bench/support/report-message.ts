/** A bounce of about 4 KB, as Postfix writes them. */
export function bounceOf(returnPath: string): string {
  return `${HEAD}To: ${returnPath}\r\n${REST}`;
}

const HEAD = [
  'Received: by relay.example.net (Postfix) id 3D1F22A0; Sun, 15 Nov 2026 05:00:00 +0000 (UTC)',
  'Date: Sun, 15 Nov 2026 05:00:00 +0000 (UTC)',
  'From: MAILER-DAEMON@relay.example.net (Mail Delivery System)',
  'Subject: Undelivered Mail Returned to Sender',
  'Auto-Submitted: auto-replied',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="3D1F22A0.1763182800/relay"',
  '',
].join('\r\n');

const BODY_LINE = 'Thank you for your order. It was packed with care and is on its way to you now.\r\n';

const REST = [
  'Message-Id: <20261115050000.3D1F22A1@relay.example.net>',
  '',
  '--3D1F22A0.1763182800/relay',
  'Content-Description: Notification',
  'Content-Type: text/plain; charset=us-ascii',
  '',
  'This is the mail system at host relay.example.net.',
  '',
  "I'm sorry to have to inform you that your message could not be delivered.",
  '',
  '<customer@example.net>: host mx.example.net[192.0.2.7] said: 550 5.1.1 User unknown',
  '',
  '--3D1F22A0.1763182800/relay',
  'Content-Description: Delivery report',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; relay.example.net',
  'X-Postfix-Queue-ID: 3D1F22A0',
  'Arrival-Date: Sun, 15 Nov 2026 04:59:58 +0000 (UTC)',
  '',
  'Final-Recipient: rfc822; customer@example.net',
  'Original-Recipient: rfc822;customer@example.net',
  'Action: failed',
  'Status: 5.1.1',
  'Remote-MTA: dns; mx.example.net',
  'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
  '',
  '--3D1F22A0.1763182800/relay',
  'Content-Description: Undelivered Message',
  'Content-Type: message/rfc822',
  '',
  'From: shop@example.org',
  'To: customer@example.net',
  'Subject: Your order',
  '',
  BODY_LINE.repeat(25),
  '--3D1F22A0.1763182800/relay--',
].join('\r\n');
