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
        label="Canary to"
        {...set('to')}
        hint="A share of the mail goes there first. The share grows while the results are no worse, and drops to zero as soon as they are."
        problem={problem('to') ?? problem('')}
      >
        <option value="">no canary</option>
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
        label="Name of the canary"
        placeholder={`to-${value.to}`}
        {...set('name')}
        hint="A new name starts from the beginning."
        problem={problem('name')}
      />
      <TextField
        label="Percentages"
        {...set('percents')}
        placeholder={usual.percents.join(', ')}
        hint="Shares of a provider’s mail, one per step."
        problem={percentsProblem(value.percents) ?? problem('percents')}
      />
      <TextField
        label="Minutes per step, at least"
        type="number"
        min={1}
        {...set('minutes')}
        hint={`Default: ${usual.minutes}.`}
        problem={problem('minutes')}
      />
      <TextField
        label="Emails per step, at least"
        type="number"
        min={1}
        {...set('mails')}
        hint={`On the new path. Default: ${usual.mails}.`}
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
      <legend>How much worse the results may be than on the old path</legend>
      <div className="form-row">
        {RATES.map((rate) => (
          <TextField
            key={rate}
            label={RATE_LABELS[rate]}
            inputMode="decimal"
            {...set(rate)}
            hint={`Default: ${percentText(usual.worse[rate])}.`}
            problem={rateProblem(value[rate]) ?? problem(`worse.${rate}`)}
          />
        ))}
      </div>
      <p className="quiet small">
        Example: if 2 of 100 emails are deferred on the old path, 5 allows 7 on the new path. If the results
        are significantly worse, the provider’s mail takes the old path again.
      </p>
    </fieldset>
  );
}
