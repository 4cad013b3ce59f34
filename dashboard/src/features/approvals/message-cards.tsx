/** Everything that leaves with a message: its header, its parts, what stands outside of them, and the links that are tracked. */
import type { ApprovalMessage } from '@postrider/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { saveBase64, saveFile } from '../../ui/save-file.ts';
import { Table } from '../../ui/table.tsx';
import { messageQuery } from './queries.ts';

type Part = ApprovalMessage['parts'][number];

export function MessageCards({ id }: { readonly id: string }) {
  const message = useQuery(messageQuery(id));
  if (message.isPending) return <Loading lines={4} />;
  if (message.isError) return <ErrorNote error={message.error} onRetry={message.refetch} />;
  const { headers, parts, outside, tracked_links } = message.data;
  return (
    <>
      <Parts id={id} parts={parts} />
      {outside.length === 0 ? null : <Outside texts={outside} />}
      {tracked_links.length === 0 ? null : <TrackedLinks urls={tracked_links} />}
      <Header id={id} headers={headers} />
    </>
  );
}

function Parts({ id, parts }: { readonly id: string; readonly parts: readonly Part[] }) {
  return (
    <Card title="Every part of the message" flush>
      {parts.map((part) => (
        <PartRow key={part.number} id={id} part={part} />
      ))}
    </Card>
  );
}

function PartRow({ id, part }: { readonly id: string; readonly part: Part }) {
  const save = useMutation({
    mutationFn: () => api.approvals.part(id, part.number),
    onSuccess: ({ content, filename }) => saveBase64(content, filename),
  });
  const name = part.filename ?? part.content_type;
  return (
    <section className="card-body stack" aria-label={`Part ${part.number + 1}: ${name}`}>
      <div className="row">
        <strong className="wrap">{name}</strong>
        <span className="quiet small">{partWords(part)}</span>
        {part.is_container ? null : (
          <Button
            size="small"
            icon="download"
            busy={save.isPending}
            onClick={() => save.mutate()}
            aria-label={`Download ${name}`}
          >
            Download
          </Button>
        )}
      </div>
      <ErrorNote error={save.error} />
      <HiddenTexts texts={part.hidden_text} />
      <PartText part={part} />
      <details>
        <summary className="small">Header of this part</summary>
        <pre className="wrap small">{part.headers.map(fieldWords).join('\n')}</pre>
      </details>
    </section>
  );
}

function partWords({ content_type, disposition, content_id, size, is_container }: Part): string {
  if (is_container) return 'contains the parts below';
  const words = [content_type, disposition, content_id === null ? '' : `cid:${content_id}`];
  return [...words, `${size.toLocaleString()} bytes`].filter((word) => word !== '').join(', ');
}

/** Plain text is short to read; of html it is the source. */
function PartText({ part: { text, content_type } }: { readonly part: Part }) {
  if (text === null || text.trim() === '') return null;
  const isPlain = content_type === 'text/plain';
  return (
    <details open={isPlain}>
      <summary className="small">{isPlain ? 'Text' : 'Source'}</summary>
      <pre className="wrap small">{text}</pre>
    </details>
  );
}

function HiddenTexts({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className="note warn" role="note">
      <p>This HTML has text that most mail clients do not show:</p>
      <ul>
        {texts.map((text) => (
          <li key={text} className="wrap">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Outside({ texts }: { readonly texts: readonly string[] }) {
  return (
    <Card title="Text outside the parts">
      <p className="quiet small">This text is sent with the message. Most mail clients do not show it.</p>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are in the order of the message
        <pre key={index} className="wrap small">
          {text}
        </pre>
      ))}
    </Card>
  );
}

function TrackedLinks({ urls }: { readonly urls: readonly string[] }) {
  return (
    <Card title="Links that are tracked">
      <ul>
        {urls.map((url) => (
          <li key={url} className="wrap">
            {url}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Header({ id, headers }: { readonly id: string; readonly headers: ApprovalMessage['headers'] }) {
  const save = useMutation({
    mutationFn: () => api.approvals.raw(id),
    onSuccess: (source) => saveFile(new Blob([source], { type: 'application/octet-stream' }), `${id}.eml`),
  });
  return (
    <Card
      title="Header"
      flush
      actions={
        <Button size="small" icon="download" busy={save.isPending} onClick={() => save.mutate()}>
          Download the source
        </Button>
      }
    >
      <ErrorNote error={save.error} />
      <Table columns={['Field', 'Value']}>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field may be there twice, and they are in the order of the message
          <tr key={index}>
            <td>{name}</td>
            <td className="wrap">{value}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function fieldWords({ name, value }: Part['headers'][number]): string {
  return name === '' ? value : `${name}: ${value}`;
}
