import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Table } from '../../ui/table.tsx';

interface Attachment {
  readonly filename: string | null;
  readonly content_type: string;
  readonly size: number;
  readonly content: string;
}

export function Attachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return <p className="quiet card-body">Nothing is attached.</p>;
  return (
    <Table columns={['File', 'Type', 'Bytes']} actions="Actions" stacking={false}>
      {attachments.map((one) => (
        <tr key={`${one.filename} ${one.content.slice(0, 40)}`}>
          <td className="wrap">{one.filename ?? '(no name)'}</td>
          <td className="quiet">{one.content_type}</td>
          <td className="number">{one.size.toLocaleString()}</td>
          <td className="end">
            <Button
              size="small"
              icon="download"
              onClick={() => save(one)}
              aria-label={`Save ${one.filename ?? 'the file'}`}
            >
              Save
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Always as a file: what somebody attached must not open on our origin. */
function save({ filename, content }: Attachment): void {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  saveFile(new Blob([bytes], { type: 'application/octet-stream' }), filename ?? 'attachment');
}
