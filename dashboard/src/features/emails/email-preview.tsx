/** The HTML of an email with its embedded images in their places, and the files that came with it. */
import type { EmailContent } from '@postrider/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { MessagePreview } from '../../ui/message-preview.tsx';
import { saveBase64 } from '../../ui/save-file.ts';
import { Table } from '../../ui/table.tsx';
import { isImage, withInlineImages } from '../inbox/inline-images.ts';
import { attachmentQuery } from './queries.ts';

/** More or larger ones are not fetched for a preview. */
const MAX_IMAGES = 20;
const MAX_IMAGE_BYTES = 3_000_000;

export function EmailPreview({ id, content }: { readonly id: string; readonly content: EmailContent }) {
  const html = content.html ?? '';
  const wanted = content.attachments
    .map((file, number) => ({ ...file, number }))
    .filter((file) => isEmbedded(file, html))
    .slice(0, MAX_IMAGES);
  const images = useQueries({ queries: wanted.map(({ number }) => attachmentQuery(id, number)) });
  const loaded = images.flatMap(({ data }) => (data ? [data] : []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new every time, and grows only
  const shown = useMemo(() => withInlineImages(html, loaded), [html, loaded.length]);
  return <MessagePreview html={shown} title="Message preview" />;
}

type File = EmailContent['attachments'][number];

function isEmbedded({ content_id, content_type, size }: File, html: string): boolean {
  return content_id !== null && isImage(content_type) && size <= MAX_IMAGE_BYTES && /cid:/i.test(html);
}

export function EmailAttachments({ id, files }: { readonly id: string; readonly files: readonly File[] }) {
  if (files.length === 0) return <p className="quiet card-body">Nothing is attached.</p>;
  return (
    <Table columns={['File', 'Type', 'Bytes']} actions="Actions" stacking={false}>
      {files.map((file, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what a file is asked for by
        <AttachmentRow key={`${number} ${file.filename}`} id={id} file={file} number={number} />
      ))}
    </Table>
  );
}

function AttachmentRow({
  id,
  file,
  number,
}: {
  readonly id: string;
  readonly file: File;
  readonly number: number;
}) {
  const { refetch, isFetching, error } = useQuery({ ...attachmentQuery(id, number), enabled: false });
  const save = async () => {
    const { data } = await refetch();
    if (data) saveBase64(data.content, data.filename);
  };
  return (
    <tr>
      <td className="wrap">
        {file.filename}
        <ErrorNote error={error} onRetry={save} />
      </td>
      <td className="quiet wrap">{file.content_type}</td>
      <td className="number">{file.size.toLocaleString()}</td>
      <td className="end">
        <Button
          size="small"
          icon="download"
          busy={isFetching}
          onClick={save}
          aria-label={`Save ${file.filename}`}
        >
          Save
        </Button>
      </td>
    </tr>
  );
}
