import { Button } from '../../ui/button.tsx';
import { saveBase64 } from '../../ui/save-file.ts';
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
              onClick={() => saveBase64(one.content, one.filename ?? 'attachment')}
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
