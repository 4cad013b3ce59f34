/** Relays and pools of addresses, and how they are. */
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { stateOf } from '../sites/words.ts';
import { useReplaceRoutes } from './queries.ts';
import { type Table as RouteTable, type Transport, wantedOf } from './table-text.ts';
import { TransportDialog } from './transport-dialog.tsx';

/** Which one is worked on; `new` for one that is not there yet. */
type Editing = { readonly what: 'edit' | 'remove'; readonly transport: Transport | 'new' } | null;

export function TransportsCard({ table }: { readonly table: RouteTable }) {
  const [editing, setEditing] = useState<Editing>(null);
  const close = () => setEditing(null);
  const add = (
    <Button icon="plus" size="small" onClick={() => setEditing({ what: 'edit', transport: 'new' })}>
      Add a transport
    </Button>
  );
  return (
    <Card title="Transports" actions={add} flush>
      {table.transports.length === 0 ? (
        <Empty icon="out" title="No transport yet">
          <p>
            A transport is another mail server that delivers for you (a relay), or a pool of your own
            addresses that mail is sent from directly. {table.default.message}
          </p>
        </Empty>
      ) : (
        <Table columns={['Transport', 'Connection', 'State']} actions="Actions">
          {table.transports.map((transport) => (
            <TransportRow key={transport.name} transport={transport} onDo={setEditing} />
          ))}
        </Table>
      )}
      {editing?.what === 'edit' ? (
        <TransportDialog
          table={table}
          transport={editing.transport === 'new' ? null : editing.transport}
          onClose={close}
        />
      ) : null}
      {editing?.what === 'remove' && editing.transport !== 'new' ? (
        <RemoveTransport table={table} name={editing.transport.name} onClose={close} />
      ) : null}
    </Card>
  );
}

function TransportRow({
  transport,
  onDo,
}: {
  readonly transport: Transport;
  readonly onDo: (editing: Editing) => void;
}) {
  const { name } = transport;
  return (
    <tr>
      <td className="strong wrap">{name}</td>
      <td className="wrap">
        {transport.kind === 'relay' ? <Relay of={transport} /> : <Pool of={transport} />}
      </td>
      <td className="wrap">
        <Health of={transport} />
      </td>
      <td className="end">
        <div className="row">
          <Button
            size="small"
            aria-label={`Edit the transport ${name}`}
            onClick={() => onDo({ what: 'edit', transport })}
          >
            Edit
          </Button>
          <Button
            size="small"
            kind="danger"
            aria-label={`Remove the transport ${name}`}
            onClick={() => onDo({ what: 'remove', transport })}
          >
            Remove
          </Button>
        </div>
      </td>
    </tr>
  );
}

function Relay({ of }: { readonly of: Transport }) {
  const rate = of.messages_per_minute === null ? '' : `, ${of.messages_per_minute} messages a minute`;
  return (
    <>
      <code>{of.url}</code>
      <div className="quiet small">
        at most {of.connections} connections{rate}
        {of.has_password ? ', with a password' : ''}
      </div>
    </>
  );
}

function Pool({ of }: { readonly of: Transport }) {
  return (
    <>
      directly from
      <ul>
        {of.sources.map(({ address, ehlo_name, weight, warm_up }) => (
          <li key={address} className="wrap">
            <code>{address}</code>{' '}
            <span className="quiet small">
              {ehlo_name === null ? '' : `as ${ehlo_name}, `}weight {weight}
              {warm_up === null ? '' : `, warming up since ${warm_up.since}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Health({ of: { health, sources } }: { readonly of: Transport }) {
  if (health !== null) {
    const { tone, name } = stateOf({ state: health.state, connections: null, reason: health.reason });
    return (
      <>
        <Badge tone={tone}>{name}</Badge>
        {health.reply === null ? null : <div className="small">{health.reply}</div>}
      </>
    );
  }
  const absent = sources.filter(({ workers }) => workers === 0);
  const heldUp = sources.flatMap(({ address, held_up }) =>
    held_up.map(({ site }) => `${site} from ${address}`),
  );
  return (
    <>
      <Badge tone={absent.length === 0 ? 'good' : 'warn'}>
        {absent.length === 0 ? 'all addresses are here' : `${absent.length} of ${sources.length} not here`}
      </Badge>
      {absent.length === 0 ? null : (
        <div className="small">No running worker has {absent.map(({ address }) => address).join(', ')}.</div>
      )}
      {heldUp.length === 0 ? null : <div className="small">Delayed: {heldUp.join(', ')}.</div>}
    </>
  );
}

function RemoveTransport({
  table,
  name,
  onClose,
}: {
  readonly table: RouteTable;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const before = wantedOf(table);
  const remove = useReplaceRoutes(() => ({
    ...before,
    transports: before.transports.filter((one) => one.name !== name),
  }));
  const naming = rulesNaming(table, name);
  return (
    <ConfirmDialog
      title="Remove this transport?"
      action="Remove transport"
      disabled={naming.length > 0}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync()}
    >
      <p>
        No mail is sent through <strong>{name}</strong> any more, and its password is deleted.
      </p>
      {naming.length > 0 ? (
        <p>The transport cannot be removed while a rule uses it. Edit or remove {naming.join(', ')} first.</p>
      ) : null}
    </ConfirmDialog>
  );
}

/** `rule 2 (Google)`. */
function rulesNaming({ rules }: RouteTable, transport: string): string[] {
  return rules.flatMap(({ name, steps, canary }, index) => {
    const isNamed =
      canary?.to === transport ||
      steps.some(({ choices }) => choices.some((choice) => choice.transport === transport));
    return isNamed ? [name === null ? `rule ${index + 1}` : `rule ${index + 1} (${name})`] : [];
  });
}
