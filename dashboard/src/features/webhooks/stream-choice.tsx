/** Of which mail a webhook is told: of all of it, or of that in some streams. */
import { Check } from '../../ui/field.tsx';
import { useStreamNames } from '../streams/queries.ts';

interface Props {
  /** Null: all of them, those to come included. */
  readonly value: readonly string[] | null;
  readonly onChange: (streams: readonly string[] | null) => void;
  readonly problem: string | undefined;
}

export function StreamChoice({ value, onChange, problem }: Props) {
  const known = useStreamNames();
  // One that was deleted is shown while it is chosen: mail that is in it keeps its name.
  const names = [...new Set([...known, ...(value ?? [])])];
  const toggle = (name: string) =>
    onChange(names.filter((one) => (one === name) !== (value ?? []).includes(one)));
  return (
    <fieldset>
      <legend>Streams</legend>
      <Check
        label="Mail in all streams"
        hint="Including streams that are created later."
        checked={value === null}
        onChange={(event) => onChange(event.target.checked ? null : [])}
      />
      {value === null ? null : (
        <>
          <div className="choices indented">
            {names.map((name) => (
              <Check
                key={name}
                label={known.includes(name) || known.length === 0 ? name : `${name} (deleted)`}
                checked={value.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </div>
          <p className="quiet small">
            {value.length === 0 ? 'Choose at least one. ' : ''}
            Events about domains, suppressions and attention items belong to no stream and are always sent.
          </p>
        </>
      )}
      {problem ? <span className="problem">{problem}</span> : null}
    </fieldset>
  );
}
