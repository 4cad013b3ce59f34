/** Try one address, or a hundred, and see every check and how the score came about. */
import type { ValidationResult } from '@postrider/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { ResultDetail } from './result-detail.tsx';

const MAX_ADDRESSES = 100;

export function ValidationPage() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const addresses = text
    .split(/[\n,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const check = useMutation({
    mutationFn: () => api.validation.validateBatch(addresses),
    onSuccess: () => setChosen(0),
  });
  const result = check.data?.[chosen];
  return (
    <>
      <PageHead
        title="Validation"
        lead="Deliverable means that the domain accepts mail and nothing looks wrong, not that the mailbox exists: no mail server is contacted."
      />
      <div className="stack">
        <Card>
          <form className="stack" onSubmit={onSubmit(check.mutate)}>
            <TextArea
              label="Addresses"
              rows={4}
              placeholder={'jane@gmial.com\nsupport@example.org'}
              value={text}
              onChange={(event) => setText(event.target.value)}
              hint={`One per line, up to ${MAX_ADDRESSES}.`}
              problem={
                addresses.length > MAX_ADDRESSES
                  ? `These are ${addresses.length}; at most ${MAX_ADDRESSES} can be checked at once.`
                  : undefined
              }
            />
            <ErrorNote error={check.error} />
            <div className="row row-end">
              <Button
                kind="primary"
                type="submit"
                busy={check.isPending}
                disabled={addresses.length === 0 || addresses.length > MAX_ADDRESSES}
              >
                {addresses.length > 1 ? `Check ${addresses.length} addresses` : 'Check'}
              </Button>
            </div>
          </form>
        </Card>
        {check.data === undefined ? (
          <Card>
            <Empty icon="validation" title="Eight checks, one score">
              <p>
                Syntax, mail hosts, DNS, disposable domains, role addresses, typos, providers and
                random-looking names. To have recipients checked whenever you send, see auto-validation in the
                settings.
              </p>
            </Empty>
          </Card>
        ) : null}
        {check.data && check.data.length > 1 ? (
          <ResultTable results={check.data} chosen={chosen} onChoose={setChosen} />
        ) : null}
        {result ? <ResultDetail result={result} /> : null}
      </div>
    </>
  );
}

interface TableProps {
  readonly results: readonly ValidationResult[];
  readonly chosen: number;
  readonly onChoose: (place: number) => void;
}

function ResultTable({ results, chosen, onChoose }: TableProps) {
  return (
    <Card flush>
      <Table columns={['Address', 'Verdict', 'Risk', 'Reason']} stacking={false}>
        {results.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may be checked twice
          <tr key={place}>
            <td className="wrap">
              <button
                type="button"
                className="link-button wrap"
                aria-pressed={place === chosen}
                onClick={() => onChoose(place)}
              >
                {one.email}
              </button>
            </td>
            <td>
              <Status value={one.verdict} />
            </td>
            <td className="number">{one.risk_score}</td>
            <td className="quiet">
              {one.signals.map(({ signal }) => signal.replaceAll('_', ' ')).join(', ') || 'nothing'}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
