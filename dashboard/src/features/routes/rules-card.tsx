/** The rules, in the order in which they are asked. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { useReplaceRoutes } from './queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { matchWords, type Table as RouteTable, type Rule, stepText, wantedOf } from './table-text.ts';

type Editing = { readonly what: 'edit' | 'remove'; readonly index: number } | null;

export function RulesCard({ table }: { readonly table: RouteTable }) {
  const [editing, setEditing] = useState<Editing>(null);
  const close = () => setEditing(null);
  const add = (
    <Button icon="plus" size="small" onClick={() => setEditing({ what: 'edit', index: table.rules.length })}>
      Add a rule
    </Button>
  );
  return (
    <Card title="Rules" actions={add} flush>
      {table.rules.length === 0 ? (
        <Empty icon="arrow" title="No rule yet">
          <p>{table.default.message} A rule sends a part of the mail through other transports.</p>
        </Empty>
      ) : (
        <RuleTable table={table} onDo={setEditing} />
      )}
      {editing?.what === 'edit' ? <RuleDialog table={table} index={editing.index} onClose={close} /> : null}
      {editing?.what === 'remove' ? <RemoveRule table={table} index={editing.index} onClose={close} /> : null}
    </Card>
  );
}

function RuleTable({
  table,
  onDo,
}: {
  readonly table: RouteTable;
  readonly onDo: (editing: Editing) => void;
}) {
  const before = wantedOf(table);
  const moveUp = useReplaceRoutes((index: number) => ({ ...before, rules: swapped(before.rules, index) }));
  return (
    <>
      <ErrorNote error={moveUp.error} />
      <Table columns={['Rule', 'Matches', 'Sent through']} actions="Actions">
        {table.rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place
          <tr key={index}>
            <td className="strong wrap">
              {index + 1}. {rule.name ?? ''}
            </td>
            <td className="wrap">{matchWords(rule.match)}</td>
            <td className="wrap">
              <Steps of={rule} />
              {rule.canary ? (
                <span className="quiet small">
                  moves to {rule.canary.to} (canary {rule.canary.name})
                </span>
              ) : null}
            </td>
            <td className="end">
              <div className="row">
                {index === 0 ? null : (
                  <Button
                    size="small"
                    busy={moveUp.isPending && moveUp.variables === index}
                    aria-label={`Move rule ${index + 1} up`}
                    onClick={() => moveUp.mutate(index)}
                  >
                    Up
                  </Button>
                )}
                <Button
                  size="small"
                  aria-label={`Edit rule ${index + 1}`}
                  onClick={() => onDo({ what: 'edit', index })}
                >
                  Edit
                </Button>
                <Button
                  size="small"
                  kind="danger"
                  aria-label={`Remove rule ${index + 1}`}
                  onClick={() => onDo({ what: 'remove', index })}
                >
                  Remove
                </Button>
              </div>
            </td>
          </tr>
        ))}
      </Table>
      <p className="quiet small card-body">Mail that no rule matches: {table.default.message}</p>
    </>
  );
}

/** With the one before it. */
function swapped<T>(list: readonly T[], index: number): T[] {
  return list.toSpliced(index - 1, 2, ...list.slice(index - 1, index + 1).toReversed());
}

function Steps({ of: { steps } }: { readonly of: Rule }) {
  return (
    <ol>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
        <li key={index} className="wrap">
          {index === 0 ? '' : 'otherwise '}
          {stepText(step)}
        </li>
      ))}
    </ol>
  );
}

function RemoveRule({
  table,
  index,
  onClose,
}: {
  readonly table: RouteTable;
  readonly index: number;
  readonly onClose: () => void;
}) {
  const before = wantedOf(table);
  const remove = useReplaceRoutes(() => ({ ...before, rules: before.rules.toSpliced(index, 1) }));
  const rule = table.rules[index];
  return (
    <ConfirmDialog
      title="Remove this rule?"
      action="Remove rule"
      onClose={onClose}
      onConfirm={() => remove.mutateAsync()}
    >
      <p>
        Mail that the rule matches ({rule ? matchWords(rule.match) : ''}) is routed by the later rules, or by
        the default.
      </p>
    </ConfirmDialog>
  );
}
