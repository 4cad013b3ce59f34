/** Adds a transport, or changes one. */
import { useState } from 'react';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { fieldsBelow, problemAt, problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { useSaveRoutes } from './queries.ts';
import { SourceFields } from './source-fields.tsx';
import { EMPTY_SOURCE, isReadable, type SourceForm, sourceForm, wantedSource } from './source-form.ts';
import { type Table, type Transport, type WantedTransport, wantedOf } from './table-text.ts';

interface Props {
  readonly table: Table;
  readonly transport: Transport | null;
  readonly onClose: () => void;
}

type Kind = Transport['kind'];

export function TransportDialog({ table, transport, onClose }: Props) {
  const [kind, setKind] = useState<Kind>(transport?.kind ?? 'relay');
  const { form, set } = useForm({
    name: transport?.name ?? '',
    url: transport?.url ?? '',
    password: '',
    connections: String(transport?.connections ?? 20),
    perMinute: String(transport?.messages_per_minute ?? ''),
  });
  const [sources, setSources] = useState<readonly SourceForm[]>(
    transport?.kind === 'direct' ? transport.sources.map(sourceForm) : [EMPTY_SOURCE],
  );
  const before = wantedOf(table);
  const index = transport === null ? before.transports.length : table.transports.indexOf(transport);
  const wanted = (): WantedTransport => {
    if (kind === 'direct') return { name: form.name, kind, sources: sources.map(wantedSource) };
    return {
      ...{ name: form.name, kind, url: form.url },
      connections: Number(form.connections),
      messages_per_minute: form.perMinute === '' ? null : Number(form.perMinute),
      ...(form.password === '' ? {} : { password: form.password }),
    };
  };
  const save = useSaveRoutes(
    () => ({ ...before, transports: before.transports.toSpliced(index, 1, wanted()) }),
    onClose,
  );
  const at = `transports[${index}]`;
  const isUnread = kind === 'direct' && !sources.every(isReadable);
  return (
    <Dialog
      title={transport === null ? 'Add a transport' : `Edit ${transport.name}`}
      className={kind === 'direct' ? 'wide-dialog' : ''}
      onClose={onClose}
    >
      <DialogForm
        does={save}
        action="Save"
        known={fieldsBelow(save.error, at)}
        disabled={isUnread}
        onClose={onClose}
      >
        <TextField
          label="Name"
          required
          readOnly={transport !== null}
          value={form.name}
          onChange={set('name')}
          hint="Lower-case letters, digits and hyphens. The name cannot be changed later."
          problem={problemOf(save.error, `${at}.name`)}
        />
        <SelectField label="Kind" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          <option value="relay">Through a relay</option>
          <option value="direct">Directly, from your own addresses</option>
        </SelectField>
        {kind === 'direct' ? (
          <SourceFields
            sources={sources}
            onChange={setSources}
            table={table}
            problem={(field) => problemOf(save.error, `${at}.sources${field}`)}
            problemOfAll={problemAt(save.error, `${at}.sources`)}
          />
        ) : (
          <RelayFields
            form={form}
            set={set}
            hasPassword={transport?.has_password ?? false}
            problem={(field) => problemOf(save.error, `${at}.${field}`)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

type Fields = ReturnType<typeof useForm<Record<'url' | 'password' | 'connections' | 'perMinute', string>>>;

function RelayFields({
  form,
  set,
  hasPassword,
  problem,
}: Pick<Fields, 'form' | 'set'> & {
  readonly hasPassword: boolean;
  readonly problem: (field: string) => string | undefined;
}) {
  return (
    <>
      <TextField
        label="URL"
        required
        value={form.url}
        onChange={set('url')}
        placeholder="smtp://user@relay.example.net:587"
        hint="Use smtps:// for implicit TLS. Leave the password out."
        problem={problem('url')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="off"
        value={form.password}
        onChange={set('password')}
        hint={
          hasPassword
            ? 'Empty: the stored password stays.'
            : 'Required if the URL names a user. Stored encrypted.'
        }
        problem={problem('password')}
      />
      <TextField
        label="Connections"
        type="number"
        min={1}
        required
        value={form.connections}
        onChange={set('connections')}
        hint="At most, for all workers together."
        problem={problem('connections')}
      />
      <TextField
        label="Messages a minute"
        type="number"
        min={1}
        value={form.perMinute}
        onChange={set('perMinute')}
        hint="Empty: no limit."
        problem={problem('messages_per_minute')}
      />
    </>
  );
}
