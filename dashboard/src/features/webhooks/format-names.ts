import type { Webhook } from '@postrider/sdk';

export const FORMAT_NAMES: Readonly<Record<Webhook['format'], string>> = {
  postrider: 'Postrider',
  resend: 'Resend',
  sendgrid: 'SendGrid',
  postmark: 'Postmark',
};
