/** What was found about a message or a template: findings, and where links lead. */
import type { SandboxMessageChecks } from '@postrider/sdk';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';

export function FindingList({ findings }: { readonly findings: SandboxMessageChecks['findings'] }) {
  if (findings.length === 0) return <p className="quiet">Nothing was found.</p>;
  return (
    <ul className="stack-small plain-list">
      {findings.map(({ message, severity }) => (
        <li key={message} className="wrap">
          <Badge tone={severity === 'warning' ? 'warn' : 'info'}>{severity}</Badge> {message}
        </li>
      ))}
    </ul>
  );
}

interface LinkAnswer {
  readonly url: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly leads_to: string | null;
}

interface LinksProps {
  readonly links: SandboxMessageChecks['links'];
  /** Null while nobody has asked. */
  readonly answers: readonly LinkAnswer[] | null | undefined;
}

export function LinkTable({ links, answers }: LinksProps) {
  const results = new Map(answers?.map((one) => [one.url, one]));
  return (
    <Table columns={['Link', 'Text', 'Result']}>
      {links.map(({ url, text }) => (
        <tr key={url}>
          <td className="wrap">
            <code>{url}</code>
          </td>
          <td className="quiet wrap">{text ?? 'in plain text'}</td>
          <td className="wrap">
            <LinkResult result={results.get(url)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function LinkResult({ result }: { readonly result: LinkAnswer | undefined }) {
  if (!result) return <span className="quiet">not checked yet</span>;
  if (result.error) return <Badge tone="bad">{result.error}</Badge>;
  return (
    <>
      <Badge tone="good">{result.status}</Badge>
      {result.leads_to ? <div className="quiet small">leads to {result.leads_to}</div> : null}
    </>
  );
}
