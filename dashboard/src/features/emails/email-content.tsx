import type { EmailContent as Content, Email } from '@postrider/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Loading } from '../../ui/page.tsx';
import { EmailAttachments, EmailPreview } from './email-preview.tsx';

interface Props {
  readonly tab: 'preview' | 'text' | 'source' | 'headers' | 'attachments' | 'json';
  readonly content: UseQueryResult<Content>;
  readonly email: Email;
}

export function EmailContent({ tab, content, email }: Props) {
  if (tab === 'json')
    return (
      <div className="card-body">
        <CodeBlock text={JSON.stringify(email, null, 2)} label="Copy as JSON" />
      </div>
    );
  if (content.isPending) return <Loading lines={4} />;
  if (content.isError) return <ErrorNote error={content.error} onRetry={content.refetch} />;
  if (tab === 'headers') return <Headers email={email} content={content.data} />;
  const { html, text } = content.data;
  if (tab === 'attachments') return <EmailAttachments id={email.id} files={content.data.attachments} />;
  if (tab === 'preview' && html !== null) return <EmailPreview id={email.id} content={content.data} />;
  if (tab === 'source')
    return (
      <div className="card-body">
        {html === null ? (
          <p className="quiet">This email has no HTML part.</p>
        ) : (
          <CodeBlock text={html} label="Copy the HTML" />
        )}
      </div>
    );
  return text === null ? (
    <p className="quiet card-body">This email has no text part.</p>
  ) : (
    <pre className="preview-text">{text}</pre>
  );
}

/** The headers that stand in every delivery of it, in the words of the request. */
function Headers({ email, content }: { readonly email: Email; readonly content: Content }) {
  const people = (list: readonly { email: string; name: string | null }[]) =>
    list.map((one) => (one.name ? `${one.name} <${one.email}>` : one.email)).join(', ');
  const headers: [string, string][] = [
    ['From', people([email.from])],
    ['To', people(email.to)],
    ['Cc', people(email.cc)],
    ['Reply-To', people(email.reply_to_list)],
    ['Subject', content.subject],
    ...(content.has_raw ? [] : ownFields(email)),
    ...Object.entries(content.headers),
  ];
  return (
    <>
      {content.has_raw && (
        <p className="card-body">
          <a href={`/api/v1/emails/${email.id}/raw`} download>
            Download the message as it was submitted
          </a>
        </p>
      )}
      <Facts headers={headers} />
    </>
  );
}

/** What we write where the message was not submitted whole. */
function ownFields(email: Email): [string, string][] {
  return [
    ['Date', new Date(email.created_at).toUTCString()],
    ['Message-ID', `<${email.id}@${email.from.email.split('@').at(-1)}>`],
  ];
}

function Facts({ headers }: { readonly headers: readonly (readonly [string, string])[] }) {
  return (
    <dl className="facts card-body">
      {headers
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={`${name} ${value}`} className="fact-pair">
            <dt>{name}</dt>
            <dd>
              <code className="wrap">{value}</code>
            </dd>
          </div>
        ))}
    </dl>
  );
}
