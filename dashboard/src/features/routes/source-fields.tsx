/** The addresses of a pool: what each greets with, its limits, and how it is warmed up. */
import { Button } from '../../ui/button.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { EMPTY_SOURCE, newWarmUp, type SourceForm } from './source-form.ts';
import type { Table } from './table-text.ts';
import { WarmUpFields } from './warm-up-fields.tsx';
import '../../ui/styles/routes.css';

interface Props {
  readonly sources: readonly SourceForm[];
  readonly onChange: (sources: readonly SourceForm[]) => void;
  readonly table: Pick<Table, 'usual' | 'providers'>;
  /** What the server says of `[0].address` and the like. */
  readonly problem: (field: string) => string | undefined;
  readonly problemOfAll: string | undefined;
}

export function SourceFields({ sources, onChange, table, problem, problemOfAll }: Props) {
  return (
    <>
      {sources.map((source, index) => (
        <SourceField
          // biome-ignore lint/suspicious/noArrayIndexKey: an address is typed, and known by its place until then
          key={index}
          nth={index + 1}
          source={source}
          table={table}
          onChange={(changed) => onChange(sources.with(index, changed))}
          problem={(field) => problem(`[${index}].${field}`)}
          {...(sources.length > 1 ? { onRemove: () => onChange(sources.toSpliced(index, 1)) } : {})}
        />
      ))}
      {problemOfAll ? <span className="problem">{problemOfAll}</span> : null}
      <div>
        <Button size="small" icon="plus" onClick={() => onChange([...sources, EMPTY_SOURCE])}>
          Add an address
        </Button>
      </div>
    </>
  );
}

interface FieldProps {
  readonly nth: number;
  readonly source: SourceForm;
  readonly onChange: (source: SourceForm) => void;
  readonly onRemove?: () => void;
  readonly table: Props['table'];
  readonly problem: (field: string) => string | undefined;
}

function SourceField({ nth, source, onChange, onRemove, table, problem }: FieldProps) {
  const { warmUp } = source;
  const set = (field: 'address' | 'ehloName' | 'weight' | 'connections') => ({
    value: source[field],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...source, [field]: event.target.value }),
  });
  return (
    <fieldset className="stack-small source">
      <legend>Address {nth}</legend>
      <div className="form-row">
        <TextField
          label="Address"
          required
          placeholder="192.0.2.7"
          {...set('address')}
          hint="IPv4 or IPv6, of a machine that a worker runs on."
          problem={problem('address')}
        />
        <TextField
          label="EHLO name"
          placeholder="out7.example.org"
          {...set('ehloName')}
          hint="The name that the server is greeted with. Empty: the name of the installation."
          problem={problem('ehlo_name')}
        />
        <TextField
          label="Weight"
          type="number"
          min={0}
          required
          {...set('weight')}
          hint="Its share of the mail, relative to the other addresses."
          problem={problem('weight')}
        />
        <TextField
          label="Connections per receiving server"
          type="number"
          min={1}
          {...set('connections')}
          hint="Maximum. Empty: no limit."
          problem={problem('connections')}
        />
      </div>
      <Check
        label="Warm up this address"
        hint="A limited number of emails a day to each provider, until providers know the address."
        checked={warmUp !== null}
        onChange={(event) =>
          onChange({
            ...source,
            warmUp: event.target.checked ? newWarmUp(table.usual.warm_up, new Date()) : null,
          })
        }
      />
      {warmUp === null ? null : (
        <WarmUpFields
          value={warmUp}
          onChange={(changed) => onChange({ ...source, warmUp: changed })}
          usual={table.usual.warm_up}
          providers={table.providers}
          problem={(field) => problem(`warm_up.${field}`)}
        />
      )}
      {onRemove ? (
        <div>
          <Button size="small" kind="danger" aria-label={`Remove address ${nth}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
