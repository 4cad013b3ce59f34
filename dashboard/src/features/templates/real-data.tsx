/** Takes the data of a sent email as sample data. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sendsQuery } from './queries.ts';

interface Props {
  readonly templateId: string;
  readonly onTake: (data: string) => void;
  readonly onClose: () => void;
}

export function RealData({ templateId, onTake, onClose }: Props) {
  const sends = useQuery(sendsQuery(templateId));
  return (
    <Dialog title="Use data of a sent email" className="wide-dialog" onClose={onClose}>
      <div className="stack-small">
        <p className="quiet">
          The newest emails sent with this template. Their data may be about real people. Saved data stays
          with the template until you replace it.
        </p>
        <List
          of={sends}
          rows={sends.data}
          lines={3}
          empty={
            <Empty icon="templates" title="No recent email">
              <p>Emails that are sent with this template appear here.</p>
            </Empty>
          }
        >
          {(rows) => (
            <Table columns={['To', 'Subject', 'Sent']} actions="Actions">
              {rows.map((send) => (
                <tr key={send.email_id}>
                  <td className="wrap">{send.to.join(', ')}</td>
                  <td className="wrap">{send.subject}</td>
                  <td className="quiet">
                    <Time at={send.created_at} />
                  </td>
                  <td className="end">
                    <Button
                      size="small"
                      aria-label={`Use data of the email to ${send.to.join(', ')}`}
                      onClick={() => onTake(JSON.stringify(send.template_data ?? {}, null, 2))}
                    >
                      Use
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </List>
      </div>
    </Dialog>
  );
}
