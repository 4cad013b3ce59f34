import type { UseQueryResult } from '@tanstack/react-query';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { MessageFrame } from '../../ui/message-frame.tsx';
import { Loading } from '../../ui/page.tsx';

interface Props {
  readonly tab: 'preview' | 'text' | 'source' | 'json';
  readonly content: UseQueryResult<{ readonly html: string | null; readonly text: string | null }>;
  readonly email: unknown;
}

export function EmailContent({ tab, content, email }: Props) {
  if (tab === 'json')
    return (
      <div className="card-body">
        <CodeBlock text={JSON.stringify(email, null, 2)} label="Copy as JSON" />
      </div>
    );
  if (content.isPending) return <Loading lines={4} />;
  if (content.isError) return <ErrorNote error={content.error} />;
  const { html, text } = content.data;
  if (tab === 'preview' && html !== null) return <MessageFrame html={html} title="The message as it looks" />;
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
