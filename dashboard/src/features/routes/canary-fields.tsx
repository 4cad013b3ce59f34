/** Moving the mail of a rule to another transport: where to, how fast, and how much worse it may fare there. */
import { SelectField, TextField } from '../../ui/field.tsx';
import {
  type CanaryForm,
  percentsProblem,
  percentText,
  RATES,
  type Rate,
  rateProblem,
} from './canary-form.ts';
import type { Table } from './table-text.ts';
import '../../ui/styles/routes.css';

interface Props {
  readonly value: CanaryForm;
  readonly onChange: (value: CanaryForm) => void;
  readonly transports: readonly string[];
  readonly usual: Table['usual']['canary'];
  /** What the server says of a field of it; of all of it for the empty one. */
  readonly problem: (field: keyof CanaryForm | `worse.${Rate}` | '') => string | undefined;
}

const RATE_LABELS: Readonly<Record<Rate, string>> = {
  deferred: 'More deferred, in %',
  bounced: 'More bounced, in %',
  complained: 'More complaints, in %',
};

export function CanaryFields({ value, onChange, transports, usual, problem }: Props) {
  const set = (field: keyof CanaryForm) => ({
    value: value[field],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...value, [field]: event.target.value }),
  });
  return (
    <>
      <SelectField
        label="Moves to, little by little"
        {...set('to')}
        hint="A share of the mail goes there first, more while it fares no worse, none as soon as it does."
        problem={problem('to') ?? problem('')}
      >
        <option value="">nowhere, it goes as said above</option>
        {transports.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      {value.to === '' ? null : (
        <fieldset className="stack-small source">
          <legend>Canary</legend>
          <PlanFields value={value} set={set} usual={usual} problem={problem} />
          <WorseFields value={value} set={set} usual={usual} problem={problem} />
        </fieldset>
      )}
    </>
  );
}

type Setter = (field: keyof CanaryForm) => {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
};

function PlanFields({
  value,
  set,
  usual,
  problem,
}: Pick<Props, 'value' | 'usual' | 'problem'> & { readonly set: Setter }) {
  return (
    <div className="form-row">
      <TextField
        label="Canary’s name"
        placeholder={`to-${value.to}`}
        {...set('name')}
        hint="Another name begins anew."
        problem={problem('name')}
      />
      <TextField
        label="Percents"
        {...set('percents')}
        placeholder={usual.percents.join(', ')}
        hint="Of a provider’s mail, step by step."
        problem={percentsProblem(value.percents) ?? problem('percents')}
      />
      <TextField
        label="Minutes of a step, at least"
        type="number"
        min={1}
        {...set('minutes')}
        hint={`${usual.minutes} unless given.`}
        problem={problem('minutes')}
      />
      <TextField
        label="Mails of a step, at least"
        type="number"
        min={1}
        {...set('mails')}
        hint={`On the new way; ${usual.mails} unless given.`}
        problem={problem('mails')}
      />
    </div>
  );
}

/** In percent, as people speak of rates; the API has parts of one. */
function WorseFields({
  value,
  set,
  usual,
  problem,
}: Pick<Props, 'value' | 'usual' | 'problem'> & { readonly set: Setter }) {
  return (
    <fieldset className="stack-small">
      <legend>How much worse it may fare than on the old way</legend>
      <div className="form-row">
        {RATES.map((rate) => (
          <TextField
            key={rate}
            label={RATE_LABELS[rate]}
            inputMode="decimal"
            {...set(rate)}
            hint={`${percentText(usual.worse[rate])} unless given.`}
            problem={rateProblem(value[rate]) ?? problem(`worse.${rate}`)}
          />
        ))}
      </div>
      <p className="quiet small">
        Of 100 mails: where 2 are deferred on the old way, 5 allows for 7 on the new one. Beyond that, and
        beyond doubt, the provider’s mail goes the old way again.
      </p>
    </fieldset>
  );
}
