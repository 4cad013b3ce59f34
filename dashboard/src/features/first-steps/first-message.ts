/** The message that people send themselves first: one click, and it is on its way. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { domainsQuery } from '../domains/queries.ts';

const HTML = `<div style="font-family:Arial,sans-serif;max-width:520px;margin:0 auto;padding:24px;color:#1c1917">
<h1 style="font-size:22px">It works.</h1>
<p style="line-height:1.5">This message took the same path as a real message: the API accepted and stored it, the worker composed and signed it, and an SMTP server accepted it. The only difference is that the SMTP server is built into Postrider.</p>
<p style="line-height:1.5"><strong>Next:</strong> look at the headers and the signature above, then add a domain of your own.</p>
</div>`;

export function useFirstMessage() {
  const me = useMe();
  const domains = useQuery(domainsQuery);
  const domain = domains.data?.find(({ is_verified }) => is_verified)?.domain;
  const send = useMutation({
    mutationFn: () =>
      api.emails.send({
        from: { email: `hello@${domain}`, name: 'Postrider' },
        to: [{ email: me.user.email }],
        subject: 'Your first message',
        html: HTML,
        text: 'It works.\n\nNext: look at the headers and the signature, then add a domain of your own.',
        tags: [{ name: 'kind', value: 'tour' }],
      }),
  });
  return { send, domain, isKnown: domains.data !== undefined };
}
