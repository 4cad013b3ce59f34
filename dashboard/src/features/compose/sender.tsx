import { SelectField, TextField } from '../../ui/field.tsx';
import type { PartProps } from './draft.ts';

interface SenderProps extends PartProps {
  readonly verified: readonly string[];
  readonly problem: string | undefined;
}

export function Sender({ draft, verified, onChange, problem }: SenderProps) {
  return (
    <div className="sender">
      <TextField
        label="From"
        required
        value={draft.fromLocal}
        onChange={(event) => onChange({ fromLocal: event.target.value })}
        problem={problem}
      />
      <SelectField
        label="at"
        value={draft.fromDomain}
        onChange={(event) => onChange({ fromDomain: event.target.value })}
      >
        {verified.length === 0 ? <option value="">No verified domain yet</option> : null}
        {verified.map((domain) => (
          <option key={domain} value={domain}>
            @{domain}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Name"
        placeholder="Optional"
        value={draft.fromName}
        onChange={(event) => onChange({ fromName: event.target.value })}
      />
    </div>
  );
}
